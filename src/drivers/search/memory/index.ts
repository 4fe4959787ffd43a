/**
 * An index in memory, for tests and for the lab: for each word the entries that hold it, and for each entry its words in
 * order, to check phrases with. A word in the title weighs as much as four in the text.
 */
import type { EntryId, FeedId, Instant } from '../../../model/index.ts'
import type { Search, SearchHit } from '../../../ports/index.ts'
import { parseQuery, type QueryTerm, searchable } from '../query.ts'

const TITLE_WEIGHT = 4

export function createMemorySearch(): Search {
  const fields = new Map<EntryId, { feedId: FeedId; at: Instant; title: string[]; text: string[] }>()
  const holders = new Map<string, Set<EntryId>>()

  function drop(id: EntryId): void {
    const held = fields.get(id)
    if (!held) return
    for (const word of [...held.title, ...held.text]) holders.get(word)?.delete(id)
    fields.delete(id)
  }

  function candidates(term: QueryTerm): EntryId[] {
    const [first, ...more] = wordsOf(term.text)
    if (first === undefined) return []
    if (!term.prefix || more.length > 0) return [...(holders.get(first) ?? [])]
    return [...holders].flatMap(([word, ids]) => (word.startsWith(first) ? [...ids] : []))
  }

  function score(id: EntryId, term: QueryTerm): number {
    const { title, text } = fields.get(id)!
    const phrase = wordsOf(term.text)
    return TITLE_WEIGHT * occurrences(title, phrase, term.prefix) + occurrences(text, phrase, term.prefix)
  }

  return {
    async put(documents) {
      const read = documents.map((one) => ({ ...one, title: wordsOf(one.title), text: wordsOf(one.text) }))
      for (const { id, ...held } of read) {
        const { title, text } = held
        drop(id)
        fields.set(id, held)
        for (const word of [...title, ...text]) holders.set(word, (holders.get(word) ?? new Set()).add(id))
      }
    },

    async drop(ids) {
      for (const id of ids) drop(id)
    },

    async tidy() {
      return false // nothing is put off
    },

    async find(query, limit, { feedId, since, after } = {}) {
      const { wanted, unwanted } = parseQuery(query)
      const [first] = wanted
      if (!first) return []
      const hits: SearchHit[] = []
      for (const id of new Set(candidates(first))) {
        const held = fields.get(id)!
        if (feedId !== undefined && held.feedId !== feedId) continue
        if (since !== undefined && held.at < since) continue
        const scores = wanted.map((term) => score(id, term))
        if (scores.includes(0) || unwanted.some((term) => score(id, term) > 0)) continue
        hits.push({ id, score: scores.reduce((sum, one) => sum + one) })
      }
      hits.sort((a, b) => b.score - a.score || b.id - a.id)
      const start = after === undefined ? 0 : hits.findIndex(({ id }) => id === after) + 1
      return after !== undefined && start === 0 ? [] : hits.slice(start, start + limit)
    },
  }
}

function wordsOf(text: string): string[] {
  return (
    searchable(text)
      .normalize('NFD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

function occurrences(words: string[], phrase: string[], prefix: boolean): number {
  const last = phrase.length - 1
  return words.filter((_, start) =>
    phrase.every((wanted, i) => {
      const word = words[start + i]
      return prefix && i === last ? word?.startsWith(wanted) : word === wanted
    }),
  ).length
}
