/** Where an answer sends us, and what may be taken along. */
import { parseTarget } from './target.ts'
import { NetTrouble } from './trouble.ts'

/** One that does not say where to is an answer like any other; so is one that would lose what was posted. */
export function isRedirect(status: number, location: string | undefined, isPost = false): location is string {
  return (isPost ? REPEATS : REDIRECTS).has(status) && !!location
}

/** The address a redirect leads to. */
export function redirectTarget(from: URL, location: string): URL {
  if (!URL.canParse(asText(location), from.href)) throw new NetTrouble('redirects', 'a redirect leads to no address')
  const to = parseTarget(asText(location), from)
  // Credentials are those of the address we were given; what a server writes into a redirect is no password of ours.
  const keeps = isTrusted(from, to)
  to.username = keeps ? from.username : ''
  to.password = keeps ? from.password : ''
  return to
}

/** The caller's headers for the next request: all but a password, where the next one is somebody else. */
export function headersAfterRedirect(headers: Record<string, string>, from: URL, to: URL): Record<string, string> {
  if (isTrusted(from, to)) return headers
  const { authorization, ...others } = headers
  return others
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const REPEATS = new Set([307, 308])

/** The same origin, or the same host made safe: http://a to https://a, on the usual ports. */
function isTrusted(from: URL, to: URL): boolean {
  const upgraded = from.protocol === 'http:' && to.protocol === 'https:' && !from.port && !to.port
  return from.origin === to.origin || (upgraded && from.hostname === to.hostname)
}

/** Headers arrive as latin1; a location with letters beyond ASCII is mostly UTF-8. */
function asText(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  const text = bytes.toString('utf8')
  return text.includes('\ufffd') ? header : text
}
