/** What is wrong with a feed, and what to do. */
import { expect, test } from 'vitest'
import { adviceFor } from './advice.ts'
import type { FeedRow } from './feed-rows.ts'

const row = (details: Partial<FeedRow['details']>, more: Partial<FeedRow> = {}): FeedRow => ({
  id: 1,
  feedId: 1,
  title: 'Tides',
  url: 'https://tides.example/feed',
  unread: 0,
  addedAt: '2026-01-01T00:00:00.000Z',
  state: 'active',
  readers: 1,
  ...(details.trouble && { failing: true as const }),
  ...more,
  details: { perWeek: 0, strategy: 'tide', failures: 0, editable: true, ...details },
})
const http = (status: number) => row({ trouble: { kind: 'http', status, words: `the server answered ${status}` } })

test.each([
  ['a missing page', http(404), /no longer exists/, /Find the feed/, true],
  ['a feed that is gone', row({}, { state: 'gone' }), /removed for good/, /Find the feed/, true],
  [
    'a page in place of the feed',
    row({ trouble: { kind: 'not-a-feed', words: 'x' } }),
    /web page/,
    /Find the feed/,
    true,
  ],
  ['a login', http(401), /user name and password/, /Edit the address/, false],
  ['a refusal', http(403), /answered 403 \(forbidden\)\./, /may refuse feed readers/, true],
  ['too many requests', http(429), /too many requests/, /tries again by itself/, false],
  ['a server error', http(503), /answered 503 \(service unavailable\)\./, /tries again by itself/, false],
  [
    'an unreachable server',
    row({ trouble: { kind: 'unreachable', words: 'no answer' } }),
    /The server could not be reached\./,
    /may be closed/,
    true,
  ],
  ['a successor', row({ successorUrl: 'https://new.example/' }), /https:\/\/new\.example\//, /Compare/, false],
  ['silence', row({ silent: true, lastEntryAt: '2026-01-01T00:00:00.000Z' }), /longer than usual/, /works/, true],
])('is said of %s', (_, of, problem, advice, hasMoved) => {
  const given = adviceFor(of)
  expect(given.problem).toMatch(problem)
  expect(given.advice).toMatch(advice)
  expect(given.hasMoved).toBe(hasMoved)
})
