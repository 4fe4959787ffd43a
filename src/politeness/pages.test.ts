import { describe, expect, it } from 'vitest'
import { DAY, type Failure, HOUR, MINUTE } from '../model/index.ts'
import { createPace, lineRestMs, pageDirectives, pageRetryAt } from './index.ts'

describe('what a page asks of crawlers', () => {
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

describe('when a page is asked for again', () => {
  const http = (status: number, retryAfterMs?: number): Failure => ({
    kind: 'http',
    status,
    ...(retryAfterMs && { retryAfterMs }),
  })
  /** The waits, until it is not asked for again. */
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

  it('spreads those who failed together', () => {
    expect(pageRetryAt(http(404), 0, 0, 0.5)).toBe(DAY + DAY / 20)
  })

  it('leaves a root that does not answer alone, for longer each time, up to a day', () => {
    expect([0, 1, 2, 5, 40].map(lineRestMs)).toEqual([0, MINUTE, 2 * MINUTE, 16 * MINUTE, DAY])
  })
})

describe('pages at a root’s door', () => {
  it('go in when nobody waits there, with a gap like everybody', () => {
    const pace = createPace({ gapMs: 1000 })
    expect(pace.enterLast(['a'], 0)).toEqual({ kind: 'go' })
    expect(pace.enterLast(['a'], 10).kind).toBe('wait')
    pace.leave('a', 100)
    expect(pace.enterLast(['a'], 500)).toEqual({ kind: 'wait', until: 1100 })
    expect(pace.enterLast(['a'], 1100)).toEqual({ kind: 'go' })
  })

  it('let all others go first, also those who come later', () => {
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

  it('respect a rest', () => {
    const pace = createPace({ gapMs: 1000 })
    pace.rest({ root: 'a', notBeforeAt: 9000, strikes: 1 })
    expect(pace.enterLast(['a'], 0)).toEqual({ kind: 'wait', until: 9000 })
    expect(pace.enterLast(['a'], 9000)).toEqual({ kind: 'go' })
  })

  it('are not kept out by a turn that nobody came to', () => {
    const pace = createPace({ gapMs: 1000 })
    pace.enter(['a'], 'feed 1', 0)
    pace.enter(['a'], 'feed 2', 0)
    pace.leave('a', 10)
    expect(pace.enterLast(['a'], 2000).kind).toBe('wait')
    expect(pace.enterLast(['a'], 10 * MINUTE)).toEqual({ kind: 'go' })
  })
})
