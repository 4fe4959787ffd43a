import { describe, expect, it } from 'vitest'
import type { XmlPiece } from '../xml/piece.ts'
import { createSorter } from './fields.ts'

const sort = createSorter({ title: ['title', 'dc:title'], date: ['date', 'dc:date'], tag: ['tag', 'dc:tag'] }, ['tag'])

const pieces = (...keys: string[]) => keys.map((key, index) => ({ key, to: index }) as XmlPiece)
const order = (sorted: readonly XmlPiece[]) => sorted.map(({ key, to }) => `${key} ${to}`)

describe('elements assigned to fields', () => {
  it('are sorted by preference, equals in document order', () => {
    const { fields } = sort(pieces('dc:title', 'title', 'dc:title', 'date', 'title'))
    expect(order(fields.title)).toEqual(['title 1', 'title 4', 'dc:title 0', 'dc:title 2'])
    expect(order(fields.date)).toEqual(['date 3'])
  })

  it('stay in document order in lists', () => {
    expect(order(sort(pieces('dc:tag', 'tag', 'dc:tag')).fields.tag)).toEqual(['dc:tag 0', 'tag 1', 'dc:tag 2'])
  })

  it('are empty for fields without elements, whatever was sorted before', () => {
    sort(pieces('title', 'date', 'tag'))
    expect(sort(pieces('unheard-of'))).toEqual({ fields: { title: [], date: [], tag: [] }, said: [] })
  })

  it('may belong to several fields', () => {
    const { fields: both, said } = createSorter(
      { published: ['issued', 'dc:date'], updated: ['dc:date'] },
      [],
    )(pieces('dc:date', 'issued'))
    expect([order(both.published), order(both.updated)]).toEqual([['issued 1', 'dc:date 0'], ['dc:date 0']])
    expect(said).toEqual(['published', 'updated'])
  })
})
