/**
 * A run of unchanged polls in some seven bytes a poll. It begins with what is needed to add another without reading them all:
 *
 *   byte    how many polls there are
 *   byte    how the newest was made, as below
 *   varint  the date of the oldest
 *   varint  milliseconds from the oldest to the newest
 *   varint  bytes of the body of the newest
 *
 * Then each poll, oldest first:
 *
 *   varint  milliseconds since the poll before it, of the first 0
 *   varint  twice what it took in milliseconds, plus 1 if a byte follows that says how it was made
 *   byte    which sameness (2 bits), how we asked (3), on which occasion (2), and whether it has a date of rest (1)
 *   varint  bytes of its body, less those of the poll before it
 *   varint  if it has one, its date of rest, less its own date
 *
 * Varints have seven bits a byte, the lowest first. All but what it took are zigzag, so that they can be negative.
 */
import type { FeedId, Instant, Millis, Poll, Sameness } from '../../model/index.ts'
import { askedColumn, askedOf, occasionColumn, occasionOf } from './poll-codes.ts'

type RunPoll = Omit<Poll, 'feedId'>

const SAMENESS = ['server', 'hash', 'titles'] as const satisfies readonly Sameness[]
const HAS_REST = 0x80

export interface RunSummary {
  count: number
  beganAt: Instant
  lastAt: Instant
  tookMs: Millis
  bytes: number
}

/** A run with one poll more, which must be an unchanged one with whole numbers (`isRunPoll`); a new run without one. */
export function withPoll(run: Uint8Array | null, poll: RunPoll): Uint8Array {
  const before = run && runHead(run)
  const { count, beganAt, lastAt, lastBytes, lastHow } = before ?? beforeFirst(poll)
  const how = howOf(poll)
  const head = [count + 1, how]
  pushVarint(head, zigzag(beganAt))
  pushVarint(head, zigzag(poll.at - beganAt))
  pushVarint(head, zigzag(poll.bytes))
  const own: number[] = []
  pushVarint(own, zigzag(poll.at - lastAt))
  pushVarint(own, poll.tookMs * 2 + (how === lastHow ? 0 : 1))
  if (how !== lastHow) own.push(how)
  pushVarint(own, zigzag(poll.bytes - lastBytes))
  if (poll.restUntil !== undefined) pushVarint(own, zigzag(poll.restUntil - poll.at))
  const others = run && before ? run.subarray(before.end) : NONE
  const longer = new Uint8Array(head.length + others.length + own.length)
  longer.set(head)
  longer.set(others, head.length)
  longer.set(own, head.length + others.length)
  return longer
}

const NONE = new Uint8Array()

interface Head {
  count: number
  beganAt: Instant
  lastAt: Instant
  lastBytes: number
  lastHow: number
  /** Where the polls begin. */
  end: number
}

function beforeFirst({ at }: RunPoll): Omit<Head, 'end'> {
  return { count: 0, beganAt: at, lastAt: at, lastBytes: 0, lastHow: -1 }
}

export function runHead(run: Uint8Array): Head {
  const next = varintsIn(run, 2)
  const beganAt = unzigzag(next.value())
  const lastAt = beganAt + unzigzag(next.value())
  const lastBytes = unzigzag(next.value())
  return { count: run[0] ?? 0, lastHow: run[1] ?? 0, beganAt, lastAt, lastBytes, end: next.place() }
}

/** Oldest first. */
export function pollsInRun(feedId: FeedId, run: Uint8Array): Poll[] {
  const polls: Poll[] = []
  readRun(run, ({ at, tookMs, bytes, how, restUntil }) => {
    polls.push({
      feedId,
      at,
      tookMs,
      bytes,
      ...askedOf((how >> 2) & 7),
      ...occasionOf((how >> 5) & 3),
      ...(restUntil !== undefined && { restUntil }),
      result: { kind: 'not-modified', by: SAMENESS[how & 3] ?? 'server' },
    })
  })
  return polls
}

export function summaryOf(run: Uint8Array): RunSummary {
  const { count, beganAt, lastAt } = runHead(run)
  const sums: RunSummary = { count, beganAt, lastAt, tookMs: 0, bytes: 0 }
  readRun(run, ({ tookMs, bytes }) => {
    sums.tookMs += tookMs
    sums.bytes += bytes
  })
  return sums
}

/** With no poll later than that: those that were are dated then. */
export function notLaterThan(run: Uint8Array, latest: Instant): Uint8Array {
  let mended: Uint8Array | null = null
  for (const poll of pollsInRun(0 as FeedId, run)) mended = withPoll(mended, { ...poll, at: Math.min(poll.at, latest) })
  return mended ?? run
}

interface PackedPoll {
  at: Instant
  tookMs: Millis
  bytes: number
  how: number
  restUntil: Instant | undefined
}

/** What is cut off ends early. */
function readRun(run: Uint8Array, each: (poll: PackedPoll) => void): void {
  const { count, beganAt, end } = runHead(run)
  const next = varintsIn(run, end)
  let [at, bytes, how] = [beganAt, 0, 0]
  for (let left = count; left > 0 && next.place() < run.length; left--) {
    at += unzigzag(next.value())
    const took = next.value()
    if (took % 2 === 1) how = next.byte()
    bytes += unzigzag(next.value())
    const restUntil = how & HAS_REST ? at + unzigzag(next.value()) : undefined
    each({ at, tookMs: Math.floor(took / 2), bytes, how, restUntil })
  }
}

function varintsIn(run: Uint8Array, begin: number) {
  let place = begin
  return {
    place: () => place,
    byte: (): number => run[place++] ?? 0,
    value(): number {
      let value = 0
      for (let factor = 1; ; factor *= 0x80) {
        const byte = run[place++] ?? 0
        value += (byte & 0x7f) * factor
        if (byte < 0x80) return value
      }
    },
  }
}

function howOf(poll: RunPoll): number {
  const by = poll.result.kind === 'not-modified' ? SAMENESS.indexOf(poll.result.by) : 0
  const rest = poll.restUntil === undefined ? 0 : HAS_REST
  return by | (askedColumn(poll) << 2) | (occasionColumn(poll) << 5) | rest
}

/** Without bit operations, which have 32 bits. */
function pushVarint(into: number[], value: number): void {
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) into.push((rest % 0x80) + 0x80)
  into.push(rest)
}

function zigzag(value: number): number {
  return value < 0 ? -value * 2 - 1 : value * 2
}

function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}
