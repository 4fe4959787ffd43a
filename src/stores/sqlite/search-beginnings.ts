/**
 * Words by how they begin. FTS5 by itself merges all that hold any word of a beginning, which takes seconds where two letters and millions
 * of entries are meant; and its own lists of beginnings say of each where it stands, which takes as much room as all the rest of an index.
 * So an entry is put with the first three letters of its words as words that nobody can type, each once: the lists of those letters.
 *
 * Most of a text are words that many texts have. They are in no list: a beginning is looked for in its lists and by each common
 * word that begins so, which FTS5 reads lazily, the newest first. What is common is learned from what is put, and never
 * unlearned, so that it does not matter which entries came before. Only words in Latin and Cyrillic letters are: of others FTS5 and we may
 * think differently what they are without accents.
 *
 * `entry_beginnings` holds the names of the lists, and the common words.
 */
import { isAlone, searchedWords } from '../../ports/index.ts'
import { facet } from '../sql/search-facets.ts'
import type { SqliteSession } from './session.ts'

/** Longer beginnings are found by FTS5 itself, among the few words that begin so. */
export const LISTED_LETTERS = 3

/** Of the first so many of so many entries that are put, a word is common if these hold it. */
const LEARNED_FROM = 2000
const LEARNED_OF = 20_000
const HOLDERS = 10
const LEARNED_AT_ONCE = 2
const MOST_TALLIED = 200_000

/** Letters of a common word: few are longer, and who remembers a long piece of a text keeps all of it in memory. */
const LONGEST_COMMON = 12

/** Each is one more list to be read where two letters are looked for. */
const MOST_COMMON_OF_TWO = 24

const PLAIN = /^[a-z0-9а-яђ-џ]+$/

/** What a beginning is looked for by. */
export interface Begun {
  lists: string[]
  /** The most common first. */
  words: string[]
}

/** Of one letter to three. */
export function createBegun(session: SqliteSession): (letters: string) => Begun {
  const rows = session.prepared<{ word: string; holders: number }>(
    'SELECT word, holders FROM entry_beginnings WHERE word BETWEEN ? AND ? ORDER BY holders DESC',
  )
  return (letters) => {
    const found = rows.all([letters, `${letters}\u{10ffff}`])
    const words = found.filter(({ holders }) => holders > 0)
    return { words: words.map(({ word }) => word), lists: found.slice(words.length).map(({ word }) => word) }
  }
}

export interface Beginnings {
  /** The lists in which an entry is to stand, by what is searched of it, within a transaction of which `begin` was told. */
  listsOf(entry: { title: string; text: string; names: string }): string[]
  /** A transaction begins; what was noted in one that was not kept is forgotten. */
  begin(): void
  keep(): void
}

export function createBeginnings({ db }: SqliteSession): Beginnings {
  const note = db.prepare<[string, number]>('INSERT OR IGNORE INTO entry_beginnings VALUES (?, ?)')
  /** By their letters, as they stand in the index. */
  const lists = new Map<string, string>()
  const common = new Set<string>()
  const commonOfTwo = new Map<string, number>()
  let isLoaded = false
  let isNoted = false
  const holders = new Map<string, number>()
  let entries = 0
  let learned: [word: string, holders: number][] = []

  function load(): void {
    const rows = db.prepare<[], { word: string; holders: number }>('SELECT word, holders FROM entry_beginnings')
    for (const { word, holders } of rows.iterate())
      if (holders > 0) makeCommon(word)
      else lists.set(word, facet('beginning', word))
    isLoaded = true
  }

  function makeCommon(word: string): void {
    common.add(word)
    commonOfTwo.set(word.slice(0, 2), (commonOfTwo.get(word.slice(0, 2)) ?? 0) + 1)
  }

  /** Some of the time, because it takes some. */
  function tally(words: string[]): void {
    entries = (entries + 1) % LEARNED_OF
    if (entries <= LEARNED_FROM)
      for (const word of new Set(words)) {
        if (word.length > LONGEST_COMMON) continue
        const count = holders.get(word) ?? 0
        if (count > 0 || (!common.has(word) && holders.size < MOST_TALLIED)) holders.set(word, count + 1)
      }
    if (entries !== LEARNED_FROM) return
    const often = [...holders].filter(([word, count]) => count >= HOLDERS && PLAIN.test(word))
    learned = often.sort((a, b) => b[1] - a[1])
    holders.clear()
  }

  /** A few with each entry that is put, so that none takes long. */
  function learn(): void {
    for (const [word, count] of learned.splice(0, LEARNED_AT_ONCE)) {
      if ((commonOfTwo.get(word.slice(0, 2)) ?? 0) >= MOST_COMMON_OF_TWO || common.has(word)) continue
      note.run(word, count)
      makeCommon(word)
      isNoted = true
    }
  }

  function begun(letters: string): string {
    const list = facet('beginning', letters)
    note.run(letters, 0)
    lists.set(letters, list)
    isNoted = true
    return list
  }

  return {
    listsOf({ title, text, names }) {
      if (!isLoaded) load()
      if (learned.length > 0) learn()
      const ofNames = searchedWords(names)
      const words = searchedWords(title).concat(searchedWords(text), ofNames)
      tally(words)
      const found = new Set<string>()
      for (const word of words) {
        if (common.has(word) || isAlone(word)) continue
        const letters = firstLetters(word)
        found.add(lists.get(letters) ?? begun(letters))
      }
      for (const word of ofNames) if (!common.has(word) && !isAlone(word)) found.add(facet('name', firstLetters(word)))
      return [...found]
    },

    begin() {
      if (!isNoted) return
      for (const known of [lists, common, commonOfTwo]) known.clear()
      isLoaded = false
      isNoted = false
    },

    keep() {
      isNoted = false
    },
  }
}

function firstLetters(word: string): string {
  const first = word.slice(0, LISTED_LETTERS)
  return /[\ud800-\udfff]/.test(first) ? [...word].slice(0, LISTED_LETTERS).join('') : first
}
