/**
 * Classifies characters with a table: a regular expression with Unicode properties is several times slower, and every
 * character of a page is classified. The table is filled on demand.
 */

const OTHER = 1
const LETTER = 2
/** A letter of a script without spaces between words. */
const UNSPACED = 4
/** Punctuation that does not end a word between two letters: don't, 3.5, e-mail. */
const JOINT = 8

const kinds = new Uint8Array(0x10000)

for (let code = 0; code < 128; code++) kinds[code] = /[A-Za-z0-9]/.test(String.fromCharCode(code)) ? LETTER : OTHER
for (const sign of "',-.’") kinds[sign.charCodeAt(0)] = JOINT

function kindOf(code: number): number {
  return kinds[code] || learn(code)
}

/** Surrogates count as letters: beyond U+FFFF most characters are Han, and the rest do no harm. */
function learn(code: number): number {
  const character = String.fromCharCode(code)
  const isLetter = (code >= 0xd840 && code < 0xe000) || /[\p{L}\p{M}\p{N}]/u.test(character)
  kinds[code] = mayBeUnspaced(code) && UNSPACED_SCRIPTS.test(character) ? UNSPACED : isLetter ? LETTER : OTHER
  return kinds[code]
}

/** Thai is the first of those scripts; dashes and quotation marks lie between their ranges. */
function mayBeUnspaced(code: number): boolean {
  return code >= 0xe00 && (code < 0x1a00 || code >= 0x2e80)
}

const UNSPACED_SCRIPTS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Normalizes text for comparison: no case, spaces or punctuation. */
export function normalizeLetters(text: string): string {
  let letters = ''
  let start = 0
  for (let i = 0; i < text.length; i++) {
    if ((kindOf(text.charCodeAt(i)) & (LETTER | UNSPACED)) !== 0) continue
    if (i > start) letters += text.slice(start, i)
    start = i + 1
  }
  return (letters + text.slice(start)).toLowerCase()
}

/**
 * Counts words. In scripts without spaces two characters count as one word, which is their average length. The loop avoids
 * rare branches, so that it is compiled only once.
 */
export function countWords(text: string): number {
  const { length } = text
  let words = 0
  let unspaced = 0
  /** 1 inside a word, else 0. */
  let inWord = 0
  let kind = length > 0 ? kindOf(text.charCodeAt(0)) : OTHER
  for (let i = 1; i <= length; i++) {
    const next = i < length ? kindOf(text.charCodeAt(i)) : OTHER
    const isLetter = (kind & LETTER) >> 1
    words += isLetter & (1 - inWord)
    unspaced += (kind & UNSPACED) >> 2
    inWord = isLetter | (inWord & (kind >> 3) & (next >> 1))
    kind = next
  }
  return words + ((unspaced + 1) >> 1)
}
