/**
 * An index in memory, for tests and for the lab: the folded words of each entry in order, looked through one by one. A word in
 * the title weighs as much as four in the text.
 */
import { type EntryId, isOfLanguage } from '../model/index.ts'
import {
  foldedWords,
  type Search,
  type SearchDocument,
  type SearchHit,
  type SearchQuery,
  type SearchTerm,
  sitesOf,
  WORTH_HALVES_MS,
} from '../ports/index.ts'

const TITLE_WEIGHT = 4

interface Held extends Omit<SearchDocument, 'title' | 'text' | 'names'> {
  title: string[]
  text: string[]
  names: string[]
}

export function createMemorySearch(): Search {
  const held = new Map<EntryId, Held>()
  return {
    async put(documents) {
      const read = documents.map((one) => ({
        ...one,
        title: foldedWords(one.title),
        text: foldedWords(one.text),
        names: one.names.flatMap(foldedWords),
      }))
      for (const one of read) held.set(one.id, one)
    },

    async drop(ids) {
      for (const id of ids) held.delete(id)
    },

    async tidy() {
      return false // nothing is put off
    },

    async find(query, limit, { order = 'relevance', after } = {}) {
      if (query.all.length === 0) return []
      const hits: (SearchHit & { at: number })[] = []
      for (const one of held.values()) {
        const weight = weigh(one, query)
        const worth = Math.log(weight) + (one.at / WORTH_HALVES_MS) * Math.LN2
        if (weight > 0) hits.push({ id: one.id, score: order === 'date' ? one.at : worth, at: one.at })
      }
      hits.sort((a, b) => b.score - a.score || b.at - a.at || b.id - a.id)
      const start = after === undefined ? 0 : hits.findIndex(({ id }) => id === after) + 1
      const shown = after !== undefined && start === 0 ? [] : hits.slice(start, start + limit)
      return shown.map(({ id, score }) => ({ id, score }))
    },
  }
}

/** 0 if it is no hit. */
function weigh(
  one: Held,
  { all, none, since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY }: SearchQuery,
) {
  if (one.at < since || one.at > until || none.some((term) => weightOf(one, term) > 0)) return 0
  let sum = 0
  for (const clause of all) {
    const weight = clause.reduce((most, term) => most + weightOf(one, term), 0)
    if (weight === 0) return 0
    sum += weight
  }
  return sum
}

function weightOf(one: Held, term: SearchTerm): number {
  switch (term.kind) {
    case 'words':
      return TITLE_WEIGHT * occurrences(one.title, term) + occurrences(one.text, term) + occurrences(one.names, term)
    case 'author':
      return occurrences(one.names, term)
    case 'feeds':
      return Number(term.ids.includes(one.feedId))
    case 'entries':
      return Number(term.ids.includes(one.id))
    case 'language':
      return Number(isOfLanguage(one.language, term.code))
    case 'category':
      return Number(one.category.toLowerCase() === term.name)
    case 'site':
      return Number(one.host !== undefined && sitesOf(one.host).includes(term.host))
  }
}

function occurrences(words: string[], { text, prefix }: { text: string; prefix: boolean }): number {
  const phrase = foldedWords(text)
  const last = phrase.length - 1
  if (last < 0) return 0
  return words.filter((_, start) =>
    phrase.every((wanted, i) => {
      const word = words[start + i]
      return prefix && i === last ? word?.startsWith(wanted) : word === wanted
    }),
  ).length
}
