import { describe, expect, it, test } from 'vitest'
import { DAY, HOUR, type Instant } from '../model/index.ts'
import { alignTrace, laidOut, planOf, toSharedMemory, WEEK } from './aligned-trace.ts'
import { describeTraces } from './replay-traces.ts'
import type { Trace } from './traces/trace.ts'

const plan = planOf(14 * DAY, 21 * DAY)
const FIRST = Date.UTC(2021, 2, 3, 5)

/** An entry every `gapMs` for `days`. */
function traceOf(days: number, gapMs: number, feed = 'f'): Trace {
  const published = Float64Array.from({ length: Math.floor((days * DAY) / gapMs) + 1 }, (_, i) => FIRST + i * gapMs)
  return { feed, kind: 'news', source: '', window: 20, published }
}

const hourOfWeek = (at: Instant) => Math.floor((at % WEEK) / HOUR)

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('counts feeds of the kind "%s"', (kind) => {
  const alignedTrace = { ...alignTrace(traceOf(300, HOUR), plan, 1)!, kind }
  const { kinds } = describeTraces({ traces: [], files: [], messages: [] }, [alignedTrace, alignedTrace])
  expect(Object.entries(kinds)).toEqual([[kind, 2]])
})

describe('an aligned trace', () => {
  it('begins on a Monday at midnight', () => {
    expect(new Date(plan.startAt).toISOString()).toMatch(/T00:00:00.000Z$/)
    expect(new Date(plan.startAt).getUTCDay()).toBe(1)
  })

  it('keeps hours, weekdays and gaps', () => {
    const trace = traceOf(300, 5 * HOUR)
    const alignedTrace = alignTrace(trace, plan, 1)!
    const hours = new Set([...trace.published].map(hourOfWeek))
    for (const at of alignedTrace.published) expect(hours).toContain(hourOfWeek(at))
    for (let i = 1; i < alignedTrace.published.length; i++)
      expect(alignedTrace.published[i]! - alignedTrace.published[i - 1]!).toBe(5 * HOUR)
  })

  it('contains the entries of the first poll, and all until the end', () => {
    const { published, known, firstAt } = alignTrace(traceOf(300, 5 * HOUR), plan, 1)!
    expect(firstAt).toBeGreaterThanOrEqual(plan.startAt)
    expect(firstAt).toBeLessThan(plan.startAt + HOUR)
    expect(published.filter((at) => at <= firstAt)).toHaveLength(known)
    expect(known).toBe(20)
    expect(published.at(-1)).toBeLessThan(plan.endAt)
    expect(published.at(-1)).toBeGreaterThanOrEqual(plan.endAt - 5 * HOUR)
  })

  it("depends on the seed and the feed's name only", () => {
    const weeks = new Set(
      Array.from({ length: 20 }, (_, seed) => alignTrace(traceOf(300, 5 * HOUR), plan, seed)!.published[0]),
    )
    expect(weeks.size).toBeGreaterThan(3)
    expect(alignTrace(traceOf(300, 5 * HOUR), plan, 3)).toEqual(alignTrace(traceOf(300, 5 * HOUR), plan, 3))
    expect(alignTrace(traceOf(300, 5 * HOUR, 'another'), plan, 3)?.firstAt).not.toBe(
      alignTrace(traceOf(300, 5 * HOUR), plan, 3)?.firstAt,
    )
  })

  it('is undefined for a history that is too short', () => {
    expect(alignTrace(traceOf(34, HOUR), plan, 1)).toBeUndefined()
    expect(alignTrace(traceOf(36, HOUR), plan, 1)).toBeDefined()
  })

  it('is equal in shared memory', () => {
    const alignedTraces = [traceOf(300, 5 * HOUR), traceOf(100, DAY)].map((trace) => alignTrace(trace, plan, 1)!)
    const copies = toSharedMemory(alignedTraces)
    expect(copies).toEqual(alignedTraces)
    expect(copies[0]!.published.buffer).toBe(copies[1]!.published.buffer)
  })

  it('may keep its dates', () => {
    const trace = traceOf(10, HOUR)
    const ownPlan = { startAt: FIRST + 2 * DAY, scoreAt: FIRST + 3 * DAY, endAt: FIRST + 5 * DAY }
    const alignedTrace = laidOut(trace, ownPlan, ownPlan.startAt, 0)
    expect(alignedTrace.published[0]).toBe(ownPlan.startAt - 19 * HOUR)
    expect(alignedTrace.published.at(-1)).toBe(ownPlan.endAt - HOUR)
  })
})
