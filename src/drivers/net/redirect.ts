/** Where an answer sends us. */
import { parseTarget } from './target.ts'
import { NetTrouble } from './trouble.ts'

/** One that does not say where to is an answer like any other; so is one that would lose what was posted. */
export function isRedirect(status: number, location: string | undefined, isPost = false): location is string {
  return (isPost ? REPEATS : REDIRECTS).has(status) && !!location
}

/** The address a redirect leads to. */
export function redirectTarget(from: URL, location: string): URL {
  if (!URL.canParse(asText(location), from.href)) throw new NetTrouble('redirects', 'a redirect leads to no address')
  return parseTarget(asText(location), from)
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const REPEATS = new Set([307, 308])

/** Headers arrive as latin1; a location with letters beyond ASCII is mostly UTF-8. */
function asText(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  const text = bytes.toString('utf8')
  return text.includes('\ufffd') ? header : text
}
