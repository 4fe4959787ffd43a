/**
 * Folding of words for search, used alike for indexed texts, queries, and highlighting. In scripts without spaces, and in Korean, whose
 * words are compounds, every letter counts as a word, and a longer word is searched as a phrase. ß is folded to ss, final sigma to sigma,
 * and full-width and half-width forms of a letter to one form.
 */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
const WITHOUT_SPACES = new RegExp(`[${UNSPACED}]`, 'gu')
const BEGINS_WITHOUT_SPACES = new RegExp(`^[${UNSPACED}]`, 'u')
const THAI = 0xe00 // the first of the scripts without spaces
const ENDS_WITHOUT_SPACES = new RegExp(`[${UNSPACED}]$`, 'u')
const WORDS = new RegExp(`[${UNSPACED}]\\p{M}*|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, 'gu')

/** Greek letters with accents, and points of Hebrew and Arabic, which are rarely typed. */
const POINTED =
  /[\u0386\u0388-\u0390\u03aa-\u03b0\u03ca-\u03ce\u1f00-\u1fff]|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]/g

const MARKED_CYRILLIC = /[ЀЁЃЇЌЍЎЙйѐёѓїќѝў]/g

/** Characters outside of usual Latin and Cyrillic text, for which there is a faster path. Its quotes and dashes separate words, as all punctuation does. */
const BEYOND_USUAL = /[^\t\n\r -~\u00a0«»\u2010-\u2027À-ÖØ-öø-ıĴ-ľŁ-ňŊ-žЀ-џ]/
const bareLetters = new Map<string, string>()

/** The text to index, with spaces between letters of scripts without spaces. Accents of Latin letters are removed by the index itself. */
export function searchable(text: string): string {
  if (!BEYOND_USUAL.test(text)) return text.replaceAll('ß', 'ss').replace(MARKED_CYRILLIC, bareLetter)
  return text
    .normalize('NFKC')
    .replace(WITHOUT_SPACES, ' $& ')
    .replace(/[ßẞ]/g, 'ss')
    .replace(POINTED, (letter) => letter.normalize('NFD').replace(/\p{M}+/gu, ''))
    .replace(/[ςΣ]/g, 'σ')
    .replace(MARKED_CYRILLIC, bareLetter)
}

/**
 * The start of a text, limited in words and in different words: the cost of indexing a text depends on these numbers, not on its length.
 */
export function searchedPart(text: string, max: { words: number; different: number }): string {
  if (text.length <= max.different) return text
  const seen = new Set<string>()
  let words = 0
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    seen.add(word)
    if (++words > max.words || seen.size > max.different) return text.slice(0, index)
  }
  return text
}

/** The words of a text, folded: in lower case, without accents and points. */
export function foldedWords(text: string): string[] {
  return searchedWords(searchable(text))
}

/** As `foldedWords`, of the result of `searchable`. */
export function searchedWords(searched: string): string[] {
  if (!BEYOND_USUAL.test(searched))
    return (
      searched
        .replace(/[À-ž]/g, bareLetter)
        .toLowerCase()
        .match(/[a-z0-9ß-öø-žа-џ]+/g) ?? []
    )
  return (
    searched
      .normalize('NFD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

function bareLetter(letter: string): string {
  const bare = bareLetters.get(letter) ?? letter.normalize('NFD').replace(/\p{M}+/gu, '')
  bareLetters.set(letter, bare)
  return bare
}

/** Whether a folded word is a letter of a script without spaces, so that nothing can continue it. */
export function isAlone(word: string): boolean {
  return word.charCodeAt(0) >= THAI && BEGINS_WITHOUT_SPACES.test(word)
}

export interface WordPosition {
  /** Folded. One written word may become several. */
  folded: string
  from: number
  to: number
}

/** The words of a text with their positions. */
export function* wordPositions(text: string): Generator<WordPosition> {
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    const folded = foldedWords(word).join('')
    if (folded) yield { folded, from: index, to: index + word.length }
  }
}

/** Whether a word may be searched as a prefix: not single letters, which match too much, and not logograms, which are whole words. */
export function canBegin(text: string): boolean {
  const letters = text.replace(/[^\p{L}\p{N}]+$/u, '')
  return !isTooShortToBegin(letters) && !ENDS_WITHOUT_SPACES.test(letters)
}

/** A single letter. A single logogram is a whole word and is not too short. */
export function isTooShortToBegin(text: string): boolean {
  const letters = text.replace(/[^\p{L}\p{N}]+$/u, '')
  return (foldedWords(letters).at(-1)?.length ?? 0) < 2 && !ENDS_WITHOUT_SPACES.test(letters)
}
