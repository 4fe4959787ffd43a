import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, type PageDate } from '../model/index.ts'
import { decideDate } from './index.ts'

const SEEN = Date.UTC(2024, 4, 17, 12)

type Feed = Omit<Parameters<typeof decideDate>[0], 'seenAt'>

const page = (at: number, changes: Partial<PageDate> = {}): PageDate => ({
  at,
  dateOnly: false,
  from: 'json-ld',
  trust: 0.95,
  ...changes,
})

/** `at` as hours before it was seen; notes as words. */
function verdict(feed: Feed, pageDate?: PageDate): string {
  const { at, from, dateOnly, notes = [] } = decideDate({ seenAt: SEEN, ...feed }, pageDate)
  const described = notes.map(({ of, fault, done, byMs }) => `${of} ${fault} ${done}${byMs ? ` ${byMs / HOUR}h` : ''}`)
  return [`${from} -${(SEEN - at) / HOUR}h`, ...(dateOnly ? ['day'] : []), ...described].join(', ')
}

const hours = (n: number) => SEEN - n * HOUR
const midnight = Date.UTC(2024, 4, 17)

describe('the publication date', () => {
  it.each<[string, Feed, PageDate | undefined, string]>([
    ['neither has a date', {}, undefined, 'seen -0h'],
    ['only the feed has one', { publishedAt: hours(3) }, undefined, 'feed -3h'],
    ['only the page has one', {}, page(hours(3)), 'page -3h'],
    ['both agree', { publishedAt: hours(3) }, page(hours(3)), 'feed -3h'],
    ['both nearly agree', { publishedAt: hours(3) }, page(hours(3.5)), 'feed -3h'],
    [
      "the feed's date is in the future",
      { publishedAt: SEEN, dateFault: 'future' },
      page(hours(1)),
      'page -1h, feed future dropped',
    ],
    ["the feed's date is in 1970", { dateFault: 'ancient' }, undefined, 'seen -0h, feed ancient dropped'],
    ["the page's date is in 1970", { publishedAt: hours(3) }, page(0), 'feed -3h, page ancient dropped'],
    [
      "the page's date is in the future",
      { publishedAt: hours(3) },
      page(SEEN + 40 * DAY),
      'feed -3h, page future dropped',
    ],
    ['the only date, of the page, is in the future', {}, page(SEEN + DAY), 'seen -0h, page future dropped'],
    ['clocks differ slightly', {}, page(SEEN + MINUTE), 'page -0h'],
    [
      'the page has the wrong time zone, and is ahead',
      { publishedAt: hours(1) },
      page(SEEN + HOUR),
      'feed -1h, page zone corrected -2h',
    ],
    [
      'the page has the wrong time zone, and is behind',
      { publishedAt: hours(1) },
      page(hours(6)),
      'feed -1h, page zone corrected 5h',
    ],
    ['the feed has the wrong time zone', { publishedAt: hours(8) }, page(hours(1)), 'page -1h, feed zone corrected 7h'],
    [
      'one of them had the wrong time zone, long ago',
      { publishedAt: hours(100) },
      page(hours(98)),
      'feed -100h, page zone corrected -2h',
    ],
    [
      'the zones differ by half an hour',
      { publishedAt: hours(1) },
      page(hours(6.5)),
      'feed -1h, page zone corrected 5.5h',
    ],
    [
      'the feed has only a day',
      { publishedAt: midnight, dateOnly: true },
      page(hours(3)),
      'page -3h, feed no-time completed',
    ],
    [
      'the page has only a day',
      { publishedAt: hours(3) },
      page(midnight, { dateOnly: true }),
      'feed -3h, page no-time completed',
    ],
    [
      'both have only a day',
      { publishedAt: midnight, dateOnly: true },
      page(midnight, { dateOnly: true }),
      'feed -12h, day, feed no-time flagged',
    ],
    [
      'the only date is a day',
      { publishedAt: midnight, dateOnly: true },
      undefined,
      'feed -12h, day, feed no-time flagged',
    ],
    [
      'the feed republishes an old article',
      { publishedAt: hours(1) },
      page(hours(5000.3)),
      'page -5000.3h, feed disagrees dropped',
    ],
    [
      'an old date of low trust on the page',
      { publishedAt: hours(1) },
      page(hours(5000.3), { trust: 0.4 }),
      'feed -1h, page disagrees dropped',
    ],
    [
      "the page's date is that of a change",
      { publishedAt: hours(50) },
      page(hours(3.3)),
      'feed -50h, page disagrees dropped',
    ],
    [
      'the page’s 5/12/2024 would be ahead, and is read the other way',
      {},
      page(Date.UTC(2024, 11, 5), { dateOnly: true, swappedAt: Date.UTC(2024, 4, 12) }),
      'page -132h, day, page future corrected -4968h, page no-time flagged',
    ],
    [
      'the page’s 5/2/2024 is the feed’s day the other way round',
      { publishedAt: Date.UTC(2024, 4, 2, 12) },
      page(Date.UTC(2024, 1, 5), { dateOnly: true, swappedAt: Date.UTC(2024, 4, 2) }),
      'feed -360h, page disagrees corrected 2088h, page no-time completed',
    ],
    [
      'both orders are possible',
      {},
      page(Date.UTC(2024, 1, 5), { dateOnly: true, swappedAt: Date.UTC(2024, 4, 2) }),
      'page -2460h, day, page no-time flagged',
    ],
    [
      'the days differ',
      { publishedAt: hours(100), dateOnly: true },
      page(hours(3)),
      'feed -100h, day, page disagrees dropped',
    ],
  ])('%s', (_, feed, pageDate, expected) => expect(verdict(feed, pageDate)).toBe(expected))

  it('trusts two sources that agree more than one, and one more than none', () => {
    const trust = (feed: Feed, pageDate?: PageDate) => decideDate({ seenAt: SEEN, ...feed }, pageDate).trust
    const both = trust({ publishedAt: hours(3) }, page(hours(3), { trust: 0.5 }))
    expect(both).toBeGreaterThan(trust({ publishedAt: hours(3) }))
    expect(trust({})).toBeLessThan(trust({ publishedAt: midnight, dateOnly: true }))
  })

  it('is never later than when the article was first seen, and is plain JSON', () => {
    const at = fc.integer({ min: -1e13, max: 1e13 })
    fc.assert(
      fc.property(
        at,
        at,
        fc.boolean(),
        fc.boolean(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (f, p, fd, pd, trust) => {
          const feed = { publishedAt: Math.min(SEEN, f), ...(fd && { dateOnly: true as const }) }
          const found = decideDate({ seenAt: SEEN, ...feed }, page(p, { dateOnly: pd, trust }))
          expect(found.at).toBeLessThanOrEqual(SEEN)
          expect(JSON.parse(JSON.stringify(found))).toEqual(found)
          expect(found.trust).toBeGreaterThanOrEqual(0)
          expect(found.trust).toBeLessThanOrEqual(1)
        },
      ),
    )
  })
})
