import { describe, expect, it } from 'vitest'
import { DAY, type Failure, HOUR, MINUTE } from '../model/index.ts'
import { articleQueuePauseMs, createHostQueue, pageDirectives, pageRetryAt } from './index.ts'

describe('robots directives of a page', () => {
  it.each<[string | undefined, string[], string]>([
    [undefined, [], ''],
    ['', ['index, follow', 'max-snippet:-1'], ''],
    ['noindex', [], 'noindex'],
    ['NOINDEX, NOFOLLOW', [], 'noindex'],
    ['none', [], 'noindex'],
    ['noarchive', [], 'noarchive'],
    ['nocache', [], 'noarchive'],
    [undefined, ['noindex'], 'noindex'],
    [undefined, ['follow', 'noarchive,noindex'], 'noindex noarchive'],
    ['googlebot: noindex', [], ''],
    ['googlebot: noindex, nofollow, freshet: noarchive', [], 'noarchive'],
    ['noarchive, otherbot: noindex', [], 'noarchive'],
    ['freshet: noindex, noarchive', [], 'noindex noarchive'],
    ['*: noindex', [], 'noindex'],
    ['unavailable_after: 25 Jun 2010 15:00:00 PST, noindex', [], 'noindex'],
    ['max-snippet: 20, noarchive', [], 'noarchive'],
    ['nosnippet, noimageindex, notranslate', ['noindexed'], ''],
    [`${'x,'.repeat(20_000)}noindex`, [], ''],
  ])('%j and %j: %s', (header, metas, expected) => {
    const { noIndex, noArchive } = pageDirectives(header, metas)
    expect([noIndex && 'noindex', noArchive && 'noarchive'].filter(Boolean).join(' ')).toBe(expected)
  })
})

describe('retries of a page', () => {
  const http = (status: number, retryAfterMs?: number): Failure => ({
    kind: 'http',
    status,
    ...(retryAfterMs && { retryAfterMs }),
  })
  /** The waits until there is no more retry. */
  function waits(failure: Failure): number[] {
    const found: number[] = []
    for (let failures = 0; ; failures++) {
      const at = pageRetryAt(failure, failures, 0, 0)
      if (at === undefined) return found
      found.push(at)
    }
  }

  it.each<[Failure, number[]]>([
    [http(404), [DAY]],
    [http(403), [DAY]],
    [http(410), []],
    [http(503), [HOUR, 6 * HOUR, DAY, 3 * DAY, 7 * DAY]],
    [http(429), [HOUR, 6 * HOUR, DAY, 3 * DAY, 7 * DAY]],
    [http(503, 2 * DAY), [2 * DAY, 2 * DAY, 2 * DAY, 3 * DAY, 7 * DAY]],
    [{ kind: 'timeout' }, [HOUR, 6 * HOUR, DAY, 3 * DAY, 7 * DAY]],
    [{ kind: 'not-a-page' }, [DAY]],
    [{ kind: 'forbidden-by-robots' }, []],
    [{ kind: 'forbidden-by-page' }, []],
    [{ kind: 'forbidden-address' }, []],
  ])('after %j: %j', (failure, expected) => expect(waits(failure)).toEqual(expected))

  it('have jitter', () => {
    expect(pageRetryAt(http(404), 0, 0, 0.5)).toBe(DAY + DAY / 20)
  })

  it('wait longer each time for a root that does not answer, up to a day', () => {
    expect([0, 1, 2, 5, 40].map(articleQueuePauseMs)).toEqual([0, MINUTE, 2 * MINUTE, 16 * MINUTE, DAY])
  })
})

describe('low priority requests', () => {
  it('get the slot if nobody is queued, with the usual gap', () => {
    const hostQueue = createHostQueue({ gapMs: 1000 })
    expect(hostQueue.acquireIfIdle(['a'], 0)).toEqual({ kind: 'go' })
    expect(hostQueue.acquireIfIdle(['a'], 10).kind).toBe('wait')
    hostQueue.release('a', 100)
    expect(hostQueue.acquireIfIdle(['a'], 500)).toEqual({ kind: 'wait', until: 1100 })
    expect(hostQueue.acquireIfIdle(['a'], 1100)).toEqual({ kind: 'go' })
  })

  it('yield to all others, even later ones', () => {
    const hostQueue = createHostQueue({ gapMs: 1000 })
    hostQueue.acquireIfIdle(['a'], 0)
    expect(hostQueue.acquire(['a'], 'feed 1', 10)).toMatchObject({ kind: 'wait' })
    hostQueue.release('a', 100)
    expect(hostQueue.acquireIfIdle(['a'], 1100).kind).toBe('wait')
    const turn = hostQueue.acquire(['a'], 'feed 1', 1200)
    expect(turn.kind).toBe('go')
    expect(hostQueue.acquire(['a'], 'feed 2', 1200).kind).toBe('wait')
    hostQueue.release('a', 1300)
    const admission = hostQueue.acquireIfIdle(['a'], 2300)
    expect(admission.kind).toBe('wait')
    expect(hostQueue.acquire(['a'], 'feed 2', 2400)).toEqual({ kind: 'go' })
    hostQueue.release('a', 2500)
    expect(hostQueue.acquireIfIdle(['a'], 3500)).toEqual({ kind: 'go' })
  })

  it('respect a pause', () => {
    const hostQueue = createHostQueue({ gapMs: 1000 })
    hostQueue.pause({ root: 'a', notBeforeAt: 9000, strikes: 1 })
    expect(hostQueue.acquireIfIdle(['a'], 0)).toEqual({ kind: 'wait', until: 9000 })
    expect(hostQueue.acquireIfIdle(['a'], 9000)).toEqual({ kind: 'go' })
  })

  it('are not blocked by an abandoned turn', () => {
    const hostQueue = createHostQueue({ gapMs: 1000 })
    hostQueue.acquire(['a'], 'feed 1', 0)
    hostQueue.acquire(['a'], 'feed 2', 0)
    hostQueue.release('a', 10)
    expect(hostQueue.acquireIfIdle(['a'], 2000).kind).toBe('wait')
    expect(hostQueue.acquireIfIdle(['a'], 10 * MINUTE)).toEqual({ kind: 'go' })
  })
})
