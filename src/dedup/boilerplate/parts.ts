/**
 * Splits a headline and a text into the units of boilerplate: labels before and after a headline, and the sentences of the
 * text. A sentence that repeats the headline ("The post ... appeared first on ...") is identified by the rest of it.
 */
import type { PlainItem } from '../plain-item.ts'
import { hashWord } from '../sign/hash.ts'
import { stemOf } from '../sign/signature.ts'
import { CONTENT, kindOfWord } from '../sign/word-kinds.ts'
import { wordsOf } from '../sign/words.ts'

export interface Part {
  /** Verbatim, with the separator to the next part. */
  text: string
  /** Identity of the part; both absent if it is too short, or in the middle of a headline. */
  kind?: 'label' | 'sentence' | undefined
  hash?: number
  /** Its content words. */
  stems: number[]
}

export interface Parts {
  /** In order. What is before the first dash, bar or colon, or after the last, may be a label. */
  title: Part[]
  text: Part[]
  /** The content words of the headline, including its labels. */
  headline: number[]
  /** The rest of the text, which is not examined. */
  rest: string
}

const LOOKED_AT = 4_000 // characters of the text: only its beginning is signed
const SHORTEST_SENTENCE = 3 // words; shorter ones hardly matter, and abbreviations look like them
const TITLE_WORDS = 24
const HEADLINE_STEMS = 12
const TITLE = '\u0001'

/**
 * Cache: learning and removing feed boilerplate and common boilerplate all split the same item. A map that is cleared,
 * because the weak keys of a WeakMap would survive until a full garbage collection and slow down every young collection
 * before it.
 */
const cutBefore = new Map<PlainItem, Parts>()
const MOST_CUT = 600

export function splitIntoParts(item: PlainItem): Parts {
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

/** After a dash, a bar or a colon; the separator stays with the part before it. */
const BETWEEN_LABELS = /(?<=\s[-–—|·»:]\s|[^\s\d][:：]\s|[_|｜】：]\s?)(?=\S)/u

/** After the end of a sentence, or at the end of a line. */
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
