/**
 * An index in memory, for tests and for the lab: the folded words of each entry in order, looked through one by one. A word in
 * the title weighs as much as four in the text.
 */
import { type EntryId, isOfLanguage } from '../model/index.ts'
import {
  FORM_WEIGHT,
  foldedWords,
  formsOf,
  RELEVANCE_HALF_LIFE_MS,
  type Search,
  type SearchDocument,
  type SearchHit,
  type SearchQuery,
  type SearchTerm,
  sitesOf,
  type WordsTerm,
} from '../ports/index.ts'

const TITLE_WEIGHT = 4

interface IndexedDocument extends Omit<SearchDocument, 'title' | 'text' | 'names'> {
  title: string[]
  text: string[]
  names: string[]
}

export function createMemorySearch(): Search {
  const documentsById = new Map<EntryId, IndexedDocument>()
  return {
    async put(documents) {
      const indexed = documents.map((document) => ({
        ...document,
        title: foldedWords(document.title),
        text: foldedWords(document.text),
        names: document.names.flatMap(foldedWords),
      }))
      for (const document of indexed) documentsById.set(document.id, document)
    },

    async drop(ids) {
      for (const id of ids) documentsById.delete(id)
    },

    async tidy() {
      return false // nothing is put off
    },

    async find(query, limit, { order = 'relevance', after } = {}) {
      if (query.all.length === 0) return []
      const hits: (SearchHit & { at: number })[] = []
      for (const document of documentsById.values()) {
        const weight = weigh(document, query)
        const worth = Math.log(weight) + (document.at / RELEVANCE_HALF_LIFE_MS) * Math.LN2
        if (weight > 0) hits.push({ id: document.id, score: order === 'date' ? document.at : worth, at: document.at })
      }
      hits.sort((a, b) => b.score - a.score || b.at - a.at || b.id - a.id)
      const start = after === undefined ? 0 : hits.findIndex(({ id }) => id === after) + 1
      const page = after !== undefined && start === 0 ? [] : hits.slice(start, start + limit)
      return page.map(({ id, score }) => ({ id, score }))
    },
  }
}

/** 0 if it is no hit. */
function weigh(
  document: IndexedDocument,
  { all, none, since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY }: SearchQuery,
) {
  if (document.at < since || document.at > until || none.some((term) => weightOf(document, term) > 0)) return 0
  let sum = 0
  for (const clause of all) {
    const weight = clause.reduce((highest, term) => highest + weightOf(document, term), 0)
    if (weight === 0) return 0
    sum += weight
  }
  return sum
}

function weightOf(document: IndexedDocument, term: SearchTerm): number {
  switch (term.kind) {
    case 'words':
      return weightOfWords(document, term)
    case 'author':
      return occurrences(document.names, term)
    case 'feeds':
      return Number(term.ids.includes(document.feedId))
    case 'entries':
      return Number(term.ids.includes(document.id))
    case 'language':
      return Number(isOfLanguage(document.language, term.code))
    case 'category':
      return Number(document.category.toLowerCase() === term.name)
    case 'site':
      return Number(document.host !== undefined && sitesOf(document.host).includes(term.host))
  }
}

function weightOfWords({ title, text, names, language }: IndexedDocument, term: WordsTerm): number {
  const weigh = (counted: Occurrence) =>
    TITLE_WEIGHT * occurrences(title, counted) + occurrences(text, counted) + occurrences(names, counted)
  if (!term.inflected) return weigh(term)
  const exact = weigh({ ...term, prefix: false })
  const forms = formsOf(foldedWords(term.text)[0] ?? '', language).map((form) => weigh({ text: form, prefix: false }))
  const prefixWeight = term.prefix ? weigh(term) - exact : 0
  return exact + FORM_WEIGHT * (forms.reduce((sum, weight) => sum + weight, 0) + prefixWeight)
}

type Occurrence = Pick<WordsTerm, 'text' | 'prefix'>

function occurrences(words: string[], { text, prefix }: Occurrence): number {
  const phrase = foldedWords(text)
  const last = phrase.length - 1
  if (last < 0) return 0
  return words.filter((_, start) =>
    phrase.every((phraseWord, i) => {
      const word = words[start + i]
      return prefix && i === last ? word?.startsWith(phraseWord) : word === phraseWord
    }),
  ).length
}
