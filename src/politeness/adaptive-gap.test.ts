import { describe, expect, it } from 'vitest'
import { DAY, type Failure, HOUR, type Instant, MINUTE, SECOND } from '../model/index.ts'
import { type AdaptiveGap, createHostQueue, factorAt, gapAfter } from './index.ts'

const http = (status: number, retryAfterMs?: number): Failure => ({
  kind: 'http',
  status,
  ...(retryAfterMs !== undefined && { retryAfterMs }),
})

/** The factor after these failures (`undefined`: success), an hour apart. */
function factorAfter(failures: (Failure | undefined)[], everyMs = HOUR): number {
  let adaptiveGap: AdaptiveGap | undefined
  let at = 1000 * DAY
  for (const failure of failures) {
    at += everyMs
    const after = gapAfter(adaptiveGap, failure, at)
    if (after) adaptiveGap = JSON.parse(JSON.stringify(after))
  }
  return factorAt(adaptiveGap, at)
}

describe('rule 18: the adaptive gap', () => {
  it.each<[string, (Failure | undefined)[], number]>([
    ['has the default at first', [], 1],
    ['doubles with 429', [http(429)], 2],
    ['doubles with 503', [http(503)], 2],
    ['doubles with any Retry-After', [http(500, HOUR)], 2],
    ['ignores unrelated failures', [http(500), http(404), { kind: 'timeout' }], 1],
    ['ignores one private feed', [http(403), undefined, http(403), undefined, http(403), undefined], 1],
    ['doubles when everything is forbidden', [http(403), http(403), http(403)], 2],
  ])('%s', (_, failures, expected) => {
    expect(factorAfter(failures)).toBeCloseTo(expected, 1)
  })
  it('has a maximum', () => {
    expect(factorAfter(Array.from({ length: 50 }, () => http(429)))).toBe(32)
  })
  it('counts failures in quick succession once', () => {
    expect(
      factorAfter(
        Array.from({ length: 9 }, () => http(503)),
        SECOND,
      ),
    ).toBeCloseTo(2, 2)
  })
  it('shrinks by a fifth per day without refusals, down to the default', () => {
    const adaptiveGap: AdaptiveGap = { factor: 10, calmAt: 0, refusals: 0 }
    expect([0, 1, 2].map((days) => factorAt(adaptiveGap, days * DAY))).toEqual(
      [10, 8, 6.4].map((n) => expect.closeTo(n, 6)),
    )
    expect(factorAt(adaptiveGap, 11 * DAY)).toBe(1)
    expect(factorAt(undefined, 0)).toBe(1)
  })
  it('rule 17: does not shrink during a requested pause', () => {
    const adaptiveGap = gapAfter(undefined, http(429, 7 * DAY), 0)
    expect(factorAt(adaptiveGap, 7 * DAY)).toBe(2)
    expect(factorAt(adaptiveGap, 8 * DAY)).toBeCloseTo(1.6)
  })
  it('says when nothing has to be stored', () => {
    expect(gapAfter(undefined, undefined, 0)).toBeUndefined()
    expect(gapAfter({ factor: 2, calmAt: 0, refusals: 0 }, undefined, 9)).toBeUndefined()
    expect(gapAfter({ factor: 2, calmAt: 0, refusals: 1 }, undefined, 9)).toEqual({
      factor: 2,
      calmAt: 0,
      refusals: 0,
    })
  })
})

