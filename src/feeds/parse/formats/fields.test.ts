import { describe, expect, it } from 'vitest'
import type { XmlElement } from '../xml/element.ts'
import { createFieldSorter } from './fields.ts'

const sort = createFieldSorter({ title: ['title', 'dc:title'], date: ['date', 'dc:date'], tag: ['tag', 'dc:tag'] }, [
  'tag',
])

const elements = (...keys: string[]) => keys.map((key, index) => ({ key, to: index }) as XmlElement)
const order = (sorted: readonly XmlElement[]) => sorted.map(({ key, to }) => `${key} ${to}`)

describe('elements assigned to fields', () => {
  it('are sorted by preference, equals in document order', () => {
    const { fields } = sort(elements('dc:title', 'title', 'dc:title', 'date', 'title'))
    expect(order(fields.title)).toEqual(['title 1', 'title 4', 'dc:title 0', 'dc:title 2'])
    expect(order(fields.date)).toEqual(['date 3'])
  })

  it('stay in document order in lists', () => {
    expect(order(sort(elements('dc:tag', 'tag', 'dc:tag')).fields.tag)).toEqual(['dc:tag 0', 'tag 1', 'dc:tag 2'])
  })

  it('are empty for fields without elements, whatever was sorted before', () => {
    sort(elements('title', 'date', 'tag'))
    expect(sort(elements('unheard-of'))).toEqual({ fields: { title: [], date: [], tag: [] }, present: [] })
  })

  it('may belong to several fields', () => {
    const { fields: both, present } = createFieldSorter(
      { published: ['issued', 'dc:date'], updated: ['dc:date'] },
      [],
    )(elements('dc:date', 'issued'))
    expect([order(both.published), order(both.updated)]).toEqual([['issued 1', 'dc:date 0'], ['dc:date 0']])
    expect(present).toEqual(['published', 'updated'])
  })
})
