/**
 * The words of an entry for the search index. They are folded by this program, like those of a query; PostgreSQL's dictionaries are not
 * used. A tsvector holds 256 positions per word and 16,383 in all, too few for phrases in a long text or in scripts whose every character
 * is a word. So it holds a few positions per word, for ranking, and phrases are matched against the sequence of words in a text column.
 */
import { foldedWords, type SearchDocument } from '../../ports/index.ts'
import { facetsOf } from '../sql/search-facets.ts'

/** Longer words are cut. */
const MAX_WORD_LENGTH = 100
/** Longer facets are cut: PostgreSQL takes 2,046 bytes. */
const MAX_FACET_LENGTH = 500
/** Most positions per word, and the highest position that PostgreSQL knows. */
const MAX_POSITIONS = 16
const LAST_POSITION = 16_383
/** Most bytes of all words and positions of an entry; PostgreSQL takes 1 MiB. */
const MAX_BYTES = 600_000
/** Characters of a text in which phrases can be found. */
const MAX_TEXT_LENGTH = 2_000_000

/** Weights of words in titles and names. */
type Weight = 'A' | 'B' | ''

export interface IndexedWords {
  /** A tsvector, as text. */
  words: string
  /** Title and text, one line each, with a space around every word. */
  phraseText: string
  names: string
}

export function searchWords(text: string): string[] {
  return foldedWords(text).map((word) => word.slice(0, MAX_WORD_LENGTH))
}

export function indexedWords(document: SearchDocument): IndexedWords {
  const [title, names, text] = [document.title, document.names.join('\n'), document.text].map(searchWords)
  const places = new Map<string, string[]>()
  let bytes = 0
  let last = 0
  const add = (words: readonly string[], weight: Weight) => {
    for (const word of words) {
      last = Math.min(last + 1, LAST_POSITION)
      const existing = places.get(word)
      if (existing && existing.length >= MAX_POSITIONS) continue
      bytes += existing ? 2 : word.length * 3 + 4
      if (bytes > MAX_BYTES) return
      if (existing) existing.push(`${last}${weight}`)
      else places.set(word, [`${last}${weight}`])
    }
  }
  add(title!, 'A')
  add(names!, 'B')
  add(text!, '')
  const facets = facetsOf(document).map(lexeme)
  return {
    words: [...facets, ...[...places].map(([word, at]) => `${lexeme(word)}:${at.join(',')}`)].join(' '),
    phraseText: `${joinWords(title!)}\n${joinWords(text!)}`.slice(0, MAX_TEXT_LENGTH),
    names: joinWords(names!),
  }
}

/** Quotes a word for a tsvector or tsquery, and cuts long facets. */
export function lexeme(word: string): string {
  return `'${word.slice(0, MAX_FACET_LENGTH).replace(/['\\]/g, ' ')}'`
}

function joinWords(words: readonly string[]): string {
  return ` ${words.join(' ')} `
}
