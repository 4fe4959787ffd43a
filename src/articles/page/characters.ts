/**
 * What characters are, asked of a table: a regular expression with Unicode properties is several times slower, and these
 * questions are put to every character of a page. The table is filled as characters turn up.
 */

const OTHER = 1
const LETTER = 2
/** Of a script that writes no spaces between words. */
const UNSPACED = 3

const kinds = new Uint8Array(0x10000)

for (let code = 0; code < 128; code++) kinds[code] = /[A-Za-z0-9]/.test(String.fromCharCode(code)) ? LETTER : OTHER

function kindOf(code: number): number {
  return kinds[code] || learn(code)
}

/** Halves of a pair beyond U+FFFF count as letters: most of what is written there is Han, the rest are signs that do no harm. */
function learn(code: number): number {
  const character = String.fromCharCode(code)
  const isLetter = (code >= 0xd840 && code < 0xe000) || /[\p{L}\p{M}\p{N}]/u.test(character)
  kinds[code] = mayBeUnspaced(code) && UNSPACED_SCRIPTS.test(character) ? UNSPACED : isLetter ? LETTER : OTHER
  return kinds[code]
}

/** Thai is the first of those scripts; dashes, quotation marks and their like stand between them. */
function mayBeUnspaced(code: number): boolean {
  return code >= 0xe00 && (code < 0x1a00 || code >= 0x2e80)
}

const UNSPACED_SCRIPTS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Text without case, spaces and signs, for comparing what two places say. */
export function lettersOf(text: string): string {
  let letters = ''
  let start = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if ((kinds[code] || learn(code)) !== OTHER) continue
    if (i > start) letters += text.slice(start, i)
    start = i + 1
  }
  return (letters + text.slice(start)).toLowerCase()
}

/**
 * How many words a text has. Where a script writes no spaces between them, two characters count for one, which is what
 * they are on average.
 */
export function countWords(text: string): number {
  let words = 0
  let unspaced = 0
  /** 1 in a word, else 0: most characters are letters in words, and this way cost no branch. */
  let inWord = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const kind = kinds[code] || learn(code)
    unspaced += kind === UNSPACED ? 1 : 0
    if (kind === LETTER) {
      words += 1 - inWord
      inWord = 1
    } else if (inWord === 1) {
      // A sign between two letters does not end a word: don't, 3.5, e-mail.
      inWord = code !== SPACE && JOINS.has(code) && isLetterAt(text, i + 1) ? 1 : 0
    }
  }
  return words + ((unspaced + 1) >> 1)
}

function isLetterAt(text: string, at: number): boolean {
  return at < text.length && kindOf(text.charCodeAt(at)) === LETTER
}

const SPACE = 32
const JOINS: ReadonlySet<number> = new Set(["'", '’', '.', ',', '-'].map((sign) => sign.charCodeAt(0)))
