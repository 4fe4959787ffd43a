/**
 * A headline and a text in the parts of which habits are made: the labels before and behind a headline, and the sentences
 * of the text. A sentence that repeats the headline ("The post ... appeared first on ...") is known by the rest of it.
 */
import type { PlainItem } from '../said.ts'
import { hashWord } from '../sign/hash.ts'
import { stemOf } from '../sign/signature.ts'
import { CONTENT, kindOfWord } from '../sign/word-kinds.ts'
import { wordsOf } from '../sign/words.ts'

export interface Part {
  /** As it stands there, with what separates it from the next. */
  text: string
  /** What it is known by; absent, both, if it is too short to be known, or in the middle of a headline. */
  kind?: 'label' | 'sentence' | undefined
  hash?: number
  /** Its content words. */
  stems: number[]
}

export interface Parts {
  /** In the order in which they stand there. What is before the first dash, bar or colon, or behind the last, may be a label. */
  title: Part[]
  text: Part[]
  /** The content words of the headline, with its labels. */
  headline: number[]
  /** Of the text, what is not looked at. */
  rest: string
}

const LOOKED_AT = 4_000 // characters of the text: what is signed is its beginning
const SHORTEST_SENTENCE = 3 // words; shorter ones weigh nothing, and abbreviations look like them
const TITLE_WORDS = 24
const HEADLINE_STEMS = 12
const TITLE = '\u0001'

/**
 * The habits of its feed and those of all ask for the same item's, and so does who takes them off: it is cut once. Those of a bite are
 * remembered, in a map that is emptied: one with weak keys would grow until all of memory is looked through, and make every
 * collection of young objects before that look through it.
 */
const cutBefore = new Map<PlainItem, Parts>()
const MOST_CUT = 600

export function partsOf(item: PlainItem): Parts {
  const before = cutBefore.get(item)
  if (before) return before
  const parts = cut(item)
  if (cutBefore.size >= MOST_CUT) cutBefore.clear()
  cutBefore.set(item, parts)
  return parts
}

function cut({ title, text }: PlainItem): Parts {
  const segments = title.split(BETWEEN_LABELS).filter((segment) => segment !== '')
  const titleParts = segments.map((segment, i): Part => {
    const isLabel = segments.length > 1 && (i === 0 || i === segments.length - 1)
    return partOf(segment, isLabel ? 'label' : undefined, 1)
  })
  const headline = [...new Set(stemsOf(wordsOf(title, TITLE_WORDS)))].slice(0, HEADLINE_STEMS)
  const beginning = text.slice(0, LOOKED_AT)
  const marked = title.length > 3 ? beginning.replaceAll(title, TITLE) : beginning
  const textParts = marked.split(BETWEEN_SENTENCES).map((sentence) => {
    const part = partOf(sentence, 'sentence', SHORTEST_SENTENCE)
    return { ...part, text: part.text.replaceAll(TITLE, title) }
  })
  return { title: titleParts, text: textParts, headline, rest: text.slice(LOOKED_AT) }
}

/** Behind a dash, a bar or a colon; it stays with what is before it. */
const BETWEEN_LABELS = /(?<=\s[-–—|·»:]\s|[^\s\d][:：]\s|[_|｜】：]\s?)(?=\S)/u

/** Behind the end of a sentence, or at the end of a line. */
const BETWEEN_SENTENCES = /(?<=[.!?…]["'”’)\]]*\s+)(?=\S)|(?<=[。！？])|(?<=\n)(?=\S)/u

function partOf(text: string, kind: Part['kind'], fewest: number): Part {
  const words = wordsOf(text)
  const stems = stemsOf(words)
  if (!kind || words.length < fewest) return { text, stems }
  return { text, kind, hash: hashWord(`${kind} ${words.join(' ')}`), stems }
}

function stemsOf(words: readonly string[]): number[] {
  return words.filter((word) => kindOfWord(word) === CONTENT).map(stemOf)
}
