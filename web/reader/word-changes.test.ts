import { array, assert, constantFrom, integer, property, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MOST_WORDS, type WordChange, wordChanges } from './word-changes.ts'

const changesOf = (before: string, after: string) =>
  wordChanges(before, after).map(({ kind, text }) => `${kind}: ${text}`)

const without = (kind: WordChange['kind'], changes: WordChange[]) =>
  changes
    .filter((change) => change.kind !== kind)
    .map(({ text }) => text)
    .join(' ')

const same = (changes: WordChange[]) =>
  changes.filter(({ kind }) => kind === 'same').reduce((sum, { text }) => sum + text.split(' ').length, 0)

/** Few words make for many that stand more than once. */
const text = (most: number, kinds: number) =>
  array(integer({ min: 0, max: kinds }), { maxLength: most }).map((ids) => ids.map((id) => `w${id}`).join(' '))

describe('word changes', () => {
  test('keep unchanged words, and mark removed and added ones', () => {
    expect(changesOf('Bridge closed for a week', 'Bridge closed for two weeks')).toEqual([
      'same: Bridge closed for',
      'removed: a week',
      'added: two weeks',
    ])
    expect(changesOf('a b', 'a b')).toEqual(['same: a b'])
    expect(changesOf('', 'new')).toEqual(['added: new'])
    expect(changesOf('old', '')).toEqual(['removed: old'])
    expect(changesOf(' ', '')).toEqual([])
  })

  test('contain all words of both texts, and join adjacent parts of one kind', () => {
    const texts = constantFrom(3, 40, 5000).chain((kinds) => tuple(text(600, kinds), text(600, kinds)))
    assert(
      property(texts, ([before, after]) => {
        const changes = wordChanges(before, after)
        expect(without('added', changes)).toBe(before)
        expect(without('removed', changes)).toBe(after)
        for (const [i, { kind }] of changes.entries()) expect(kind).not.toBe(changes[i + 1]?.kind)
      }),
    )
  })

  test('find one inserted word in a long text, and nothing else', () => {
    assert(
      property(integer({ min: 0, max: 2999 }), constantFrom(7, 100_000), (place, kinds) => {
        const words = Array.from({ length: 3000 }, (_, i) => `w${(i * 7919) % kinds}`)
        const after = words.toSpliced(place, 0, 'inserted').join(' ')
        const changes = wordChanges(words.join(' '), after)
        expect(changes.filter(({ kind }) => kind === 'added').map((one) => one.text)).toEqual(['inserted'])
        expect(same(changes)).toBe(3000)
      }),
      { numRuns: 20 },
    )
  })

  test('find swapped paragraphs in a long text', () => {
    const part = (name: string) => Array.from({ length: 900 }, (_, i) => `${name}${i}`).join(' ')
    const changes = wordChanges(`${part('a')} ${part('b')} end`, `${part('b')} ${part('a')} end`)
    expect(same(changes)).toBe(901)
  })

  test('compare a bounded number of words, for texts of any length and similarity', () => {
    const changes = wordChanges('a b '.repeat(50_000), 'b a '.repeat(50_000))
    expect(without('added', changes).split(' ')).toHaveLength(MOST_WORDS)
    expect(without('removed', changes).split(' ')).toHaveLength(MOST_WORDS)
  })
})
