/** What an answer of the network says, once it has been read as a feed. */
import { createHash, hash } from 'node:crypto'
import { challengeIn, type ParsedFeed, parseFeed, withHub } from '../../feeds/index.ts'
import type {
  EntryDraft,
  Failure,
  FeedReading,
  Instant,
  Millis,
  PublisherHints,
  WebAddress,
} from '../../model/index.ts'
import { restMs, retryAfterMs, validatorsOf } from '../../politeness/index.ts'
import type { NetAnswer } from '../../ports/index.ts'
import { draftOf, tagsOf } from './entry-draft.ts'

/** What an answer with a body says, as a feed; or why it is none. */
export function readAnswer(
  answer: NetAnswer,
  now: Instant,
  bodyHash = answer.ok ? bodyHashOf(answer.body) : '',
): { kind: 'reading'; reading: FeedReading; parsed: ParsedFeed } | { kind: 'failed'; failure: Failure } {
  if (!answer.ok) return failed(answer.failure)
  const { status, headers, body, url } = answer
  if (status !== 200) return failed(httpFailure(answer, now))
  const contentType = headers['content-type']
  const parsed = parseFeed(body, { url, ...(contentType && { contentType }) })
  if (parsed.kind === 'not-a-feed') return failed({ kind: 'not-a-feed', detail: parsed.reason })
  const hints = hintsOf(parsed)
  const reading: FeedReading = {
    facts: {
      ...withHub(parsed.facts, url, headers.link),
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
    restMs: awayMs(answer, now),
  }
  return { kind: 'reading', reading, parsed }
}

/**
 * For how long the answer asks us to stay away: while it is fresh, or as it says outright. A redirect may say so, too: it
 * is followed all the same, for else its end would never be seen.
 */
export function awayMs({ headers, redirects }: Extract<NetAnswer, { ok: true }>, now: Instant): Millis {
  const asked = [headers['retry-after'], ...redirects.map(({ retryAfter }) => retryAfter)]
  const waits = asked.map((value) => (value === undefined ? 0 : (retryAfterMs({ 'retry-after': value }, now) ?? 0)))
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

/** Of what makes entries new or changed; a document that differs in a date of its own or an advertisement has the same. */
function windowHashOf(entries: EntryDraft[]): string {
  return bodyHashOf(Buffer.from(entries.map(({ key, title, url = '' }) => `${key}\n${title}\n${url}`).join('\n\n')))
}

/**
 * Only asks "the same bytes as before?", so half of a SHA-256 is plenty. When the document was built, by its own word, is looked at
 * first and left out: many are built anew whenever somebody asks, and a date alone is no news that would be worth reading for.
 */
export function bodyHashOf(body: Uint8Array): string {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, LONGEST_HEAD)).toString('latin1')
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

const LONGEST_HEAD = 8192
const FIRST_ENTRY = /<(?:item|entry)[\s>]/
const BUILD_DATE = /<(lastBuildDate|pubDate|updated|modified|dc:date)>[^<]{1,60}<\/\1>/g

/** `from`: where that came from, if redirects had led away. */
export function failed(failure: Failure, from?: WebAddress): { kind: 'failed'; failure: Failure; from?: WebAddress } {
  return { kind: 'failed', failure, ...(from && { from }) }
}

/** Where an answer came from that redirects had led to. */
export function awayFrom(answer: NetAnswer): WebAddress | undefined {
  return answer.ok && answer.redirects.length === 0 ? undefined : answer.url
}

export function httpFailure({ status, headers }: Extract<NetAnswer, { ok: true }>, now: Instant): Failure {
  const retry = retryAfterMs(headers, now)
  const detail = challengeIn(status, headers)
  return { kind: 'http', status, ...(retry !== undefined && { retryAfterMs: retry }), ...(detail && { detail }) }
}
