/** Matching entries by text alone, and when it is used for a feed. */
import { describe, expect, it } from 'vitest'
import { type EntryDraft, runToEnd } from '../../model/index.ts'
import { isRewritten, matchByText, quirksAfter } from './match-by-text.ts'

const draft = (key: string, title: string, content = ''): EntryDraft => ({ key, title, content })
const stored = (key: string, title: string, content = '', seenAt = 0) => ({ ...draft(key, title, content), seenAt })

function matches(unknown: EntryDraft[], storedEntries: ReturnType<typeof stored>[]): [string, string][] {
  return [...runToEnd(matchByText(unknown, storedEntries))].map(([{ key }, entry]) => [key, entry.key])
}

describe('an entry is matched', () => {
  it.each<[string, EntryDraft[], ReturnType<typeof stored>[], [string, string][]]>([
    ['by the same title and text', [draft('n', 'Ebb', 'Low water')], [stored('o', 'Ebb', 'Low water')], [['n', 'o']]],
    ['by the same title, if neither has a text', [draft('n', 'Ebb')], [stored('o', 'Ebb')], [['n', 'o']]],
    ['not with another text', [draft('n', 'Ebb', 'High water')], [stored('o', 'Ebb', 'Low water')], []],
    ['not with another title', [draft('n', 'Flow', 'Low water')], [stored('o', 'Ebb', 'Low water')], []],
    ['not without title and text', [draft('n', '')], [stored('o', '')], []],
    ['not if two of the window are equal', [draft('m', 'Ebb'), draft('n', 'Ebb')], [stored('o', 'Ebb')], []],
    [
      'to the oldest of several',
      [draft('n', 'Ebb')],
      [stored('p', 'Ebb', '', 9), stored('o', 'Ebb', '', 5)],
      [['n', 'o']],
    ],
    [
      'regardless of counters',
      [draft('n', 'Ebb', '<p>7 comments')],
      [stored('o', 'Ebb', '<p>3 comments')],
      [['n', 'o']],
    ],
  ])('%s', (_, unknown, storedEntries, expected) => {
    expect(matches(unknown, storedEntries)).toEqual(expected)
  })
})

it.each([
  [27, 27, true],
  [22, 27, true],
  [21, 27, false],
  [2, 2, false],
])('%i of %i known by text: rewritten is %s', (matched, window, rewritten) => {
  expect(isRewritten(matched, window)).toBe(rewritten)
})

it('switches after two consecutive rewritten windows, permanently, and resets the count when keys are known again', () => {
  const once = quirksAfter({ varyingParameters: ['sid'] }, true)
  expect(once).toEqual({ varyingParameters: ['sid'], rewrittenWindows: 1 })
  expect(quirksAfter(once, false)).toEqual({ varyingParameters: ['sid'] })
  const twice = quirksAfter(once, true)
  expect(twice).toEqual({ varyingParameters: ['sid'], matchBy: 'text' })
  expect(quirksAfter(twice, false)).toEqual(twice)
})
