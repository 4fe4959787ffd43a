import { describe, expect, it } from 'vitest'
import { address } from '../model/address.fixture.ts'
import { DAY, type Failure, HOUR, MINUTE, SECOND } from '../model/index.ts'
import {
  backoffUntil,
  createHostQueue,
  hostPauseAfter,
  hostSlotsOf,
  restMs,
  retryAfterMs,
  rootOf,
  tenantOf,
} from './index.ts'

describe('the root of an address', () => {
  it.each([
    ['https://news.example.co.uk/feed', 'example.co.uk'],
    ['http://EXAMPLE.org:8080/', 'example.org'],
    ['http://anna.github.io/atom.xml', 'github.io'],
    ['http://gazette.localhost:4041/', 'gazette.localhost'],
    ['http://www.gazette.localhost/', 'gazette.localhost'],
    ['http://127.0.0.1/', '127.0.0.1'],
    ['http://[::1]:99/', '[::1]'],
    ['http://intranet/', 'intranet'],
  ])('of %s is %s', (url, root) => {
    expect(rootOf(address(url))).toBe(root)
  })
})

describe('the tenant of an address', () => {
  it.each([
    ['https://news.example.co.uk/feed', 'example.co.uk', ['example.co.uk']],
    ['http://anna.github.io/atom.xml', 'anna.github.io', ['github.io', 'anna.github.io']],
    ['http://www.anna.github.io/', 'anna.github.io', ['github.io', 'anna.github.io']],
    ['https://shop.anna.workers.dev/', 'anna.workers.dev', ['workers.dev', 'anna.workers.dev']],
    ['https://github.io/', 'github.io', ['github.io']],
    ['http://[::1]:99/', '[::1]', ['[::1]']],
  ])('of %s is %s, with the slots %s', (url, tenant, slots) => {
    expect(tenantOf(address(url))).toBe(tenant)
    expect(hostSlotsOf(tenant)).toEqual(slots)
  })
})

describe('backoff', () => {
  const now = 1000 * DAY
  const unreachable: Failure = { kind: 'unreachable' }
  const wait = (failure: Failure, before: number, chance = 0) => backoffUntil(failure, before, now, chance) - now

  it('doubles from ten minutes to a day and stays there', () => {
    expect([0, 1, 2, 3].map((n) => wait(unreachable, n) / MINUTE)).toEqual([10, 20, 40, 80])
    expect(wait(unreachable, 20)).toBe(DAY)
    expect(wait(unreachable, 100_000)).toBe(DAY)
  })
  it('respects Retry-After', () => {
    expect(wait({ kind: 'http', status: 503, retryAfterMs: 7 * DAY }, 0)).toBe(7 * DAY)
  })
  it('is not shortened by Retry-After', () => {
    expect(wait({ kind: 'http', status: 503, retryAfterMs: SECOND }, 3)).toBe(80 * MINUTE)
  })
  it('has jitter', () => {
    const waits = [0, 0.25, 0.5, 0.75].map((chance) => wait(unreachable, 2, chance))
    expect(new Set(waits).size).toBe(4)
    expect(Math.max(...waits)).toBeLessThanOrEqual(50 * MINUTE)
  })
  it('is long where the answer is unlikely to change', () => {
    expect(wait({ kind: 'http', status: 410 }, 0)).toBe(7 * DAY)
    expect(wait({ kind: 'forbidden-by-robots' }, 0)).toBe(DAY)
  })
})

describe('response headers', () => {
  const now = Date.parse('2026-11-15T12:00:00Z')
  it.each([
    ['max-age minus age', { 'cache-control': 'public, max-age=7200', age: '600' }, 6600 * SECOND],
    ['Expires without max-age', { expires: 'Sun, 15 Nov 2026 13:00:00 GMT' }, HOUR],
    [
      "Expires by the server's clock",
      { expires: 'Sun, 15 Nov 2026 13:00:00 GMT', date: 'Sun, 15 Nov 2026 12:30:00 GMT' },
      HOUR / 2,
    ],
    ['max-age before Expires', { 'cache-control': 'max-age=60', expires: 'Sun, 15 Nov 2026 13:00:00 GMT' }, MINUTE],
    ['none with no-cache', { 'cache-control': 'no-cache, max-age=600' }, 0],
    ['none with max-age=0', { 'cache-control': 'max-age=0' }, 0],
    ['ignores s-maxage', { 'cache-control': 's-maxage=600' }, 0],
    ['ignores an Expires in the past or not a date', { expires: '-1' }, 0],
    ['at most a day', { 'cache-control': 'max-age=31536000' }, DAY],
    ['none if age exceeds max-age', { 'cache-control': 'max-age=60', age: '999' }, 0],
    ['none without headers', {}, 0],
  ])('freshness of %s', (_, headers, expected) => {
    expect(restMs(headers as Record<string, string>, now)).toBe(expected)
  })
  it.each([
    ['120', 120 * SECOND],
    ['Sun, 15 Nov 2026 12:10:00 GMT', 10 * MINUTE],
    ['Sunday, 15-Nov-26 12:10:00 GMT', 10 * MINUTE],
    ['Sun Nov 15 12:10:00 2026', 10 * MINUTE],
    ['Sun, 15 Nov 2026 11:00:00 GMT', 0],
    ['604800', 7 * DAY],
    ['soon', undefined],
    ['', undefined],
  ])('Retry-After: %s', (value, expected) => {
    expect(retryAfterMs({ 'retry-after': value }, now)).toBe(expected)
  })
})

