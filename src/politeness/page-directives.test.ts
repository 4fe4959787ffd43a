import { describe, expect, it } from 'vitest'
import { DAY, type Failure, HOUR, MINUTE } from '../model/index.ts'
import { createPace, lineRestMs, pageDirectives, pageRetryAt } from './index.ts'

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
    expect([0, 1, 2, 5, 40].map(lineRestMs)).toEqual([0, MINUTE, 2 * MINUTE, 16 * MINUTE, DAY])
  })
})

describe('low priority requests', () => {
  it('get the slot if nobody is queued, with the usual gap', () => {
    const pace = createPace({ gapMs: 1000 })
    expect(pace.enterLast(['a'], 0)).toEqual({ kind: 'go' })
    expect(pace.enterLast(['a'], 10).kind).toBe('wait')
    pace.leave('a', 100)
    expect(pace.enterLast(['a'], 500)).toEqual({ kind: 'wait', until: 1100 })
    expect(pace.enterLast(['a'], 1100)).toEqual({ kind: 'go' })
  })

  it('yield to all others, even later ones', () => {
    const pace = createPace({ gapMs: 1000 })
    pace.enterLast(['a'], 0)
    expect(pace.enter(['a'], 'feed 1', 10)).toMatchObject({ kind: 'wait' })
    pace.leave('a', 100)
    expect(pace.enterLast(['a'], 1100).kind).toBe('wait')
    const turn = pace.enter(['a'], 'feed 1', 1200)
    expect(turn.kind).toBe('go')
    expect(pace.enter(['a'], 'feed 2', 1200).kind).toBe('wait')
    pace.leave('a', 1300)
    const asked = pace.enterLast(['a'], 2300)
    expect(asked.kind).toBe('wait')
    expect(pace.enter(['a'], 'feed 2', 2400)).toEqual({ kind: 'go' })
    pace.leave('a', 2500)
    expect(pace.enterLast(['a'], 3500)).toEqual({ kind: 'go' })
  })

  it('respect a pause', () => {
    const pace = createPace({ gapMs: 1000 })
    pace.rest({ root: 'a', notBeforeAt: 9000, strikes: 1 })
    expect(pace.enterLast(['a'], 0)).toEqual({ kind: 'wait', until: 9000 })
    expect(pace.enterLast(['a'], 9000)).toEqual({ kind: 'go' })
  })

  it('are not blocked by an abandoned turn', () => {
    const pace = createPace({ gapMs: 1000 })
    pace.enter(['a'], 'feed 1', 0)
    pace.enter(['a'], 'feed 2', 0)
    pace.leave('a', 10)
    expect(pace.enterLast(['a'], 2000).kind).toBe('wait')
    expect(pace.enterLast(['a'], 10 * MINUTE)).toEqual({ kind: 'go' })
  })
})
