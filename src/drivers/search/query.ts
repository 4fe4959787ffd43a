/**
 * What people type into a search field, read as words, "phrases", -exclusions and beginnings*. Nothing is an error: what
 * makes no sense as one of these is taken as words, and what holds no letter or digit is left out. Queries are cut to a
 * length that nobody types by hand, so that a pasted book costs no more than a sentence.
 */
export interface QueryTerm {
  /** One word or several that must stand together; holds no quote and no control character. */
  text: string
  /** Whether the last word may go on. */
  prefix: boolean
}

export interface Query {
  wanted: QueryTerm[]
  unwanted: QueryTerm[]
}

const MAX_LENGTH = 1000
const MAX_TERMS = 16

/**
 * At the end of a beginning: what one or two letters of an alphabet begin is a good part of everything, and finding that much
 * takes seconds where much is stored; so a* and ab* are taken as words. Two syllables or pictures say as much as a word.
 */
const ENOUGH = /(?:[\p{L}\p{N}]{3}|[^\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\P{L}]{2})[^\p{L}\p{N}]*$/u

export function parseQuery(text: string): Query {
  const plain = text
    .slice(0, MAX_LENGTH)
    .replace(/[“”„«»]/g, '"')
    .replace(/[\p{Cc}\p{Cs}]/gu, ' ')
  const query: Query = { wanted: [], unwanted: [] }
  for (const [piece] of plain.matchAll(/-?"[^"]*"?\*?|[^\s"]+/g)) {
    const words = piece.replaceAll('"', ' ').trim()
    if (!/[\p{L}\p{N}]/u.test(words)) continue
    const term = { text: words, prefix: piece.endsWith('*') && ENOUGH.test(words) }
    if (piece.startsWith('-')) query.unwanted.push(term)
    else query.wanted.push(term)
    if (query.wanted.length + query.unwanted.length === MAX_TERMS) break
  }
  return query
}

const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu

/** Accents of Greek, and points of Hebrew and Arabic, which few write: letters with them, and marks by themselves. */
const POINTED =
  /[\u0386\u0388-\u0390\u03aa-\u03b0\u03ca-\u03ce\u1f00-\u1fff]|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]/g

/**
 * What an index should see of a text or a query. Where a script writes no spaces every letter counts as a word, and a word
 * of several letters is found as a phrase. The one letter that becomes two in upper case is two everywhere, and the one that
 * is another at the end of a word is not. What Latin letters wear, the indexes take off themselves.
 */
export function searchable(text: string): string {
  return text
    .replace(WITHOUT_SPACES, ' $& ')
    .replace(/[ßẞ]/g, 'ss')
    .replace(POINTED, (letter) => letter.normalize('NFD').replace(/\p{M}+/gu, ''))
    .replace(/[ςΣ]/g, 'σ')
    .replace(/[ёЁ]/g, 'е')
}
