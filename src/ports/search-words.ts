/**
 * What an index sees of a text or a query, and what a reader sees marked in it: both fold words in the same way. Where a script
 * writes no spaces, or glues what we would call words together (Korean), every letter counts as a word, and a word of several
 * letters is found as a phrase. The one letter that becomes two in upper case is two everywhere, and the one that is another at the
 * end of a word is not. Wide and narrow forms of a letter are one.
 */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
const WITHOUT_SPACES = new RegExp(`[${UNSPACED}]`, 'gu')
const BEGINS_WITHOUT_SPACES = new RegExp(`^[${UNSPACED}]`, 'u')
const THAI = 0xe00 // the first of these scripts
const ENDS_WITHOUT_SPACES = new RegExp(`[${UNSPACED}]$`, 'u')
const WORDS = new RegExp(`[${UNSPACED}]\\p{M}*|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, 'gu')

/** Accents of Greek, and points of Hebrew and Arabic, which few write: letters with them, and marks by themselves. */
const POINTED =
  /[\u0386\u0388-\u0390\u03aa-\u03b0\u03ca-\u03ce\u1f00-\u1fff]|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]/g

const MARKED_CYRILLIC = /[ЀЁЃЇЌЍЎЙйѐёѓїќѝў]/g

/** More than most texts in Latin or Cyrillic letters have, of which we know a shorter way: quotes and dashes among them part words, as any sign does. */
const BEYOND_USUAL = /[^\t\n\r -~\u00a0«»\u2010-\u2027À-ÖØ-öø-ıĴ-ľŁ-ňŊ-žЀ-џ]/
const bareLetters = new Map<string, string>()

/** With letters of unspaced scripts apart. What Latin letters wear, an index takes off itself. */
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
 * The beginning of a text, with so many words at most, and so many different ones: what it costs to put a text into an index
 * depends on these, not on its length.
 */
export function searchedPart(text: string, most: { words: number; different: number }): string {
  if (text.length <= most.different) return text
  const met = new Set<string>()
  let words = 0
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    met.add(word)
    if (++words > most.words || met.size > most.different) return text.slice(0, index)
  }
  return text
}

/** The words of a text, folded: without case, accents and points. */
export function foldedWords(text: string): string[] {
  return searchedWords(searchable(text))
}

/** The same of what `searchable` made of it. */
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

/** Whether a folded word is a letter of a script without spaces: nothing goes on behind it. */
export function isAlone(word: string): boolean {
  return word.charCodeAt(0) >= THAI && BEGINS_WITHOUT_SPACES.test(word)
}

export interface PlacedWord {
  /** Folded; one word that people write may be several. */
  folded: string
  from: number
  to: number
}

/** The words of a text, each with its place in it. */
export function* placedWords(text: string): Generator<PlacedWord> {
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    const folded = foldedWords(word).join('')
    if (folded) yield { folded, from: index, to: index + word.length }
  }
}

/** Whether a word may be taken for a beginning: one letter begins a good part of everything, and of pictures each is whole. */
export function canBegin(text: string): boolean {
  const letters = text.replace(/[^\p{L}\p{N}]+$/u, '')
  return !isTooShortToBegin(letters) && !ENDS_WITHOUT_SPACES.test(letters)
}

/** A single letter; a single picture is a whole word, and found as one. */
export function isTooShortToBegin(text: string): boolean {
  const letters = text.replace(/[^\p{L}\p{N}]+$/u, '')
  return (foldedWords(letters).at(-1)?.length ?? 0) < 2 && !ENDS_WITHOUT_SPACES.test(letters)
}
