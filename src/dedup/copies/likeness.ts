/**
 * What two skeletons have in common besides the alignment of their texts: how far the headlines agree, whether either
 * headline mentions what the other item is about, and whether the numbers agree. It only counts; verify-copy.ts draws the
 * conclusions.
 */
import type { IndexWords } from '../sign/index-words.ts'
import { CONTENT, NUMBER, SERIAL } from '../sign/word-kinds.ts'

export interface TitleLikeness {
  /** Words, without repetitions. */
  a: number
  b: number
  both: number
  /** Among the words that only one of them has: content words, and numbers or serial words. */
  contentA: number
  contentB: number
  numbersA: number
  numbersB: number
}

export function titleLikeness(a: IndexWords, b: IndexWords): TitleLikeness {
  const own = ownWords(a, b)
  const others = ownWords(b, a)
  return {
    a: own.count,
    b: others.count,
    both: own.both,
    contentA: own.content,
    contentB: others.content,
    numbersA: own.numbers,
    numbersB: others.numbers,
  }
}

function ownWords(a: IndexWords, b: IndexWords): { count: number; both: number; content: number; numbers: number } {
  const own = { count: 0, both: 0, content: 0, numbers: 0 }
  for (let i = 0; i < a.titleWords; i++) {
    const word = a.words[i]!
    if (has(a.words, word, 0, i)) continue
    own.count++
    if (has(b.words, word, 0, b.titleWords)) own.both++
    else if ((word & 3) === CONTENT) own.content++
    else if ((word & 3) === NUMBER || (word & 3) === SERIAL) own.numbers++
  }
  return own
}

export interface Subjects {
  /** Share of a headline's content words found anywhere in the other item; the maximum of both directions. */
  echoed: number
  /** Content words of either headline that occur in both texts. */
  shared: number
  /** Content words in headline *and* text of one that the other lacks: what only this one is about. */
  onlyA: number
  onlyB: number
  /** One of those stands within what both texts say: "soybean meal" where the other has "soybean". */
  putIn: boolean
}

export function subjects(a: IndexWords, b: IndexWords): Subjects {
  const own = subject(a, b)
  const others = subject(b, a)
  const echoed = Math.max(own.echoed, others.echoed)
  return {
    echoed,
    shared: own.shared + others.shared,
    onlyA: own.only,
    onlyB: others.only,
    putIn: own.putIn || others.putIn,
  }
}

function subject(a: IndexWords, b: IndexWords): { echoed: number; shared: number; only: number; putIn: boolean } {
  let content = 0
  let found = 0
  let shared = 0
  let only = 0
  let putIn = false
  for (let i = 0; i < a.titleWords; i++) {
    const word = a.words[i]!
    if ((word & 3) !== CONTENT || has(a.words, word, 0, i)) continue
    content++
    const inOwnText = has(a.words, word, a.titleWords, a.words.length)
    if (has(b.words, word, 0, b.words.length)) found++
    else if (inOwnText) {
      only++
      putIn ||= standsAmid(a, b, a.words.indexOf(word, a.titleWords))
    }
    if (inOwnText && has(b.words, word, b.titleWords, b.words.length)) shared++
  }
  return { echoed: content ? found / content : 0, shared, only, putIn }
}

/** Whether its neighbours left and right (skipping other words missing in b's text) are neighbours there. */
function standsAmid(a: IndexWords, b: IndexWords, at: number): boolean {
  const isOwn = (i: number) => !has(b.words, a.words[i]!, b.titleWords, b.words.length)
  let left = at
  while (left >= a.titleWords && isOwn(left)) left--
  let right = at
  while (right < a.words.length && isOwn(right)) right++
  if (left < a.titleWords || right === a.words.length) return false
  for (let i = b.titleWords + 1; i < b.words.length; i++)
    if (b.words[i - 1] === a.words[left] && b.words[i] === a.words[right]) return true
  return false
}

/** Numbers in digits that only one text has, and that both have. */
export interface Figures {
  onlyA: number
  onlyB: number
  both: number
}

export function figures(a: IndexWords, b: IndexWords): Figures {
  const own = figuresOf(a, b)
  return { onlyA: own.only, onlyB: figuresOf(b, a).only, both: own.both }
}

function figuresOf(a: IndexWords, b: IndexWords): { only: number; both: number } {
  let only = 0
  let both = 0
  for (let i = a.titleWords; i < a.words.length; i++) {
    const word = a.words[i]!
    if ((word & 3) !== NUMBER || has(a.words, word, a.titleWords, i)) continue
    if (has(b.words, word, b.titleWords, b.words.length)) both++
    else only++
  }
  return { only, both }
}

/** Content words of a's text that b lacks. */
export function contentOnlyIn(a: IndexWords, b: IndexWords): number {
  let count = 0
  for (let i = a.titleWords; i < a.words.length; i++)
    if ((a.words[i]! & 3) === CONTENT && !has(b.words, a.words[i]!, 0, b.words.length)) count++
  return count
}

/** Content words of a's headline that occur in b. */
export function headlineWordsIn(a: IndexWords, b: IndexWords): number {
  let count = 0
  for (let i = 0; i < a.titleWords; i++)
    if ((a.words[i]! & 3) === CONTENT && has(b.words, a.words[i]!, 0, b.words.length)) count++
  return count
}

/** Content words of the text that has fewer. */
export function minContentWords(a: IndexWords, b: IndexWords): number {
  return Math.min(contentOf(a), contentOf(b))
}

function contentOf({ words, titleWords }: IndexWords): number {
  let content = 0
  for (let i = titleWords; i < words.length; i++) if ((words[i]! & 3) === CONTENT) content++
  return content
}

function has(words: Uint16Array, word: number, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (words[i] === word) return true
  return false
}
