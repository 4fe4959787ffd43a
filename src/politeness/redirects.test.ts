import { describe, expect, it } from 'vitest'
import { address } from '../model/address.fixture.ts'
import { DAY, HOUR, type Instant } from '../model/index.ts'
import { type FeedArrival, movedAfter, type RedirectState } from './index.ts'

const feedAt = (to: string, ...statuses: number[]): FeedArrival => ({
  redirects: statuses.map((status) => ({ status, to: address(to) })),
  finalUrl: address(to),
  isFeed: true,
})
const NEW = 'https://new.example/feed'
const moved = feedAt(NEW, 301)
const stayed: FeedArrival = { redirects: [], finalUrl: address('https://old.example/feed'), isFeed: true }

/** Results of polls, `everyMs` apart; the state passes through JSON as in a store. */
function addressAfter(arrivals: FeedArrival[], everyMs: number, from: Instant = 1000 * DAY): string | undefined {
  let memory: RedirectState | undefined
  for (const [i, arrival] of arrivals.entries()) {
    const after = movedAfter(memory, arrival, from + i * everyMs)
    if (after.moveTo) return after.moveTo
    memory = after.memory && JSON.parse(JSON.stringify(after.memory))
  }
  return undefined
}

const times = (count: number, arrival: FeedArrival) => Array.from({ length: count }, () => arrival)

describe('permanent redirects', () => {
  it.each<[string, FeedArrival[], number, string | undefined]>([
    ['rule 24: are stored when repeated for a day', times(3, moved), DAY / 2, NEW],
    ['rule 24: 308 as well', times(3, feedAt(NEW, 308)), DAY / 2, NEW],
    ['rule 24: also over several permanent hops', times(3, feedAt(NEW, 301, 308)), DAY / 2, NEW],
    ['rule 24: are not stored at once', times(1, moved), DAY, undefined],
    ['rule 24: are not stored after two, however far apart', times(2, moved), 30 * DAY, undefined],
    ['rule 24: are not stored within a day, however often', times(24, moved), HOUR, undefined],
    ['rule 24: are stored after a day of many', times(25, moved), HOUR, NEW],
    ['rule 24: are forgotten by one poll without', [moved, moved, stayed, moved, moved], DAY, undefined],
    ['rule 24: begin again with another target', [moved, moved, feedAt('https://c.example/', 301)], DAY, undefined],
    ['rule 24: a target that flips is never stored', [moved, stayed, moved, stayed, moved, stayed], DAY, undefined],
    ['rule 25: 302 is never stored', times(9, feedAt(NEW, 302)), DAY, undefined],
    ['rule 25: 303 is never stored', times(9, feedAt(NEW, 303)), DAY, undefined],
    ['rule 25: 307 is never stored', times(9, feedAt(NEW, 307)), DAY, undefined],
    ['rule 25: one temporary hop among permanent ones is enough', times(9, feedAt(NEW, 301, 302)), DAY, undefined],
    ['rule 26: a page is never stored', times(9, { ...moved, isFeed: false }), DAY, undefined],
    ['rule 26: a page in between forgets', [moved, moved, { ...moved, isFeed: false }, moved], DAY, undefined],
    ['to another site with nothing known are held', times(9, { ...moved, window: 'strange' }), DAY, undefined],
    ['are still held where nothing was read', [{ ...moved, window: 'strange' }, ...times(9, moved)], DAY, undefined],
    [
      'are believed once something known is there',
      [{ ...moved, window: 'strange' }, ...times(3, { ...moved, window: 'known' })],
      DAY,
      NEW,
    ],
    ['the fragment is no part of the address', times(3, feedAt(`${NEW}#top`, 301)), DAY, NEW],
  ])('%s', (_, arrivals, everyMs, expected) => {
    expect(addressAfter(arrivals, everyMs)).toBe(expected)
  })
  it('leave no state where there are none, or once they are accepted', () => {
    expect(movedAfter(undefined, stayed, 0)).toEqual({})
    expect(movedAfter({ to: address(NEW), times: 2, sinceAt: 0 }, moved, DAY)).toEqual({ moveTo: NEW })
  })
})
