import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HOUR } from '../../model/index.ts'
import { lineage, type Saying, wordDiff } from '../index.ts'

describe('word changes', () => {
  test.each<[string, string, string, string]>([
    ['nothing', 'The tram came.', 'The tram came.', 'The tram came.'],
    ['case and punctuation do not count', 'The tram came', 'THE TRAM, came!', 'THE TRAM, came!'],
    ['a word replaced', 'The tram came late', 'The bus came late', 'The [-tram ][+bus ]came late'],
    ['words added at the end', 'The tram came', 'The tram came at noon', 'The tram came [+at noon]'],
    ['words cut', 'On Monday the tram came', 'the tram came', '[-On Monday ]the tram came'],
    ['characters, where there are no spaces', '电车来了', '电车没来', '电车[+没]来[-了]'],
    ['all', 'one two', 'three', '[-one two][+three]'],
    ['from nothing', '', 'three', '[+three]'],
  ])('%s', (_, before, after, shown) => {
    const sign = { same: '', removed: '-', added: '+' }
    const changes = wordDiff(before, after)
    expect(changes.map(({ kind, text }) => (kind === 'same' ? text : `[${sign[kind]}${text}]`)).join('')).toBe(shown)
  })

  test('unchanged and added words together are the new text, word for word', () => {
    const text = fc.array(fc.constantFrom('tram', 'bus', 'came', 'late', '电车', 'the'), { maxLength: 30 })
    fc.assert(
      fc.property(text, text, (a, b) => {
        const changes = wordDiff(a.join(' '), b.join(' '))
        const now = changes.filter(({ kind }) => kind !== 'removed').map((change) => change.text)
        expect(now.join('').split(/\s+/).join('')).toBe(b.join(''))
      }),
    )
  })

  test('texts too long to compare are replaced as a whole', () => {
    const long = (word: string) => Array.from({ length: 5000 }, (_, i) => `${word}${i}`).join(' ')
    expect(wordDiff(long('a'), long('b')).map(({ kind }) => kind)).toEqual(['removed', 'added'])
  })
})

describe('lineage', () => {
  const lead = 'The council voted on Monday to build a tram line to the harbour, ending a quarrel of nine years.'
  const sayings: Saying[] = [
    {
      id: 3,
      at: 5 * HOUR,
      source: 'mirror.example',
      title: 'Tram for Port Else',
      summary: `<p>${lead.replace('nine', 'ten')}</p>`,
    },
    { id: 1, at: HOUR, source: 'wire.example', title: 'Council votes for tram', summary: lead },
    { id: 2, at: 3 * HOUR, source: 'post.example', title: 'Tram for Port Else', summary: lead.replace('nine', 'ten') },
  ]

  test('names the first publisher, the followers with their delays, their sources and what changed', () => {
    const { first, followers } = lineage(sayings)!
    expect(first.source).toBe('wire.example')
    expect(followers.map(({ saying, afterMs, from }) => [saying.source, afterMs / HOUR, from])).toEqual([
      ['post.example', 2, 1],
      ['mirror.example', 4, 2],
    ])
    expect(followers[0]?.summary.filter(({ kind }) => kind !== 'same')).toEqual([
      { kind: 'removed', text: 'nine ' },
      { kind: 'added', text: 'ten ' },
    ])
    expect(followers[1]).toMatchObject({ distance: 0, title: [{ kind: 'same' }], summary: [{ kind: 'same' }] })
  })

  test('is absent without members, and has no followers with a single one', () => {
    expect(lineage([])).toBeUndefined()
    expect(lineage(sayings.slice(0, 1))?.followers).toEqual([])
  })
})
