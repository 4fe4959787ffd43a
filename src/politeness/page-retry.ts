/**
 * When a page that could not be had is asked for again, if ever. A feed is asked for as long as somebody wants it; a page is
 * one of thousands, and most that are missing today are missing for ever: few tries, ever further apart, then an end.
 */
import { DAY, type Failure, HOUR, type Instant, MINUTE, type Millis } from '../model/index.ts'

/** Trouble of the server or the way there: it may be over any moment, and mostly is within a day. */
const PASSING_MS: Millis[] = [HOUR, 6 * HOUR, DAY, 3 * DAY, 7 * DAY]
/** It is not there, or is no page: some are announced a moment before they can be seen. */
const LASTING_MS: Millis[] = [DAY]
const NEVER_MS: Millis[] = []

const SPREAD = 1 / 10 // of the wait, so that those who failed together do not come back together

/** `failures`: how often it had failed before. `chance` in [0, 1). Undefined: it is not asked for again. */
export function pageRetryAt(failure: Failure, failures: number, at: Instant, chance: number): Instant | undefined {
  const waitMs = waitsAfter(failure)[failures]
  if (waitMs === undefined) return undefined
  const askedMs = failure.kind === 'http' ? (failure.retryAfterMs ?? 0) : 0
  return Math.ceil(at + Math.max(waitMs, askedMs) + chance * SPREAD * waitMs)
}

/** The site does not want us to have it, and says so: that is no failure. */
export function isRefusal({ kind }: Failure): boolean {
  return kind === 'forbidden-by-robots' || kind === 'forbidden-by-page'
}

const LONGEST_LINE_REST_MS = DAY

/** How long all pages of a root wait after so many visits in a row at which there was no answer at all. */
export function lineRestMs(silences: number): Millis {
  return silences === 0 ? 0 : Math.min(LONGEST_LINE_REST_MS, MINUTE * 2 ** (silences - 1))
}

/** There was nobody to answer: the next page of this root would fare no better. */
export function isSilence({ kind }: Failure): boolean {
  return kind === 'unreachable' || kind === 'timeout'
}

function waitsAfter(failure: Failure): Millis[] {
  switch (failure.kind) {
    case 'http':
      if (failure.status === 410) return NEVER_MS
      return failure.status >= 500 || [408, 425, 429].includes(failure.status) ? PASSING_MS : LASTING_MS
    case 'unreachable':
    case 'timeout':
    case 'broken-body':
      return PASSING_MS
    case 'not-a-page':
    case 'too-large':
    case 'redirects':
    case 'internal':
      return LASTING_MS
    case 'forbidden-address':
    case 'forbidden-by-robots':
    case 'forbidden-by-page':
    case 'not-a-feed':
    case 'no-feed-found':
    case 'hub-refused':
    case 'hub-silent':
      return NEVER_MS
  }
}
