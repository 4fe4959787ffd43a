import { describe, expect, it } from 'vitest'
import { atOnce } from '../../model/index.ts'
import { healedKeys, mayBeRekeyed } from './changed-keys.ts'

const AT = Date.UTC(2026, 2, 14, 12)
const one = (key: string, title: string, url?: string, publishedAt?: number) => ({
  key,
  title,
  ...(url !== undefined && { url }),
  ...(publishedAt !== undefined && { publishedAt }),
})

function healed(window: ReturnType<typeof one>[], stored: ReturnType<typeof one>[]): [string, string][] {
  return [...atOnce(healedKeys(window, stored))].map(([{ key }, entry]) => [entry.key, key])
}

describe('an entry with a new key is recognized', () => {
  it.each([
    [
      'at the same address with the same title',
      one('new', 'Tide', 'https://a.example/1'),
      one('old', 'Tide', 'https://a.example/1'),
    ],
    [
      'whose host moved to https',
      one('https://a.example/1', 'Tide', 'https://a.example/1'),
      one('http://a.example/1', 'Tide', 'http://a.example/1'),
    ],
    [
      'whose host lost its www',
      one('n', 'Tide', 'https://a.example/1?p=2'),
      one('o', 'Tide', 'http://WWW.a.example:80/1/?p=2'),
    ],
    ['whose address lost a slash', one('n', 'Tide', 'https://a.example/1'), one('o', 'Tide', 'https://a.example/1/')],
    [
      'of the same title and instant',
      one('n', 'Tide', 'https://a.example/tide', AT),
      one('o', 'Tide', 'https://a.example/?p=1', AT),
    ],
    [
      'whose headline was corrected meanwhile',
      one('n', 'Tides', 'https://a.example/1', AT),
      one('o', 'Tide', 'https://a.example/1/', AT),
    ],
  ])('%s', (_, draft, stored) => expect(healed([draft], [stored])).toEqual([[stored.key, draft.key]]))
})

describe('an entry with a new key is another one', () => {
  it.each([
    [
      'one with the same title alone',
      one('n', 'Weather', 'https://a.example/2', AT),
      one('o', 'Weather', 'https://a.example/1', AT - 1),
    ],
    ['one at the same address alone', one('n', 'Low', 'https://a.example/'), one('o', 'High', 'https://a.example/')],
    [
      'one of the same instant alone',
      one('n', 'Low', 'https://a.example/2', AT),
      one('o', 'High', 'https://a.example/1', AT),
    ],
    ['one without a title', one('n', ''), one('o', '')],
  ])('%s', (_, draft, stored) => expect(healed([draft], [stored])).toEqual([]))

  it('where the match is ambiguous', () => {
    const [a, b] = [one('n1', 'Weather', undefined, AT), one('n2', 'Weather', undefined, AT)]
    expect(healed([a, b], [one('o', 'Weather', undefined, AT)])).toEqual([])
    expect(healed([a], [one('o1', 'Weather', undefined, AT), one('o2', 'Weather', undefined, AT)])).toEqual([])
  })
})

it('looks for changed keys where half of a window is unknown, not for each new entry', () => {
  expect([mayBeRekeyed(1, 1), mayBeRekeyed(3, 6), mayBeRekeyed(20, 20)]).toEqual([true, true, true])
  expect([mayBeRekeyed(0, 20), mayBeRekeyed(2, 4), mayBeRekeyed(9, 20)]).toEqual([false, false, false])
})
