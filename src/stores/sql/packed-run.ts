/**
 * Packs a run of unchanged polls into about seven bytes per poll. The header holds what is needed to append a poll without reading all:
 *
 *   byte    number of polls
 *   byte    flags of the newest poll, as below
 *   varint  the date of the oldest
 *   varint  milliseconds from the oldest to the newest
 *   varint  body bytes of the newest
 *
 * Then each poll, oldest first:
 *
 *   varint  milliseconds since the previous poll; 0 for the first
 *   varint  twice the duration in milliseconds, plus 1 if a flags byte follows
 *   byte    flags: sameness (2 bits), request kind (3), occasion (2), has a rest date (1)
 *   varint  body bytes, minus those of the previous poll
 *   varint  rest date minus the poll's date, if it has one
 *
 * Varints have seven bits per byte, lowest first. All except the duration are zigzag-encoded, so they can be negative.
 */
import type { FeedId, Instant, Millis, Poll, Sameness } from '../../model/index.ts'
import { occasionColumn, occasionOf, requestColumn, requestOf } from './poll-codes.ts'

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

/** Appends an unchanged poll with whole numbers (`isRunPoll`); without a run, starts a new one. */
export function appendPoll(run: Uint8Array | null, poll: RunPoll): Uint8Array {
  const before = run && readRunHead(run)
  const { count, beganAt, lastAt, lastBytes, lastHow: lastFlags } = before ?? beforeFirst(poll)
  const flags = howOf(poll)
  const head = [count + 1, flags]
  pushVarint(head, zigzag(beganAt))
  pushVarint(head, zigzag(poll.at - beganAt))
  pushVarint(head, zigzag(poll.bytes))
  const pollBytes: number[] = []
  pushVarint(pollBytes, zigzag(poll.at - lastAt))
  pushVarint(pollBytes, poll.tookMs * 2 + (flags === lastFlags ? 0 : 1))
  if (flags !== lastFlags) pollBytes.push(flags)
  pushVarint(pollBytes, zigzag(poll.bytes - lastBytes))
  if (poll.waitUntil !== undefined) pushVarint(pollBytes, zigzag(poll.waitUntil - poll.at))
  const previousPolls = run && before ? run.subarray(before.end) : NONE
  const longer = new Uint8Array(head.length + previousPolls.length + pollBytes.length)
  longer.set(head)
  longer.set(previousPolls, head.length)
  longer.set(pollBytes, head.length + previousPolls.length)
  return longer
}

const NONE = new Uint8Array()

interface Head {
  count: number
  beganAt: Instant
  lastAt: Instant
  lastBytes: number
  lastHow: number
  /** Offset of the first poll. */
  end: number
}

function beforeFirst({ at }: RunPoll): Omit<Head, 'end'> {
  return { count: 0, beganAt: at, lastAt: at, lastBytes: 0, lastHow: -1 }
}

export function readRunHead(run: Uint8Array): Head {
  const next = varintsIn(run, 2)
  const beganAt = unzigzag(next.value())
  const lastAt = beganAt + unzigzag(next.value())
  const lastBytes = unzigzag(next.value())
  return { count: run[0] ?? 0, lastHow: run[1] ?? 0, beganAt, lastAt, lastBytes, end: next.place() }
}

/** Oldest first. */
export function pollsInRun(feedId: FeedId, run: Uint8Array): Poll[] {
  const polls: Poll[] = []
  readRun(run, ({ at, tookMs, bytes, how: flags, waitUntil }) => {
    polls.push({
      feedId,
      at,
      tookMs,
      bytes,
      ...requestOf((flags >> 2) & 7),
      ...occasionOf((flags >> 5) & 3),
      ...(waitUntil !== undefined && { waitUntil }),
      result: { kind: 'not-modified', by: SAMENESS[flags & 3] ?? 'server' },
    })
  })
  return polls
}

export function summarizeRun(run: Uint8Array): RunSummary {
  const { count, beganAt, lastAt } = readRunHead(run)
  const sums: RunSummary = { count, beganAt, lastAt, tookMs: 0, bytes: 0 }
  readRun(run, ({ tookMs, bytes }) => {
    sums.tookMs += tookMs
    sums.bytes += bytes
  })
  return sums
}

/** Limits the dates of all polls to `latest`. */
export function clampRunDates(run: Uint8Array, latest: Instant): Uint8Array {
  let clamped: Uint8Array | null = null
  for (const poll of pollsInRun(0 as FeedId, run))
    clamped = appendPoll(clamped, { ...poll, at: Math.min(poll.at, latest) })
  return clamped ?? run
}

interface PackedPoll {
  at: Instant
  tookMs: Millis
  bytes: number
  how: number
  waitUntil: Instant | undefined
}

/** Ends early if the run is truncated. */
function readRun(run: Uint8Array, each: (poll: PackedPoll) => void): void {
  const { count, beganAt, end } = readRunHead(run)
  const next = varintsIn(run, end)
  let [at, bytes, flags] = [beganAt, 0, 0]
  for (let left = count; left > 0 && next.place() < run.length; left--) {
    at += unzigzag(next.value())
    const took = next.value()
    if (took % 2 === 1) flags = next.byte()
    bytes += unzigzag(next.value())
    const waitUntil = flags & HAS_REST ? at + unzigzag(next.value()) : undefined
    each({ at, tookMs: Math.floor(took / 2), bytes, how: flags, waitUntil })
  }
}

function varintsIn(run: Uint8Array, start: number) {
  let position = start
  return {
    place: () => position,
    byte: (): number => run[position++] ?? 0,
    value(): number {
      let value = 0
      for (let factor = 1; ; factor *= 0x80) {
        const byte = run[position++] ?? 0
        value += (byte & 0x7f) * factor
        if (byte < 0x80) return value
      }
    },
  }
}

function howOf(poll: RunPoll): number {
  const by = poll.result.kind === 'not-modified' ? SAMENESS.indexOf(poll.result.by) : 0
  const rest = poll.waitUntil === undefined ? 0 : HAS_REST
  return by | (requestColumn(poll) << 2) | (occasionColumn(poll) << 5) | rest
}

/** Uses no bit operations, which are limited to 32 bits. */
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
