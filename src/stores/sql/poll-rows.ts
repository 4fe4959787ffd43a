/**
 * Rows of the poll log. Most lines are one poll. A *run* of unchanged polls is also one line (`ports/poll-runs`), packed into `run` and
 * dated by its newest poll. The run that the next unchanged poll joins is *open*: it is stored with the feed's schedule, which every poll
 * writes anyway, and moves to the log when it ends. So an unchanged poll writes no line.
 */
import type { FeedId, Instant, Poll } from '../../model/index.ts'
import { isRunPoll, isWithinRun, MAX_POLLS_IN_RUN } from '../../ports/index.ts'
import { appendPoll, pollsInRun, readRunHead, summarizeRun } from './packed-run.ts'
import {
  occasionColumn,
  occasionOf,
  requestColumn,
  requestOf,
  resultColumns,
  resultOf,
  UNCHANGED,
} from './poll-codes.ts'

export interface PollRow {
  /** 0: an open run. */
  place: number
  previous: number | null
  feed_id: FeedId
  /** For a run, the date of its newest poll. */
  at: Instant
  /** For a run, the sum; likewise `bytes`. */
  took_ms: number
  bytes: number
  asked: number
  occasion: number
  rest_until: Instant | null
  result: number
  fresh: number | null
  changed: number | null
  window_size: number | null
  failure: string | null
  times: number
  /** For a run, the date of its oldest poll. */
  began_at: Instant | null
  run: Buffer | null
}

export const LOG_COLUMNS = [
  'at',
  'took_ms',
  'bytes',
  'asked',
  'occasion',
  'rest_until',
  'result',
  'fresh',
  'changed',
  'window_size',
  'failure',
  'times',
  'began_at',
  'run',
] as const

export type LogLineColumns = (number | string | Uint8Array | null)[]

/** Returns the lines that a poll adds to the log, oldest first, and the open run afterwards. */
export function appendToLog(
  open: Uint8Array | null,
  poll: Omit<Poll, 'feedId'>,
): { lines: LogLineColumns[]; run: Uint8Array | null } {
  const ended = () => (open ? [runLine(open)] : [])
  if (!isRunPoll(poll)) return { lines: [...ended(), pollLine(poll)], run: null }
  if (open && !isWithinRun(readRunHead(open).beganAt, poll.at)) return { lines: ended(), run: appendPoll(null, poll) }
  const run = appendPoll(open, poll)
  return countRunPolls(run) < MAX_POLLS_IN_RUN ? { lines: [], run } : { lines: [runLine(run)], run: null }
}

/** Number of polls of a run: its first byte, which stores also read in SQL. */
export function countRunPolls(run: Uint8Array | null): number {
  return run?.[0] ?? 0
}

function pollLine(poll: Omit<Poll, 'feedId'>): LogLineColumns {
  const { at, tookMs, bytes, waitUntil = null, result } = poll
  const how = [requestColumn(poll), occasionColumn(poll), waitUntil]
  return [at, tookMs, bytes, ...how, ...resultColumns(result), 1, null, null]
}

function runLine(run: Uint8Array): LogLineColumns {
  const polls = pollsInRun(0 as FeedId, run)
  const last = polls.at(-1)
  if (polls.length === 1 && last) return pollLine(last)
  const { count, beganAt, lastAt, tookMs, bytes } = summarizeRun(run)
  const how = [last ? requestColumn(last) : 0, last ? occasionColumn(last) : 0, null]
  const result = last ? resultColumns(last.result) : [UNCHANGED.server, null, null, null, null]
  return [lastAt, tookMs, bytes, ...how, ...result, count, beganAt, run]
}

/** The polls of a line, oldest first. */
export function pollsInLine(row: PollRow): Poll[] {
  if (row.run) return pollsInRun(row.feed_id, row.run)
  return row.place === 0 ? [] : [pollOf(row)]
}

function pollOf(row: PollRow): Poll {
  return {
    feedId: row.feed_id,
    at: row.at,
    tookMs: row.took_ms,
    bytes: row.bytes,
    ...requestOf(row.asked),
    ...occasionOf(row.occasion),
    ...(row.rest_until !== null && { waitUntil: row.rest_until }),
    result: resultOf(row),
  }
}
