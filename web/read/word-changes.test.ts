import { describe, expect, test } from 'vitest'
import { wordChanges } from './word-changes.ts'

const told = (before: string, after: string) => wordChanges(before, after).map(({ kind, text }) => `${kind}: ${text}`)

describe('word changes', () => {
  test('keep what stayed and name what went and came', () => {
    expect(told('Bridge closed for a week', 'Bridge closed for two weeks')).toEqual([
      'same: Bridge closed for',
      'removed: a week',
      'added: two weeks',
    ])
    expect(told('a b', 'a b')).toEqual(['same: a b'])
    expect(told('', 'new')).toEqual(['added: new'])
    expect(told('old', '')).toEqual(['removed: old'])
  })

  test('lose no word of either text', () => {
    const [before, after] = ['one two three two one', 'two one three one two']
    const changes = wordChanges(before, after)
    const without = (kind: string) =>
      changes
        .filter((change) => change.kind !== kind)
        .map(({ text }) => text)
        .join(' ')
    expect(without('added')).toBe(before)
    expect(without('removed')).toBe(after)
  })
})
