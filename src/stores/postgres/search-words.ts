/**
 * The words by which an entry is found. They are folded by ourselves, like those of a search: PostgreSQL is told what to compare, and
 * nothing of its dictionaries is used. Its vectors keep 256 places of a word and 16,383 in all, too few for phrases in a
 * long text, and in one whose every character is a word; so they keep a few places of each word, to weigh it by, and phrases are looked
 * for in the same words, written down in their order.
 */
import { foldedWords, type SearchDocument } from '../../ports/index.ts'
import { facetsOf } from '../sql/search-facets.ts'

/** Characters of a word that count. */
const LONGEST_WORD = 100
/** Of a facet: PostgreSQL takes 2,046 bytes. */
const LONGEST_FACET = 500
/** Places of one word that are kept, and the last place that PostgreSQL knows. */
const MOST_PLACES = 16
const LAST_PLACE = 16_383
/** Bytes of all words and places of an entry; PostgreSQL takes a mebibyte. */
const MOST_BYTES = 600_000
/** Characters of a text in which phrases are found. */
const LONGEST_SAID = 2_000_000

/** Those of titles and of names are known by their weights. */
type Weight = 'A' | 'B' | ''

export interface IndexedWords {
  /** A tsvector, as text. */
  words: string
  /** Title and text, a line each, with a space round every word. */
  said: string
  names: string
}

export function searchWords(text: string): string[] {
  return foldedWords(text).map((word) => word.slice(0, LONGEST_WORD))
}

export function indexedWords(document: SearchDocument): IndexedWords {
  const [title, names, text] = [document.title, document.names.join('\n'), document.text].map(searchWords)
  const places = new Map<string, string[]>()
  let bytes = 0
  let last = 0
  const add = (words: readonly string[], weight: Weight) => {
    for (const word of words) {
      last = Math.min(last + 1, LAST_PLACE)
      const kept = places.get(word)
      if (kept && kept.length >= MOST_PLACES) continue
      bytes += kept ? 2 : word.length * 3 + 4
      if (bytes > MOST_BYTES) return
      if (kept) kept.push(`${last}${weight}`)
      else places.set(word, [`${last}${weight}`])
    }
  }
  add(title!, 'A')
  add(names!, 'B')
  add(text!, '')
  const facets = facetsOf(document).map(lexeme)
  return {
    words: [...facets, ...[...places].map(([word, at]) => `${lexeme(word)}:${at.join(',')}`)].join(' '),
    said: `${written(title!)}\n${written(text!)}`.slice(0, LONGEST_SAID),
    names: written(names!),
  }
}

/** A word, in the languages of vectors and of queries. Folded words and facets hold nothing that would end it; a facet may be long. */
export function lexeme(word: string): string {
  return `'${word.slice(0, LONGEST_FACET).replace(/['\\]/g, ' ')}'`
}

function written(words: readonly string[]): string {
  return ` ${words.join(' ')} `
}
