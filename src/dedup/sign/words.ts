/**
 * Splits text of any script into words. A word is a run of letters and digits, without case, accents and vowel points. In
 * scripts without spaces (Han, Kana, Thai, Lao, Khmer, Burmese) every pair of neighbouring characters is a word, which needs
 * no dictionary, and an edited character changes only two words. Every character is examined once.
 */

const OTHER = 1
const LETTER = 2
const DIGIT = 3
const UNSPACED = 4

/** At most `limit` words from the start of the text. */
export function wordsOf(text: string, limit = Number.POSITIVE_INFINITY): string[] {
  const folded = fold(text)
  const words: string[] = []
  let at = 0
  while (at < folded.length && words.length < limit) {
    const kind = kindAt(folded, at)
    if (kind === OTHER) at++
    else if (kind === UNSPACED) at = takePairs(folded, at, words, limit)
    else at = takeWord(folded, at, words)
  }
  return words
}

/** Lower case, without compatibility forms, accents and vowel points. Japanese and Korean are composed again. */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (!/[^\0-\x7f]/.test(lower)) return lower
  const folded = lower.normalize('NFKD').replace(MARKS, '').normalize('NFC')
  const spelt = folded.replaceAll('ß', 'ss').replaceAll('ı', 'i').replaceAll('ς', 'σ')
  return HAN.test(spelt) ? spelt.replace(QUOTES_IN_HAN, '').replace(HAN_FIGURES, inFigures) : spelt
}

const HAN = /\p{Script=Han}/u

/** They vary from copy to copy; in other scripts they separate words. */
const QUOTES_IN_HAN = /(?<=\p{Script=Han})["'“”‘’「」『』《》〈〉]+(?=\p{Script=Han})/gu

/**
 * "一千万" and "1000万" are one number. At least two numerals: a single one is mostly part of a word. 万 stays as it is, as it
 * also follows digits.
 */
const HAN_FIGURES = /[〇零一二三四五六七八九十百千]{2,12}/gu

function inFigures(numerals: string): string {
  if (!/[十百千]/.test(numerals)) return Array.from(numerals, (digit) => HAN_DIGITS.indexOf(digit) % 10).join('')
  let total = 0
  let digit = 0
  for (const numeral of numerals) {
    const power = '十百千'.indexOf(numeral)
    if (power < 0) digit = HAN_DIGITS.indexOf(numeral) % 10
    else total += (digit || 1) * 10 ** (power + 1)
    if (power >= 0) digit = 0
  }
  return String(total + digit)
}

/** Zero has two forms. */
const HAN_DIGITS = '零一二三四五六七八九〇'

/** Latin accents; Hebrew and Arabic points and tatweel; soft hyphens, joiners and direction marks. */
const MARKS = new RegExp(
  '[\\u0300-\\u036f\\u0591-\\u05c7\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670' +
    '\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\ufeff]',
  'g',
)

/** A run of letters and digits; a point or comma between digits belongs to the number. */
function takeWord(text: string, start: number, words: string[]): number {
  let at = start + 1
  for (; at < text.length; at++) {
    const kind = kindAt(text, at)
    if (kind === LETTER || kind === DIGIT) continue
    const code = text.charCodeAt(at)
    const joins = (code === 46 || code === 44) && kindAt(text, at - 1) === DIGIT && kindAt(text, at + 1) === DIGIT
    if (!joins) break
  }
  words.push(text.slice(start, at))
  return at
}

function takePairs(text: string, start: number, words: string[], limit: number): number {
  let at = start + 1
  while (at < text.length && kindAt(text, at) === UNSPACED) {
    if (words.length >= limit) return at
    words.push(text.slice(at - 1, at + 1))
    at++
  }
  if (at === start + 1) words.push(text[start]!)
  return at
}

/** Filled on demand: testing each character with a regular expression is slow, and most texts use few. */
const kinds = new Uint8Array(0x10000)

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (Number.isNaN(code)) return OTHER
  return kinds[code] || learnKind(code)
}

/** Surrogates count as letters: rare Han then makes long words, which is good enough. */
function learnKind(code: number): number {
  const character = String.fromCharCode(code)
  const isHalf = code >= 0xd800 && code < 0xe000
  const kind = UNSPACED_SCRIPTS.test(character)
    ? UNSPACED
    : /\p{Nd}/u.test(character)
      ? DIGIT
      : isHalf || /[\p{L}\p{M}\p{N}]/u.test(character)
        ? LETTER
        : OTHER
  kinds[code] = kind
  return kind
}

const UNSPACED_NAMES = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
/** Includes the mark that lengthens Kana, which belongs to no script. */
export const UNSPACED_SCRIPTS = new RegExp(
  `[\u30fc${UNSPACED_NAMES.map((name) => `\\p{Script=${name}}`).join('')}]`,
  'u',
)
