/**
 * Sanitized HTML of entries and articles, which is the larger part of a response with fifty texts. Readers ask for the same newest entries
 * again and again, so results are remembered, the most recently used within a bound. Nothing is stored: a result belongs to the exact text
 * and address it was made from, and to the rules of this process.
 */
import { hash } from 'node:crypto'
import { sanitizeHtml } from '../articles/index.ts'

/** Of results, in UTF-16 code units: at most twice as many bytes. */
const MAX_LENGTH = 4_000_000
/** A longer text would displace too many others. */
const MAX_SHARE = 1 / 16
/** Shorter texts take no longer to sanitize than to look up. */
const MIN_TEXT = 200

export type Sanitize = typeof sanitizeHtml

export function createSanitizer(sanitize: Sanitize, maxLength = MAX_LENGTH): Sanitize {
  /** By hash of the text, and address; the least recently used first. */
  const results = new Map<string, string>()
  let length = 0

  function remember(key: string, result: string): void {
    results.set(key, result)
    length += result.length
    for (const [oldest, { length: freed }] of results) {
      if (length <= maxLength) break
      results.delete(oldest)
      length -= freed
    }
  }

  return (html, baseUrl) => {
    if (html.length < MIN_TEXT) return sanitize(html, baseUrl)
    const key = `${hash('sha256', html, 'base64')} ${baseUrl ?? ''}`
    const known = results.get(key)
    if (known !== undefined) {
      results.delete(key)
      results.set(key, known)
      return known
    }
    const result = sanitize(html, baseUrl)
    if (result.length <= maxLength * MAX_SHARE) remember(key, result)
    return result
  }
}

export const sanitizedHtml = createSanitizer(sanitizeHtml)
