/**
 * What tide knows about one feed: decaying sums and two dates. Encoded as the dates followed by a row of 32-bit floats.
 *
 * An *act* is one act of publishing: entries that come close together are one act, so that a batch of twenty counts once,
 * not twenty times, for the hour it came in.
 */
import type { Instant, Memory } from '../../model/index.ts'
import { copyToOwnBuffer } from '../memory-encoding.ts'
import { SPANS } from './hour-spans.ts'

export const PROFILE_LEVELS = 3

export interface Knowledge {
  /** The last poll; 0 before the first. */
  lastPollAt: Instant
  /** Publication date of the newest entry; 0 if none was seen. */
  newestAt: Instant
  /** Since when all entries were seen, in days since 1970; 0 if not known. */
  sinceDay: Float32Array
  /** All following fields are views of this row. */
  readonly row: Float32Array
  /** Acts by hour of the day, by day of the week from Monday, and by span of the hour, UTC. */
  readonly hours: Float32Array
  readonly weekdays: Float32Array
  readonly minutes: Float32Array
  /** For each level of the rate: acts, and the tide time (in milliseconds) in which they came. */
  readonly acts: Float32Array
  readonly exposure: Float32Array
  readonly sums: Float32Array
}

/** Indices in `sums`. */
export const ENTRIES = 0
export const ACTS = 1
/** Entries of the last hour or so. */
export const PACE = 2
/** How many entries the feed showed when it last showed any, and how many it can show; 0 if not known. */
export const SHOWN = 3
export const CAPACITY = 4

const VERSION = 3
const DATES_BYTES = 16
const ROW_LENGTH = 1 + 24 + 7 + SPANS + 2 * PROFILE_LEVELS + 5 + 1
/** The previous version of the memory has no `sinceDay`. */
const PREVIOUS = { version: 2, bytes: DATES_BYTES + 4 * (ROW_LENGTH - 1) }
export const MEMORY_BYTES = DATES_BYTES + 4 * ROW_LENGTH

export function newKnowledge(): Knowledge {
  const row = new Float32Array(ROW_LENGTH)
  row[0] = VERSION
  return knowledgeFrom(row, 0, 0)
}

/** Undefined if the bytes are not a valid memory of this strategy. */
export function decodeKnowledge(memory: Memory): Knowledge | undefined {
  if (memory.length === PREVIOUS.bytes) return decodeKnowledge(upgradeMemory(memory))
  if (memory.length !== MEMORY_BYTES) return undefined
  const buffer = copyToOwnBuffer(memory)
  const row = new Float32Array(buffer, DATES_BYTES)
  const [lastPollAt = Number.NaN, newestAt = Number.NaN] = new Float64Array(buffer, 0, 2)
  if (row[0] !== VERSION || !isDate(lastPollAt) || !isDate(newestAt)) return undefined
  for (let i = 0; i < ROW_LENGTH; i++) if (!(row[i]! >= 0 && row[i]! < Number.POSITIVE_INFINITY)) return undefined
  return knowledgeFrom(row, lastPollAt, newestAt)
}

function upgradeMemory(memory: Memory): Memory {
  const widened = new Uint8Array(MEMORY_BYTES)
  widened.set(memory)
  const row = new Float32Array(widened.buffer, DATES_BYTES)
  if (row[0] === PREVIOUS.version) row[0] = VERSION
  return widened
}

export function encodeKnowledge({ row, lastPollAt, newestAt }: Knowledge): Memory {
  const memory = new Uint8Array(MEMORY_BYTES)
  new Float64Array(memory.buffer, 0, 2).set([lastPollAt, newestAt])
  new Float32Array(memory.buffer, DATES_BYTES).set(row)
  return memory
}

function isDate(at: number): boolean {
  return Number.isFinite(at)
}

function knowledgeFrom(row: Float32Array, lastPollAt: Instant, newestAt: Instant): Knowledge {
  let from = 1
  const next = (length: number) => {
    from += length
    return row.subarray(from - length, from)
  }
  return {
    lastPollAt,
    newestAt,
    row,
    hours: next(24),
    weekdays: next(7),
    minutes: next(SPANS),
    acts: next(PROFILE_LEVELS),
    exposure: next(PROFILE_LEVELS),
    sums: next(5),
    sinceDay: next(1),
  }
}
