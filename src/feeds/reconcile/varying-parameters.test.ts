/** Link parameters that differ on each fetch. */
import { describe, expect, it } from 'vitest'
import { type LinkPair, removeParameters, varyingParameters } from './varying-parameters.ts'

const SITE = 'https://tides.example'
const pairs = (before: (n: number) => string, now: (n: number) => string): LinkPair[] =>
  [1, 2, 3, 4].map((n) => [SITE + before(n), SITE + now(n)])

describe('parameters vary', () => {
  it.each<[string, LinkPair[], string[]]>([
    [
      'a session',
      pairs(
        (n) => `/${n}?sid=a`,
        (n) => `/${n}?sid=b`,
      ),
      ['sid'],
    ],
    [
      'beside others',
      pairs(
        (n) => `/?p=${n}&t=1${n}&lang=en`,
        (n) => `/?p=${n}&t=2${n}&lang=en`,
      ),
      ['t'],
    ],
    [
      'in the path',
      pairs(
        (n) => `/${n};jsessionid=A?x=1`,
        (n) => `/${n};jsessionid=B?x=1`,
      ),
      [';jsessionid'],
    ],
    [
      'two of them',
      pairs(
        (n) => `/${n}?a=1&b=1`,
        (n) => `/${n}?a=2&b=2`,
      ),
      ['a', 'b'],
    ],
    [
      'not where nothing differs',
      pairs(
        (n) => `/${n}?sid=a`,
        (n) => `/${n}?sid=a`,
      ),
      [],
    ],
    [
      'not where the path differs, too',
      pairs(
        (n) => `/${n}?sid=a`,
        (n) => `/x${n}?sid=b`,
      ),
      [],
    ],
    [
      'not where they are what tells entries apart',
      pairs(
        (n) => `/?id=${n}`,
        (n) => `/?id=1${n}`,
      ),
      [],
    ],
    [
      'not where one was added',
      pairs(
        (n) => `/${n}`,
        (n) => `/${n}?sid=b`,
      ),
      [],
    ],
    [
      'not where one entry of many changed',
      [
        ...pairs(
          (n) => `/${n}?v=1`,
          (n) => `/${n}?v=1`,
        ),
        [`${SITE}/9?v=1`, `${SITE}/9?v=2`],
      ],
      [],
    ],
    ['not of a single link', [[`${SITE}/9?v=1`, `${SITE}/9?v=2`]], []],
  ])('%s', (_, linkPairs, expected) => {
    expect(varyingParameters(linkPairs)).toEqual(expected)
  })
})

it.each([
  ['https://a.example/b?sid=1', ['sid'], 'https://a.example/b'],
  ['https://a.example/b?x=%20&sid=1&y#z', ['sid'], 'https://a.example/b?x=%20&y#z'],
  ['https://a.example/b;jsessionid=1;v=2?sid=3', [';jsessionid', 'sid'], 'https://a.example/b;v=2'],
  ['https://a.example/b?', ['sid'], 'https://a.example/b?'],
  ['no address', ['sid'], 'no address'],
])('%s without %j is %s', (address, names, expected) => {
  expect(removeParameters(address, names)).toBe(expected)
})
