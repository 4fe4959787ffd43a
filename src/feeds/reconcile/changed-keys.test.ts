import { describe, expect, it } from 'vitest'
import { runToEnd } from '../../model/index.ts'
import { haveKeysChanged, matchChangedKeys } from './changed-keys.ts'

const AT = Date.UTC(2026, 2, 14, 12)
const storedEntry = (key: string, title: string, url?: string, publishedAt?: number) => ({
  key,
  title,
  ...(url !== undefined && { url }),
  ...(publishedAt !== undefined && { publishedAt }),
})

function healed(
  window: ReturnType<typeof storedEntry>[],
  stored: ReturnType<typeof storedEntry>[],
): [string, string][] {
  return [...runToEnd(matchChangedKeys(window, stored))].map(([{ key }, entry]) => [entry.key, key])
}

describe('an entry with a new key is recognized', () => {
  it.each([
    [
      'at the same address with the same title',
      storedEntry('new', 'Tide', 'https://a.example/1'),
      storedEntry('old', 'Tide', 'https://a.example/1'),
    ],
    [
      'whose host moved to https',
      storedEntry('https://a.example/1', 'Tide', 'https://a.example/1'),
      storedEntry('http://a.example/1', 'Tide', 'http://a.example/1'),
    ],
    [
      'whose host lost its www',
      storedEntry('n', 'Tide', 'https://a.example/1?p=2'),
      storedEntry('o', 'Tide', 'http://WWW.a.example:80/1/?p=2'),
    ],
    [
      'whose address lost a slash',
      storedEntry('n', 'Tide', 'https://a.example/1'),
      storedEntry('o', 'Tide', 'https://a.example/1/'),
    ],
    [
      'with the same title and date',
      storedEntry('n', 'Tide', 'https://a.example/tide', AT),
      storedEntry('o', 'Tide', 'https://a.example/?p=1', AT),
    ],
    [
      'whose title was corrected meanwhile',
      storedEntry('n', 'Tides', 'https://a.example/1', AT),
      storedEntry('o', 'Tide', 'https://a.example/1/', AT),
    ],
  ])('%s', (_, draft, stored) => expect(healed([draft], [stored])).toEqual([[stored.key, draft.key]]))
})

describe('an entry with a new key is another one', () => {
  it.each([
    [
      'if only the title is the same',
      storedEntry('n', 'Weather', 'https://a.example/2', AT),
      storedEntry('o', 'Weather', 'https://a.example/1', AT - 1),
    ],
    [
      'if only the address is the same',
      storedEntry('n', 'Low', 'https://a.example/'),
      storedEntry('o', 'High', 'https://a.example/'),
    ],
    [
      'if only the date is the same',
      storedEntry('n', 'Low', 'https://a.example/2', AT),
      storedEntry('o', 'High', 'https://a.example/1', AT),
    ],
    ['if it has no title', storedEntry('n', ''), storedEntry('o', '')],
  ])('%s', (_, draft, stored) => expect(healed([draft], [stored])).toEqual([]))

  it('where the match is ambiguous', () => {
    const [a, b] = [storedEntry('n1', 'Weather', undefined, AT), storedEntry('n2', 'Weather', undefined, AT)]
    expect(healed([a, b], [storedEntry('o', 'Weather', undefined, AT)])).toEqual([])
    expect(
      healed([a], [storedEntry('o1', 'Weather', undefined, AT), storedEntry('o2', 'Weather', undefined, AT)]),
    ).toEqual([])
  })
})

it('looks for changed keys where half of a window is unknown, not for each new entry', () => {
  expect([haveKeysChanged(1, 1), haveKeysChanged(3, 6), haveKeysChanged(20, 20)]).toEqual([true, true, true])
  expect([haveKeysChanged(0, 20), haveKeysChanged(2, 4), haveKeysChanged(9, 20)]).toEqual([false, false, false])
})
