import { describe, expect, it } from 'vitest'
import { address } from '../model/address.fixture.ts'
import { DAY, HOUR, type Instant } from '../model/index.ts'
import { type FeedArrival, type RedirectState, redirectStateAfter } from './index.ts'

const feedAt = (to: string, ...statuses: number[]): FeedArrival => ({
  redirects: statuses.map((status) => ({ status, to: address(to) })),
  finalUrl: address(to),
  isFeed: true,
})
const NEW = 'https://new.example/feed'
const movedPoll = feedAt(NEW, 301)
const unmovedPoll: FeedArrival = { redirects: [], finalUrl: address('https://old.example/feed'), isFeed: true }

/** Results of polls, `everyMs` apart; the state passes through JSON as in a store. */
function addressAfter(arrivals: FeedArrival[], everyMs: number, from: Instant = 1000 * DAY): string | undefined {
  let memory: RedirectState | undefined
  for (const [i, arrival] of arrivals.entries()) {
    const after = redirectStateAfter(memory, arrival, from + i * everyMs)
    if (after.moveTo) return after.moveTo
    memory = after.memory && JSON.parse(JSON.stringify(after.memory))
  }
  return undefined
}

const times = (count: number, arrival: FeedArrival) => Array.from({ length: count }, () => arrival)

describe('permanent redirects', () => {
  it.each<[string, FeedArrival[], number, string | undefined]>([
    ['rule 24: are stored when repeated for a day', times(3, movedPoll), DAY / 2, NEW],
    ['rule 24: are stored for 308, too', times(3, feedAt(NEW, 308)), DAY / 2, NEW],
    ['rule 24: are stored over several permanent hops', times(3, feedAt(NEW, 301, 308)), DAY / 2, NEW],
    ['rule 24: are not stored at once', times(1, movedPoll), DAY, undefined],
    ['rule 24: are not stored after two polls, however far apart', times(2, movedPoll), 30 * DAY, undefined],
    ['rule 24: are not stored within a day, however often', times(24, movedPoll), HOUR, undefined],
    ['rule 24: are stored after a day of many polls', times(25, movedPoll), HOUR, NEW],
    [
      'rule 24: are reset by one poll without a redirect',
      [movedPoll, movedPoll, unmovedPoll, movedPoll, movedPoll],
      DAY,
      undefined,
    ],
    [
      'rule 24: start over with another target',
      [movedPoll, movedPoll, feedAt('https://c.example/', 301)],
      DAY,
      undefined,
    ],
    [
      'rule 24: an alternating target is never stored',
      [movedPoll, unmovedPoll, movedPoll, unmovedPoll, movedPoll, unmovedPoll],
      DAY,
      undefined,
    ],
    ['rule 25: 302 is never stored', times(9, feedAt(NEW, 302)), DAY, undefined],
    ['rule 25: 303 is never stored', times(9, feedAt(NEW, 303)), DAY, undefined],
    ['rule 25: 307 is never stored', times(9, feedAt(NEW, 307)), DAY, undefined],
    ['rule 25: one temporary hop among permanent ones is enough', times(9, feedAt(NEW, 301, 302)), DAY, undefined],
    ['rule 26: a page is never stored', times(9, { ...movedPoll, isFeed: false }), DAY, undefined],
    [
      'rule 26: a page in between resets',
      [movedPoll, movedPoll, { ...movedPoll, isFeed: false }, movedPoll],
      DAY,
      undefined,
    ],
    ['to another site without known entries are held', times(9, { ...movedPoll, window: 'strange' }), DAY, undefined],
    [
      'are still held if no window was read',
      [{ ...movedPoll, window: 'strange' }, ...times(9, movedPoll)],
      DAY,
      undefined,
    ],
    [
      'are accepted once a known entry appears there',
      [{ ...movedPoll, window: 'strange' }, ...times(3, { ...movedPoll, window: 'known' })],
      DAY,
      NEW,
    ],
    ['ignore the fragment of the address', times(3, feedAt(`${NEW}#top`, 301)), DAY, NEW],
  ])('%s', (_, arrivals, everyMs, expected) => {
    expect(addressAfter(arrivals, everyMs)).toBe(expected)
  })
  it('leave no state where there are none, or once they are accepted', () => {
    expect(redirectStateAfter(undefined, unmovedPoll, 0)).toEqual({})
    expect(redirectStateAfter({ to: address(NEW), times: 2, sinceAt: 0 }, movedPoll, DAY)).toEqual({ moveTo: NEW })
  })
})