describe('the host queue with learned gaps', () => {
  const gapMs = 2 * SECOND
  /** Takes the slot at 0 and returns when it is free again. */
  const nextAfterVisit = (hostQueue: ReturnType<typeof createHostQueue>, root = 'a') => {
    hostQueue.acquire([root], 'first', 0)
    hostQueue.release(root, 0)
    return hostQueue.freeAt(root, 0)
  }

  it('rule 18: leaves a longer gap where a root asked us to slow down', () => {
    const hostQueue = createHostQueue({ gapMs })
    hostQueue.setGapState('a', { adaptiveGap: { factor: 4, calmAt: 0, refusals: 0 } })
    expect([nextAfterVisit(hostQueue), nextAfterVisit(hostQueue, 'b')]).toEqual([4 * gapMs, gapMs])
    expect(hostQueue.gapMs('a', DAY)).toBe(Math.ceil(gapMs * 3.2))
    hostQueue.setGapState('a', {})
    expect(hostQueue.gapMs('a', 0)).toBe(gapMs)
  })
  it('rule 43: leaves at least the Crawl-delay', () => {
    const hostQueue = createHostQueue({ gapMs })
    hostQueue.setGapState('a', { crawlDelay: { ms: 5 * SECOND, until: DAY } })
    hostQueue.setGapState('b', { crawlDelay: { ms: SECOND, until: DAY } })
    expect([nextAfterVisit(hostQueue), nextAfterVisit(hostQueue, 'b')]).toEqual([5 * SECOND, gapMs])
    expect(hostQueue.gapMs('a', DAY)).toBe(gapMs)
  })
  it('rule 20: does not delay exempt roots, unless they ask for a pause', () => {
    const hostQueue = createHostQueue({ gapMs, isExempt: (root) => root === 'mine' })
    expect([1, 2, 3].map((n) => hostQueue.acquire(['mine'], `v${n}`, 0).kind)).toEqual(['go', 'go', 'go'])
    expect(hostQueue.gapMs('mine', 0)).toBe(0)
    hostQueue.pause({ root: 'mine', notBeforeAt: HOUR, strikes: 1 })
    expect(hostQueue.acquire(['mine'], 'x', 1)).toEqual({ kind: 'wait', until: HOUR })
    expect(hostQueue.acquire(['mine'], 'y', 1)).toEqual({ kind: 'wait', until: HOUR })
    expect([hostQueue.acquire(['mine'], 'y', HOUR).kind, hostQueue.acquire(['mine'], 'x', HOUR).kind]).toEqual([
      'go',
      'go',
    ])
  })
  it('rule 21: adds jitter to turns, never shortening the gap', () => {
    const draws = [0.9, 0.1, 0.5, 0]
    const hostQueue = createHostQueue({ gapMs, random: () => draws.shift() ?? 0 })
    hostQueue.acquire(['a'], 'first', 0)
    hostQueue.release('a', 0)
    const turns = ['p', 'q', 'r', 's'].map((visitor) => hostQueue.acquire(['a'], visitor, 0))
    expect(turns.map((turn) => (turn.kind === 'wait' ? turn.until : 0))).toEqual([2450, 4500, 6750, 8750])
  })
  it('rule 35: keeps the order of waiting requests when the root is paused', () => {
    const hostQueue = createHostQueue({ gapMs })
    hostQueue.acquire(['a'], 'first', 0)
    hostQueue.release('a', 0)
    for (const visitor of ['p', 'q', 'r']) hostQueue.acquire(['a'], visitor, 0)
    hostQueue.pause({ root: 'a', notBeforeAt: 2 * MINUTE, strikes: 1 })
    const again = ['r', 'p', 'q'].map((visitor) => hostQueue.acquire(['a'], visitor, MINUTE))
    expect(again.map((turn) => (turn.kind === 'wait' ? turn.until - 2 * MINUTE : 0))).toEqual([2 * gapMs, 0, gapMs])
  })

  it.each([
    ['quick', 10, 500],
    ['slow', 40, 10 * SECOND],
  ])('rule 35: gives the visitors of a %s root about the same number of visits', (_, visitors, longestMs) => {
    const { visits, gaps } = simulateVisitors({ visitors, longestMs, steps: 20_000, gapMs })
    expect(Math.min(...visits)).toBeGreaterThan(50)
    expect(Math.max(...visits) - Math.min(...visits)).toBeLessThanOrEqual(4)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(gapMs)
  })
})

/** Visitors that queue again as soon as they are done, with requests of any duration up to `longestMs`. */
function simulateVisitors({
  visitors,
  longestMs,
  steps,
  gapMs,
}: Record<'visitors' | 'longestMs' | 'steps' | 'gapMs', number>) {
  const random = drawing(7)
  const hostQueue = createHostQueue({ gapMs, random })
  const comesAt = Array.from({ length: visitors }, () => 0)
  const visits = comesAt.map(() => 0)
  const gaps: number[] = []
  let inside: { who: number; until: Instant } | undefined
  let leftAt = Number.NEGATIVE_INFINITY
  for (let step = 0; step < steps; step++) {
    const who = comesAt.indexOf(Math.min(...comesAt))
    const now = comesAt[who]!
    if (inside && inside.until <= now) {
      leftAt = inside.until
      hostQueue.release('a', leftAt)
      comesAt[inside.who] = leftAt
      inside = undefined
      continue
    }
    const turn = hostQueue.acquire(['a'], `v${who}`, now)
    if (turn.kind === 'go') {
      visits[who]!++
      gaps.push(now - leftAt)
      inside = { who, until: now + Math.floor(random() * longestMs) }
    }
    comesAt[who] = turn.kind === 'go' ? Number.POSITIVE_INFINITY : turn.until
  }
  return { visits, gaps }
}

/** Reproducible random numbers. */
function drawing(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}
