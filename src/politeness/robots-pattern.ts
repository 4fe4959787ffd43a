/**
 * Matches robots.txt patterns against paths (RFC 9309, 2.2.2 and 2.2.3): `*` matches anything, `$` at the end matches the end.
 *
 * Both sides are normalized first, so that bytes can be compared: %7E becomes ~, characters that need encoding are encoded, hex digits
 * are upper case. In a normalized path `*` and `$` are written %2A and %24; in a normalized pattern the remaining ones are special.
 * The parts between stars are searched from left to right, each at its first occurrence, which is sufficient and needs no
 * backtracking: a hostile pattern costs only the sum of both lengths.
 */

export function normalizePath(path: string): string {
  return normalize(path).replaceAll('*', '%2A').replaceAll('$', '%24')
}

export function normalizePattern(pattern: string): string {
  const anchored = pattern.endsWith('$')
  const body = normalize(anchored ? pattern.slice(0, -1) : pattern).replaceAll('$', '%24')
  return anchored ? `${body}$` : body
}

/** Both must be normalized. */
export function matches(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith('$')
  const literals = (anchored ? pattern.slice(0, -1) : pattern).split('*')
  const first = literals.shift() ?? ''
  if (!path.startsWith(first)) return false
  if (literals.length === 0) return !anchored || path.length === first.length

  const last = anchored ? (literals.pop() ?? '') : ''
  let from = first.length
  for (const literal of literals) {
    const at = indexOfLiteral(path, literal, from)
    if (at < 0) return false
    from = at + literal.length
  }
  return path.length - last.length >= from && path.endsWith(last)
}

const ESCAPED_OR_UNFIT = /%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~:/?#[\]@!&'()+,;=*$]/gu
const UNRESERVED = /[A-Za-z0-9\-._~]/

function normalize(text: string): string {
  const encoded = text.toWellFormed().replace(ESCAPED_OR_UNFIT, (match) => {
    if (match.length < 3) return encodeURIComponent(match)
    const character = String.fromCharCode(Number.parseInt(match.slice(1), 16))
    return UNRESERVED.test(character) ? character : match.toUpperCase()
  })
  const query = encoded.indexOf('?')
  if (query < 0) return encoded
  // In a query, these two are equivalent with and without encoding (RFC 9309, second line of the table in 2.2.2).
  return encoded.slice(0, query) + encoded.slice(query).replaceAll('%3A', ':').replaceAll('%2F', '/')
}

const SHORT = 16 // characters up to which indexOf is three times as fast and its worst case is fine

/** Like `indexOf`, which takes the product of both lengths in the worst case; this takes their sum (Knuth, Morris, Pratt 1977). */
function indexOfLiteral(path: string, literal: string, from: number): number {
  if (literal.length > path.length - from) return -1
  if (literal.length <= SHORT) return path.indexOf(literal, from)
  const fallbacks = fallbacksOf(literal)
  let matched = 0
  for (let at = from; at < path.length; at++) {
    const code = path.charCodeAt(at)
    while (matched > 0 && code !== literal.charCodeAt(matched)) matched = fallbacks[matched - 1]!
    if (code === literal.charCodeAt(matched)) matched++
    if (matched === literal.length) return at - matched + 1
  }
  return -1
}

/** The failure function: for each prefix, the length of its longest proper prefix that is also its suffix. */
function fallbacksOf(literal: string): Uint32Array {
  const fallbacks = new Uint32Array(literal.length)
  let matched = 0
  for (let at = 1; at < literal.length; at++) {
    const code = literal.charCodeAt(at)
    while (matched > 0 && code !== literal.charCodeAt(matched)) matched = fallbacks[matched - 1]!
    if (code === literal.charCodeAt(matched)) matched++
    fallbacks[at] = matched
  }
  return fallbacks
}
