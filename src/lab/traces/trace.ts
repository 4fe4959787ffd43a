/**
 * A trace: publication times of a feed's entries, and its window size. That is all that strategies need, and contains
 * no text. In a file it is one line of JSON:
 *
 *   {"feed":"https://example.org/feed","kind":"news","source":"freshet","window":20,"n":3,"times":[1767225600,90,0]}
 *
 * The first time is in seconds since 1970, each other in seconds after the previous one. `bytes`, the transferred size
 * of the document, is our extension and optional.
 *
 * Files are untrusted: a line is used, repaired or rejected, with a message.
 */
import { HOUR, type Instant, SECOND } from '../../model/index.ts'

export interface Trace {
  feed: string
  kind: string
  source: string
  window: number
  bytes?: number
  /** Whole seconds, ascending. */
  published: Float64Array
}

/** `messages`: what was repaired; without a trace, why it was rejected. */
export type ReadLine = { trace: Trace; messages: string[] } | { trace?: never; messages: [string] }

/** Default and maximum window sizes, and maximum length of a history. */
export const USUAL_WINDOW = 20
export const MAX_WINDOW = 10_000
export const MAX_ITEMS = 500_000
const MAX_NAME_LENGTH = 500
/** Tolerance for clock differences; later entries are dropped. */
export const MAX_AHEAD_MS = HOUR

export function readTraceLine(line: string, now: Instant): ReadLine {
  const json = objectIn(line)
  if (typeof json === 'string') return { messages: [json] }
  const { times } = json
  if (!Array.isArray(times)) return { messages: ['has no list of times'] }
  if (times.length === 0) return { messages: ['has no entries'] }
  const messages: string[] = []
  const published = instantsIn(times, now, messages)
  if (typeof published === 'string') return { messages: [published] }
  if (published.length === 0) return { messages: [messages[0] ?? 'has no entries'] }
  if (typeof json.n === 'number' && json.n !== times.length)
    messages.push(`says it has ${json.n} entries and has ${times.length}; counted`)
  const trace: Trace = {
    feed: nameIn(json.feed),
    kind: nameIn(json.kind) || 'other',
    source: nameIn(json.source),
    window: windowIn(json.window, messages),
    published,
    ...(isCount(json.bytes) && { bytes: json.bytes }),
  }
  return { trace, messages }
}

export function traceLine({ feed, kind, source, window, bytes, published }: Trace): string {
  const times = Array.from(published, (at) => Math.floor(at / SECOND))
  const deltas = times.map((at, i) => (i === 0 ? at : at - times[i - 1]!))
  const size = bytes === undefined ? {} : { bytes: Math.round(bytes) }
  return JSON.stringify({ feed, kind, source, window, ...size, n: times.length, times: deltas })
}

function objectIn(line: string): Record<string, unknown> | string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return 'is not JSON'
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'is no JSON object'
  return value as Record<string, unknown>
}

/** Decodes the times: in order and not in the future; or returns why they are invalid. */
function instantsIn(times: unknown[], now: Instant, messages: string[]): Float64Array | string {
  const instants = new Float64Array(times.length)
  let at = 0
  let backwards = 0
  for (const [i, delta] of times.entries()) {
    if (typeof delta !== 'number' || !Number.isFinite(delta)) return `its time no. ${i + 1} is no number`
    if (i > 0 && delta < 0) backwards++
    at += delta
    if (at < 0) return `its time no. ${i + 1} lies before 1970`
    instants[i] = Math.floor(at) * SECOND
  }
  if (backwards > 0) {
    instants.sort()
    messages.push(`${pluralize(backwards, 'time')} went backwards; sorted`)
  }
  let upTo = instants.length
  while (upTo > 0 && instants[upTo - 1]! > now + MAX_AHEAD_MS) upTo--
  if (upTo < instants.length) {
    const dropped = pluralize(instants.length - upTo, 'entry', 'entries')
    const hint = (instants[upTo] ?? 0) > 100 * now ? '; are they milliseconds?' : ''
    messages.push(`${dropped} in the future, the first in ${yearOf(instants[upTo] ?? 0)}; left out${hint}`)
  }
  if (upTo > MAX_ITEMS)
    messages.push(`${pluralize(upTo, 'entry', 'entries')} are too many; the newest ${MAX_ITEMS} kept`)
  return instants.slice(Math.max(0, upTo - MAX_ITEMS), upTo)
}

function yearOf(at: Instant): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? 'no year at all' : String(date.getUTCFullYear())
}

function windowIn(value: unknown, messages: string[]): number {
  if (!isCount(value)) {
    messages.push(`does not say how many entries it shows; taken for ${USUAL_WINDOW}`)
    return USUAL_WINDOW
  }
  if (value <= MAX_WINDOW) return Math.round(value)
  messages.push(`shows ${value} entries at once; taken for ${MAX_WINDOW}`)
  return MAX_WINDOW
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 1 && Number.isFinite(value)
}

function nameIn(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_NAME_LENGTH) : typeof value === 'number' ? String(value) : ''
}

function pluralize(n: number, singular: string, plural = `${singular}s`): string {
  return `${n} ${n === 1 ? singular : plural}`
}

/** Undefined for an empty list. */
export function median(numbers: readonly number[]): number | undefined {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]
}
