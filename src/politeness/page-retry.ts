/**
 * When a page that could not be fetched is retried, if ever. Feeds are retried forever; pages are numerous, and most that are missing
 * today stay missing: few tries with growing distance, then none.
 */
import { DAY, type Failure, HOUR, type Instant, MINUTE, type Millis } from '../model/index.ts'

/** Transient problems of the server or network, which mostly pass within a day. */
const TRANSIENT_WAITS_MS: Millis[] = [HOUR, 6 * HOUR, DAY, 3 * DAY, 7 * DAY]
/** Not found, or not a page: some are announced before they are published. */
const PERMANENT_WAITS_MS: Millis[] = [DAY]
const NO_RETRY: Millis[] = []

const JITTER_SHARE = 1 / 10 // jitter, as a share of the wait

/** `failures`: earlier failures. `chance` in [0, 1). Undefined: no retry. */
export function pageRetryAt(failure: Failure, failures: number, at: Instant, chance: number): Instant | undefined {
  const waitMs = waitsAfter(failure)[failures]
  if (waitMs === undefined) return undefined
  const retryAfterMs = failure.kind === 'http' ? (failure.retryAfterMs ?? 0) : 0
  return Math.ceil(at + Math.max(waitMs, retryAfterMs) + chance * JITTER_SHARE * waitMs)
}

/** The site forbids crawling; not counted as a failure. */
export function isRefusal({ kind }: Failure): boolean {
  return kind === 'forbidden-by-robots' || kind === 'forbidden-by-page'
}

const MAX_PAUSE_MS = DAY

/** How long all pages of a root wait after this many consecutive requests without a response. */
export function articleQueuePauseMs(silences: number): Millis {
  return silences === 0 ? 0 : Math.min(MAX_PAUSE_MS, MINUTE * 2 ** (silences - 1))
}

/** No response: the next page of this root would fail, too. */
export function isNoResponse({ kind }: Failure): boolean {
  return kind === 'unreachable' || kind === 'timeout'
}

function waitsAfter(failure: Failure): Millis[] {
  switch (failure.kind) {
    case 'http':
      if (failure.status === 410) return NO_RETRY
      return failure.status >= 500 || [408, 425, 429].includes(failure.status) ? TRANSIENT_WAITS_MS : PERMANENT_WAITS_MS
    case 'unreachable':
    case 'timeout':
    case 'broken-body':
      return TRANSIENT_WAITS_MS
    case 'not-a-page':
    case 'too-large':
    case 'redirects':
    case 'internal':
      return PERMANENT_WAITS_MS
    case 'forbidden-address':
    case 'forbidden-by-robots':
    case 'forbidden-by-page':
    case 'not-a-feed':
    case 'no-feed-found':
    case 'hub-refused':
    case 'hub-silent':
      return NO_RETRY
  }
}
