/**
 * Patterns of robots.txt against paths (RFC 9309, 2.2.2 and 2.2.3): `*` stands for anything, `$` at the end for the end.
 *
 * Both sides are first *settled*, so that octets can be compared: %7E becomes ~, what has to be encoded is, and hex digits
 * are upper case. In a settled path a `*` or `$` is written %2A or %24; in a settled pattern those that are left mean
 * something. The pieces between stars are sought from left to right, each as early as it occurs, which is enough for a
 * match and never goes back: a hostile pattern costs as much as its length and the path's, no more.
 */

export function settledPath(path: string): string {
  return settled(path).replaceAll('*', '%2A').replaceAll('$', '%24')
}

export function settledPattern(pattern: string): string {
  const anchored = pattern.endsWith('$')
  const body = settled(anchored ? pattern.slice(0, -1) : pattern).replaceAll('$', '%24')
  return anchored ? `${body}$` : body
}

/** Both settled. */
export function matches(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith('$')
  const pieces = (anchored ? pattern.slice(0, -1) : pattern).split('*')
  const first = pieces.shift() ?? ''
  if (!path.startsWith(first)) return false
  if (pieces.length === 0) return !anchored || path.length === first.length

  const last = anchored ? (pieces.pop() ?? '') : ''
  let from = first.length
  for (const piece of pieces) {
    const at = indexOfPiece(path, piece, from)
    if (at < 0) return false
    from = at + piece.length
  }
  return path.length - last.length >= from && path.endsWith(last)
}

const ESCAPED_OR_UNFIT = /%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~:/?#[\]@!&'()+,;=*$]/gu
const UNRESERVED = /[A-Za-z0-9\-._~]/

function settled(text: string): string {
  const encoded = text.toWellFormed().replace(ESCAPED_OR_UNFIT, (piece) => {
    if (piece.length < 3) return encodeURIComponent(piece)
    const character = String.fromCharCode(Number.parseInt(piece.slice(1), 16))
    return UNRESERVED.test(character) ? character : piece.toUpperCase()
  })
  const query = encoded.indexOf('?')
  if (query < 0) return encoded
  // In a query these two mean the same with and without encoding (RFC 9309, the second line of the table in 2.2.2).
  return encoded.slice(0, query) + encoded.slice(query).replaceAll('%3A', ':').replaceAll('%2F', '/')
}

const SHORT = 16 // so few looks at each character at worst, and the engine's own search is three times as fast

/** As `indexOf`, which takes the product of both lengths at worst; this takes their sum (Knuth, Morris, Pratt 1977). */
function indexOfPiece(path: string, piece: string, from: number): number {
  if (piece.length > path.length - from) return -1
  if (piece.length <= SHORT) return path.indexOf(piece, from)
  const fallbacks = fallbacksOf(piece)
  let matched = 0
  for (let at = from; at < path.length; at++) {
    const code = path.charCodeAt(at)
    while (matched > 0 && code !== piece.charCodeAt(matched)) matched = fallbacks[matched - 1]!
    if (code === piece.charCodeAt(matched)) matched++
    if (matched === piece.length) return at - matched + 1
  }
  return -1
}

/** For each beginning of the piece, the length of its longest proper beginning that it also ends with. */
function fallbacksOf(piece: string): Uint32Array {
  const fallbacks = new Uint32Array(piece.length)
  let matched = 0
  for (let at = 1; at < piece.length; at++) {
    const code = piece.charCodeAt(at)
    while (matched > 0 && code !== piece.charCodeAt(matched)) matched = fallbacks[matched - 1]!
    if (code === piece.charCodeAt(matched)) matched++
    fallbacks[at] = matched
  }
  return fallbacks
}
