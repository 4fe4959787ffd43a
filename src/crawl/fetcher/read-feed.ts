/** Reads a response of the network as a feed. */
import { createHash, hash } from 'node:crypto'
import { addHub, detectBotCheck, type ParsedFeed, parseFeed } from '../../feeds/index.ts'
import type {
  EntryDraft,
  Failure,
  FetchedFeed,
  Instant,
  Millis,
  PublisherHints,
  WebAddress,
} from '../../model/index.ts'
import { isSameTenant, restMs, retryAfterMs, validatorsOf } from '../../politeness/index.ts'
import type { NetAnswer } from '../../ports/index.ts'
import { draftOf, tagsOf } from './entry-draft.ts'

/** The feed in a response, or why there is none. */
export function readAnswer(
  answer: NetAnswer,
  now: Instant,
  bodyHash = answer.ok ? bodyHashOf(answer.body) : '',
): { kind: 'reading'; reading: FetchedFeed; parsed: ParsedFeed } | { kind: 'failed'; failure: Failure } {
  if (!answer.ok) return failedResult(answer.failure)
  const { status, headers, body, url } = answer
  if (status !== 200) return failedResult(httpFailure(answer, now))
  const contentType = headers['content-type']
  const parsed = parseFeed(body, { url, now, sameSite: isSameTenant, ...(contentType && { contentType }) })
  if (parsed.kind === 'not-a-feed') return failedResult({ kind: 'not-a-feed', detail: parsed.reason })
  const hints = hintsOf(parsed)
  const reading: FetchedFeed = {
    facts: {
      ...addHub(parsed.facts, url, headers.link),
      ...(parsed.categories && { terms: tagsOf(parsed.categories) }),
      ...(parsed.updatedAt !== undefined && parsed.updatedAt <= now && { builtAt: parsed.updatedAt }),
      ...(parsed.fragments && { fragments: parsed.fragments }),
    },
    entries: parsed.entries.map(draftOf),
    validators: validatorsOf(headers),
    bodyHash,
    windowHash: windowHashOf(parsed.entries),
    ...(parsed.nextUrl && { nextUrl: parsed.nextUrl }),
    ...(Object.keys(hints).length > 0 && { hints }),
    restMs: requestedRestMs(answer, now),
  }
  return { kind: 'reading', reading, parsed }
}

/**
 * How long the server asks us to wait before the next request: while the response is fresh, or as Retry-After says. Redirects may have
 * Retry-After, too; they are followed anyway, since their target would otherwise never be seen.
 */
export function requestedRestMs({ headers, redirects }: Extract<NetAnswer, { ok: true }>, now: Instant): Millis {
  const retryAfters = [headers['retry-after'], ...redirects.map(({ retryAfter }) => retryAfter)]
  const waits = retryAfters.map((value) =>
    value === undefined ? 0 : (retryAfterMs({ 'retry-after': value }, now) ?? 0),
  )
  return Math.max(restMs(headers, now), ...waits)
}

function hintsOf({ ttlMs, updatePeriodMs, skipHours, skipDays }: ParsedFeed): PublisherHints {
  return {
    ...(ttlMs && { ttlMs }),
    ...(updatePeriodMs && { updatePeriodMs }),
    ...(skipHours && { skipHours }),
    ...(skipDays && { skipDays }),
  }
}

/** Hash of the fields that make entries new or changed. Documents that differ only in their own date or in advertisements have the same hash. */
function windowHashOf(entries: EntryDraft[]): string {
  return bodyHashOf(Buffer.from(entries.map(({ key, title, url = '' }) => `${key}\n${title}\n${url}`).join('\n\n')))
}

/**
 * Detects unchanged documents; half of a SHA-256 is enough for that. The build date of the document is left out: many servers build
 * documents on each request, and a new date alone is no reason to read a document.
 */
export function bodyHashOf(body: Uint8Array): string {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, MAX_HEAD_BYTES)).toString('latin1')
  const entries = head.search(FIRST_ENTRY)
  const before = entries < 0 ? head : head.slice(0, entries)
  const undated = before.replace(BUILD_DATE, '<$1></$1>')
  if (undated === before) return hash('sha256', body, 'base64url').slice(0, 22)
  return createHash('sha256')
    .update(undated, 'latin1')
    .update(body.subarray(before.length))
    .digest('base64url')
    .slice(0, 22)
}

const MAX_HEAD_BYTES = 8192
const FIRST_ENTRY = /<(?:item|entry)[\s>]/
const BUILD_DATE = /<(lastBuildDate|pubDate|updated|modified|dc:date)>[^<]{1,60}<\/\1>/g

/** `from`: the URL after redirects, if there were any. */
export function failedResult(
  failure: Failure,
  from?: WebAddress,
): { kind: 'failed'; failure: Failure; from?: WebAddress } {
  return { kind: 'failed', failure, ...(from && { from }) }
}

/** The URL of a response after redirects; undefined without redirects. */
export function redirectedUrl(answer: NetAnswer): WebAddress | undefined {
  return answer.ok && answer.redirects.length === 0 ? undefined : answer.url
}

export function httpFailure({ status, headers }: Extract<NetAnswer, { ok: true }>, now: Instant): Failure {
  const retry = retryAfterMs(headers, now)
  const detail = detectBotCheck(status, headers)
  return { kind: 'http', status, ...(retry !== undefined && { retryAfterMs: retry }), ...(detail && { detail }) }
}