describe('pauses of a host', () => {
  const tooMany: Failure = { kind: 'http', status: 429 }
  it('last as long as requested, else longer each time', () => {
    const first = hostPauseAfter(undefined, 'a.example', { ...tooMany, retryAfterMs: 3 * HOUR }, 0, 0)
    expect(first).toMatchObject({ root: 'a.example', notBeforeAt: 3 * HOUR, strikes: 1 })
    const second = hostPauseAfter(first, 'a.example', tooMany, 4 * HOUR, 0)
    expect(second).toMatchObject({ notBeforeAt: 4 * HOUR + 10 * MINUTE, strikes: 2 })
  })
  it('do not follow from a missing feed or a server error', () => {
    for (const status of [404, 403, 500, 503])
      expect(hostPauseAfter(undefined, 'a', { kind: 'http', status }, 0, 0)).toBeUndefined()
    expect(hostPauseAfter(undefined, 'a', { kind: 'timeout' }, 0, 0)).toBeUndefined()
  })
  it('are reset by one success afterwards', () => {
    const resting = { root: 'a', notBeforeAt: HOUR, strikes: 2 }
    expect(hostPauseAfter(resting, 'a', undefined, HOUR / 2, 0)).toBeUndefined()
    expect(hostPauseAfter(resting, 'a', undefined, HOUR, 0)).toMatchObject({ strikes: 0 })
    expect(hostPauseAfter(undefined, 'a', undefined, HOUR, 0)).toBeUndefined()
  })
})

describe('the host queue', () => {
  const gapMs = 2000
  it('admits one request, and the next a gap after it has ended', () => {
    const hostQueue = createHostQueue({ gapMs })
    expect(hostQueue.acquire(['a'], 'x', 0)).toEqual({ kind: 'go' })
    expect(hostQueue.acquire(['a'], 'y', 100)).toMatchObject({ kind: 'wait' })
    hostQueue.release('a', 500)
    expect(hostQueue.acquire(['a'], 'y', 1000)).toMatchObject({ kind: 'wait' })
    expect(hostQueue.freeAt('a', 1000)).toBe(2500)
    expect(hostQueue.acquire(['a'], 'y', 4000)).toEqual({ kind: 'go' })
  })
  it('keeps roots independent', () => {
    const hostQueue = createHostQueue({ gapMs })
    expect([hostQueue.acquire(['a'], 'x', 0), hostQueue.acquire(['b'], 'y', 0)]).toEqual([
      { kind: 'go' },
      { kind: 'go' },
    ])
  })
  it('assigns a hundred waiting requests a hundred turns, a gap apart, and keeps them', () => {
    const hostQueue = createHostQueue({ gapMs })
    hostQueue.acquire(['a'], 'first', 0)
    hostQueue.release('a', 0)
    const turns = Array.from({ length: 100 }, (_, i) => hostQueue.acquire(['a'], `v${i}`, 1))
    const dates = turns.map((t) => (t.kind === 'wait' ? t.until : Number.NaN))
    expect(dates).toEqual(Array.from({ length: 100 }, (_, i) => (i + 1) * gapMs))
    expect(hostQueue.acquire(['a'], 'newcomer', gapMs)).toEqual({ kind: 'wait', until: 101 * gapMs })
    for (const [i, at] of dates.entries()) {
      expect(hostQueue.acquire(['a'], `v${i}`, at)).toEqual({ kind: 'go' })
      hostQueue.release('a', at)
    }
  })
  it('admits nothing while the root is paused', () => {
    const hostQueue = createHostQueue({ gapMs })
    hostQueue.pause({ root: 'a', notBeforeAt: HOUR, strikes: 1 })
    expect(hostQueue.acquire(['a'], 'x', 0)).toEqual({ kind: 'wait', until: HOUR })
    expect(hostQueue.acquire(['a'], 'y', 0)).toEqual({ kind: 'wait', until: HOUR + gapMs })
    expect(hostQueue.acquire(['a'], 'x', HOUR)).toEqual({ kind: 'go' })
  })
  it('is not blocked by a request that never took its turn', () => {
    const hostQueue = createHostQueue({ gapMs })
    hostQueue.acquire(['a'], 'x', 0)
    hostQueue.acquire(['a'], 'removed meanwhile', 0)
    hostQueue.release('a', 0)
    expect(hostQueue.acquire(['a'], 'y', DAY)).toEqual({ kind: 'go' })
  })

  it('grants all slots of a request or none, and keeps its place in each queue', () => {
    const hostQueue = createHostQueue({ gapMs })
    expect(hostQueue.acquire(['b'], 'first', 0)).toEqual({ kind: 'go' })
    expect(hostQueue.acquire(['a', 'b'], 'x', 0)).toEqual({ kind: 'wait', until: gapMs })
    expect(hostQueue.acquire(['a'], 'y', 1)).toEqual({ kind: 'go' }) // the free slot stays available to others
    hostQueue.release('b', 10)
    expect(hostQueue.acquire(['b'], 'late', 20)).toMatchObject({ kind: 'wait' })
    hostQueue.release('a', 30)
    const turn = hostQueue.acquire(['a', 'b'], 'x', gapMs)
    if (turn.kind !== 'wait') throw new Error('a was left a moment ago')
    expect(hostQueue.acquire(['a', 'b'], 'x', turn.until)).toEqual({ kind: 'go' })
    expect(hostQueue.acquire(['a'], 'z', turn.until + 5 * gapMs).kind).toBe('wait')
    expect(hostQueue.acquire(['b'], 'late', turn.until + 5 * gapMs).kind).toBe('wait')
  })
})

it('searches a site without a feed again after an hour, backing off to a month', () => {
  const after = (failures: number) => backoffUntil({ kind: 'no-feed-found' }, failures, 0, 0)
  expect([0, 1, 5, 9, 20].map(after)).toEqual([HOUR, 2 * HOUR, 32 * HOUR, 512 * HOUR, 30 * DAY])
})
