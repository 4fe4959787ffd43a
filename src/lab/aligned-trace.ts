/**
 * Traces on a common clock. Each feed's history is shifted by whole weeks, so that all begin on the same Monday and
 * keep their hours and weekdays. The replayed weeks of a long history are chosen at random, seeded by the feed's name,
 * so that they do not depend on the other feeds of the file. The first polls are spread over the first hour.
 */
import { DAY, HOUR, type Instant, type Millis } from '../model/index.ts'
import { countUpTo } from './instants.ts'
import type { Trace } from './traces/trace.ts'
import { seededRandom } from './village/seeded-random.ts'

/** A feed as the lab replays it. */
export interface AlignedTrace {
  feed: string
  kind: string
  window: number
  bytes?: number
  /** Ascending; from the entries that the first poll shows to the end. */
  published: Float64Array
  firstAt: Instant
  /** Number of entries that the first poll shows. */
  known: number
}

/** The replayed time: a warm-up in which strategies learn, and the scored period. */
export interface ReplayPlan {
  startAt: Instant
  scoreAt: Instant
  endAt: Instant
}

export const WEEK: Millis = 7 * DAY
/** An arbitrary Monday. */
const MONDAY: Instant = Date.UTC(2024, 0, 1)
/** A history may begin this long before its first entry. */
const EARLY_MS = 3 * DAY

export function planOf(warmupMs: Millis, scoreMs: Millis): ReplayPlan {
  return { startAt: MONDAY, scoreAt: MONDAY + warmupMs, endAt: MONDAY + warmupMs + scoreMs }
}

/** Undefined if the history is shorter than the plan. */
export function alignTrace(trace: Trace, plan: ReplayPlan, seed: number): AlignedTrace | undefined {
  const { published } = trace
  const chance = seededRandom(seed, trace.feed)
  const earliest = published[0] ?? 0
  const latest = (published.at(-1) ?? 0) - (plan.endAt - plan.startAt)
  if (latest < earliest) return undefined
  const start = earliest + chance.next() * (latest - earliest)
  let weeks = Math.floor((start - plan.startAt) / WEEK)
  const beginsAt = () => plan.startAt + weeks * WEEK
  if (beginsAt() < earliest - EARLY_MS && beginsAt() + WEEK <= latest) weeks++
  const firstAt = plan.startAt + Math.floor(chance.next() * HOUR)
  return laidOut(trace, plan, firstAt, weeks * WEEK)
}

/** The entries within the plan, shifted back by `movedMs`. */
export function laidOut(trace: Trace, { endAt }: ReplayPlan, firstAt: Instant, movedMs: Millis): AlignedTrace {
  const { feed, kind, window, bytes } = trace
  const firstShown = countUpTo(trace.published, firstAt + movedMs)
  const from = Math.max(0, firstShown - window)
  const published = trace.published
    .slice(from, countUpTo(trace.published, endAt + movedMs - 1))
    .map((at) => at - movedMs)
  return { feed, kind, window, published, firstAt, known: firstShown - from, ...(bytes !== undefined && { bytes }) }
}

/** Copies the traces to memory shared by all threads. */
export function toSharedMemory(alignedTraces: AlignedTrace[]): AlignedTrace[] {
  const items = alignedTraces.reduce((sum, { published }) => sum + published.length, 0)
  const buffer = new SharedArrayBuffer(Math.max(8, items * Float64Array.BYTES_PER_ELEMENT))
  let from = 0
  return alignedTraces.map((alignedTrace) => {
    const published = new Float64Array(buffer, from * Float64Array.BYTES_PER_ELEMENT, alignedTrace.published.length)
    published.set(alignedTrace.published)
    from += published.length
    return { ...alignedTrace, published }
  })
}
