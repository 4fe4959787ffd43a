/** Detects redirects and resolves their target. */

import { NetError } from './net-error.ts'
import { parseTarget } from './target.ts'

/** A redirect without Location is an ordinary response; so is one that would turn a POST into a GET. */
export function isRedirect(status: number, location: string | undefined, isPost = false): location is string {
  return (isPost ? REPEATS : REDIRECTS).has(status) && !!location
}

/** The target of a redirect. */
export function redirectTarget(from: URL, location: string): URL {
  if (!URL.canParse(asText(location), from.href)) throw new NetError('redirects', 'a redirect has no valid target')
  return parseTarget(asText(location), from)
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const REPEATS = new Set([307, 308])

/** Headers are decoded as latin1, but non-ASCII locations are mostly UTF-8. */
function asText(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  const text = bytes.toString('utf8')
  return text.includes('\ufffd') ? header : text
}
