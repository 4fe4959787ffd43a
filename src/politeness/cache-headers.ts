/** Freshness lifetime (RFC 9111), Retry-After (RFC 9110) and validators of a response. */
import { DAY, type Instant, type Millis, SECOND, type Validators } from '../model/index.ts'

type Headers = Readonly<Record<string, string>>

const MAX_FRESH_MS = DAY // ours: some servers send feeds with a max-age of a year; documented in docs/politeness.md
/** Ours: one response must not silence a feed for a year; documented in docs/politeness.md. */
export const MAX_RETRY_AFTER_MS: Millis = 7 * DAY

/** max-age minus Age, else Expires minus Date; 0 if absent or not cacheable. */
export function restMs(headers: Headers, now: Instant): Millis {
  const directives = (headers['cache-control'] ?? '').toLowerCase()
  if (/(^|[\s,])(no-store|no-cache)(?=$|[\s,=])/.test(directives)) return 0
  const maxAge = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,15})/.exec(directives)?.[1]
  const lifeMs =
    maxAge === undefined
      ? dateMs(headers.expires) - (dateMs(headers.date) || now)
      : Number(maxAge) * SECOND - secondsMs(headers.age)
  return Number.isFinite(lifeMs) ? Math.min(MAX_FRESH_MS, Math.max(0, lifeMs)) : 0
}

/**
 * The validators for conditional requests. A Last-Modified later than the response's own Date is invalid (RFC 9110, 8.8.2.1): sent back,
 * it would be answered with 304 until then, whatever is published.
 */
export function validatorsOf(headers: Headers): Validators {
  const { etag, 'last-modified': lastModified } = headers
  const isAhead = dateMs(lastModified) > dateMs(headers.date)
  return { ...(etag && { etag }), ...(lastModified && !isAhead && { lastModified }) }
}

/** Seconds or an HTTP date; undefined if invalid. */
export function retryAfterMs(headers: Headers, now: Instant): Millis | undefined {
  const value = headers['retry-after']?.trim()
  if (!value) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * SECOND : dateMs(value) - now
  return Number.isFinite(ms) ? Math.min(MAX_RETRY_AFTER_MS, Math.max(0, ms)) : undefined
}

function secondsMs(text: string | undefined): Millis {
  return text !== undefined && /^\s*\d{1,15}\s*$/.test(text) ? Number(text) * SECOND : 0
}

/** IMF-fixdate, RFC 850 and asctime, always GMT; NaN for anything else. */
function dateMs(text: string | undefined): number {
  if (!text || !/[a-z]{3}/i.test(text)) return Number.NaN
  return Date.parse(/gmt|utc|[+-]\d{4}\s*$/i.test(text) ? text : `${text} GMT`)
}
