/**
 * Prefix search. FTS5 by itself merges the entries of all words with a prefix, which takes seconds for two letters and millions of
 * entries; and its own prefix indexes store positions, which takes as much space as the rest of the index. So an entry is indexed with the
 * first three letters of its words, each once, as terms that nobody can type: the prefix lists.
 *
 * Most words of a text are common. They are in no list: a prefix is searched in its lists and by each common word with that prefix, which
 * FTS5 reads lazily, newest first. Common words are learned from indexed entries and never unlearned, so the order of entries does not
 * matter. Only words in Latin and Cyrillic letters are learned: for others, FTS5 and this program may remove accents differently.
 *
 * The table `search_prefixes` holds the prefix lists and the common words.
 */
import { isAlone, searchedWords } from '../../ports/index.ts'
import { facet } from '../sql/search-facets.ts'
import type { SqliteSession } from './session.ts'

/** FTS5 itself searches longer prefixes, which few words have. */
export const MAX_PREFIX_LENGTH = 3

/** Of every SAMPLE_INTERVAL indexed entries, the first SAMPLE_SIZE are sampled. A word in MIN_ENTRIES of them is common. */
const SAMPLE_SIZE = 2000
const SAMPLE_INTERVAL = 20_000
const MIN_ENTRIES = 10
const LEARN_BATCH = 2
const MAX_TALLIED = 200_000

/** Most letters of a common word. Few are longer, and a slice of a text keeps the whole text in memory. */
const MAX_COMMON_LENGTH = 12

/** Most common words that share two letters: each is one more list to read in a search for those letters. */
const MAX_COMMON_PER_PREFIX = 24

const PLAIN_WORD = /^[a-z0-9а-яђ-џ]+$/

/** The terms by which a prefix is searched. */
export interface PrefixMatches {
  lists: string[]
  /** Most common first. */
  words: string[]
}

/** Looks up prefixes of one to three letters. */
export function createPrefixLookup(session: SqliteSession): (prefix: string) => PrefixMatches {
  const rows = session.prepared<{ word: string; holders: number }>(
    'SELECT word, holders FROM search_prefixes WHERE word BETWEEN ? AND ? ORDER BY holders DESC',
  )
  return (prefix) => {
    const terms = rows.all([prefix, `${prefix}\u{10ffff}`])
    const words = terms.filter(({ holders }) => holders > 0)
    return { words: words.map(({ word }) => word), lists: terms.slice(words.length).map(({ word }) => word) }
  }
}

export interface PrefixIndex {
  /** The prefix lists that an entry belongs to. Call `begin` first, within the same transaction. */
  listsOf(entry: { title: string; text: string; names: string }): string[]
  /** Starts a transaction. Discards the state of one that was not committed. */
  begin(): void
  commit(): void
}

export function createPrefixIndex({ db }: SqliteSession): PrefixIndex {
  const insert = db.prepare<[string, number]>('INSERT OR IGNORE INTO search_prefixes VALUES (?, ?)')
  /** Terms of the index, by prefix. */
  const lists = new Map<string, string>()
  const common = new Set<string>()
  const commonOfTwo = new Map<string, number>()
  let isLoaded = false
  let isDirty = false
  const holders = new Map<string, number>()
  let entries = 0
  let wordsToLearn: [word: string, holders: number][] = []

  function load(): void {
    const rows = db.prepare<[], { word: string; holders: number }>('SELECT word, holders FROM search_prefixes')
    for (const { word, holders } of rows.iterate())
      if (holders > 0) makeCommon(word)
      else lists.set(word, facet('beginning', word))
    isLoaded = true
  }

  function makeCommon(word: string): void {
    common.add(word)
    commonOfTwo.set(word.slice(0, 2), (commonOfTwo.get(word.slice(0, 2)) ?? 0) + 1)
  }

  /** Counts words in a sample of the entries only, because counting takes time. */
  function tally(words: string[]): void {
    entries = (entries + 1) % SAMPLE_INTERVAL
    if (entries <= SAMPLE_SIZE)
      for (const word of new Set(words)) {
        if (word.length > MAX_COMMON_LENGTH) continue
        const count = holders.get(word) ?? 0
        if (count > 0 || (!common.has(word) && holders.size < MAX_TALLIED)) holders.set(word, count + 1)
      }
    if (entries !== SAMPLE_SIZE) return
    const frequent = [...holders].filter(([word, count]) => count >= MIN_ENTRIES && PLAIN_WORD.test(word))
    wordsToLearn = frequent.sort((a, b) => b[1] - a[1])
    holders.clear()
  }

  /** Learns a few words with each entry, so that no entry takes long. */
  function learn(): void {
    for (const [word, count] of wordsToLearn.splice(0, LEARN_BATCH)) {
      if ((commonOfTwo.get(word.slice(0, 2)) ?? 0) >= MAX_COMMON_PER_PREFIX || common.has(word)) continue
      insert.run(word, count)
      makeCommon(word)
      isDirty = true
    }
  }

  function addList(prefix: string): string {
    const list = facet('beginning', prefix)
    insert.run(prefix, 0)
    lists.set(prefix, list)
    isDirty = true
    return list
  }

  return {
    listsOf({ title, text, names }) {
      if (!isLoaded) load()
      if (wordsToLearn.length > 0) learn()
      const nameWords = searchedWords(names)
      const words = searchedWords(title).concat(searchedWords(text), nameWords)
      tally(words)
      const terms = new Set<string>()
      for (const word of words) {
        if (common.has(word) || isAlone(word)) continue
        const prefix = firstLetters(word)
        terms.add(lists.get(prefix) ?? addList(prefix))
      }
      for (const word of nameWords)
        if (!common.has(word) && !isAlone(word)) terms.add(facet('name', firstLetters(word)))
      return [...terms]
    },

    begin() {
      if (!isDirty) return
      for (const cache of [lists, common, commonOfTwo]) cache.clear()
      isLoaded = false
      isDirty = false
    },

    commit() {
      isDirty = false
    },
  }
}

function firstLetters(word: string): string {
  const first = word.slice(0, MAX_PREFIX_LENGTH)
  return /[\ud800-\udfff]/.test(first) ? [...word].slice(0, MAX_PREFIX_LENGTH).join('') : first
}
