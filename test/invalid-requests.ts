/** Random API requests with valid names, drawn from a seed. */
import { createRandom, INVALID_ADDRESSES } from './invalid-values.ts'

const PLAUSIBLE = [
  '1',
  '2',
  '0',
  '50',
  '1000',
  'true',
  'false',
  'copy',
  'story',
  'id',
  'due',
  'recent',
  'large',
  'active',
  'looking',
  '2026-03-01',
  '2026-03-01T12:00:00Z',
  'High',
  'high*',
  '"high',
  'tides OR',
  '-a',
  'a OR b',
  'a feed:1 lang:de since:24h',
  'site:example.org OR author:ann',
  'relevance',
  'date',
  'none',
  'read',
  'starred',
  'is:unread tides',
  '-is:read is:starred',
  'is:',
  'a OR is:read',
]
const UNUSUAL = [
  '-1',
  '1e9',
  '9007199254740993',
  'NaN',
  '__proto__',
  'constructor',
  '\u0000',
  '\ud800',
  '🐌'.repeat(30),
  'x'.repeat(5000),
  "' OR 1=1 --",
  '%00',
  '../..',
  'ZW50cmllcyAx',
  'ZW50cmllcyAxIDI',
  'aWQgOTk5OTk5OTk5OTk5OTk5OTk5IDE',
  '٣',
  '2026-13-45',
  '*',
  '(',
  'NEAR(',
]

export function createRequests(seed: number) {
  const random = createRandom(seed)
  const value = () => random.one(random.is(0.5) ? PLAUSIBLE : random.is(0.7) ? UNUSUAL : INVALID_ADDRESSES)

  function json(depth = 0): unknown {
    if (random.is(0.4)) return value()
    if (random.is(0.5))
      return random.one([
        null,
        true,
        false,
        0,
        -1,
        1.5,
        1e300,
        600_000,
        '',
        'active',
        'always',
        [1, 2],
        { kind: 'all' },
      ])
    if (depth > 2) return 7
    return random.is(0.5) ? [json(depth + 1), json(depth + 1)] : { url: json(depth + 1), [value()]: json(depth + 1) }
  }

  return {
    value,
    query: (names: string[]) =>
      new URLSearchParams(names.filter(() => random.is(0.4)).map((name): [string, string] => [name, value()])),
    body(names: string[]): string {
      if (random.is(0.1)) return random.one(['', '{', '[]', 'null', '7', '"x"', '{"a":1}}', '\u0000'])
      return JSON.stringify(Object.fromEntries(names.filter(() => random.is(0.4)).map((name) => [name, json()])))
    },
  }
}
