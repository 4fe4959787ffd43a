/**
 * A trace: when the entries of one feed were published, and how many of them the feed shows at once. All that a strategy
 * can be judged by, and nothing that anybody wrote. In a file it is one line of JSON:
 *
 *   {"feed":"https://example.org/feed","kind":"news","source":"freshet","window":20,"n":3,"times":[1767225600,90,0]}
 *
 * The first time is in seconds since 1970, each other in seconds after the one before it. `bytes`, how large the document
 * is on the wire, is ours and may be absent.
 *
 * Files come from anywhere, so a line is either used as it is, repaired, or refused, and what was done is said in words.
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

/** `words` tell what was repaired; without a trace, why there is none. */
export type ReadLine = { trace: Trace; words: string[] } | { trace?: never; words: [string] }

/** How many entries a feed shows, where nobody says it, and what is believed at most; likewise of a history. */
export const USUAL_WINDOW = 20
export const MOST_SHOWN = 10_000
export const MAX_ITEMS = 500_000
const LONGEST_NAME = 500
/** Clocks differ; what lies further ahead was never published. */
export const AHEAD_MS = HOUR

export function readTraceLine(line: string, now: Instant): ReadLine {
  const given = objectIn(line)
  if (typeof given === 'string') return { words: [given] }
  const { times } = given
  if (!Array.isArray(times)) return { words: ['has no list of times'] }
  if (times.length === 0) return { words: ['has no entries'] }
  const words: string[] = []
  const published = instantsIn(times, now, words)
  if (typeof published === 'string') return { words: [published] }
  if (published.length === 0) return { words: [words[0] ?? 'has no entries'] }
  if (typeof given.n === 'number' && given.n !== times.length)
    words.push(`says it has ${given.n} entries and has ${times.length}; counted`)
  const trace: Trace = {
    feed: nameIn(given.feed),
    kind: nameIn(given.kind) || 'other',
    source: nameIn(given.source),
    window: windowIn(given.window, words),
    published,
    ...(isCount(given.bytes) && { bytes: given.bytes }),
  }
  return { trace, words }
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

/** Decoded, in order, and not ahead of now; or why they cannot be. */
function instantsIn(times: unknown[], now: Instant, words: string[]): Float64Array | string {
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
    words.push(`${counted(backwards, 'time')} went backwards; sorted`)
  }
  let upTo = instants.length
  while (upTo > 0 && instants[upTo - 1]! > now + AHEAD_MS) upTo--
  if (upTo < instants.length) {
    const dropped = counted(instants.length - upTo, 'entry', 'entries')
    const hint = (instants[upTo] ?? 0) > 100 * now ? '; are they milliseconds?' : ''
    words.push(`${dropped} in the future, the first in ${yearOf(instants[upTo] ?? 0)}; left out${hint}`)
  }
  if (upTo > MAX_ITEMS) words.push(`${counted(upTo, 'entry', 'entries')} are too many; the newest ${MAX_ITEMS} kept`)
  return instants.slice(Math.max(0, upTo - MAX_ITEMS), upTo)
}

function yearOf(at: Instant): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? 'no year at all' : String(date.getUTCFullYear())
}

function windowIn(given: unknown, words: string[]): number {
  if (!isCount(given)) {
    words.push(`does not say how many entries it shows; taken for ${USUAL_WINDOW}`)
    return USUAL_WINDOW
  }
  if (given <= MOST_SHOWN) return Math.round(given)
  words.push(`shows ${given} entries at once; taken for ${MOST_SHOWN}`)
  return MOST_SHOWN
}

function isCount(given: unknown): given is number {
  return typeof given === 'number' && given >= 1 && Number.isFinite(given)
}

function nameIn(given: unknown): string {
  return typeof given === 'string' ? given.slice(0, LONGEST_NAME) : typeof given === 'number' ? String(given) : ''
}

function counted(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`
}

/** Undefined of nothing. */
export function median(numbers: readonly number[]): number | undefined {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]
}
