/**
 * An index in memory, for tests and for the lab: the words of each entry, looked through entry by entry.
 */
import type { EntryId } from '../model/index.ts'
import {
  compileTerm,
  type IndexedDocument,
  indexDocument,
  RELEVANCE_HALF_LIFE_MS,
  type Search,
  type SearchHit,
  type SearchQuery,
  type WeighTerm,
} from '../ports/index.ts'

export function createMemorySearch(): Search {
  const documentsById = new Map<EntryId, IndexedDocument>()
  return {
    async put(documents) {
      const indexed = documents.map(indexDocument)
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
      const compiled = compile(query)
      for (const document of documentsById.values()) {
        const weight = weigh(document, compiled)
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

interface CompiledQuery extends Pick<SearchQuery, 'since' | 'until'> {
  all: WeighTerm[][]
  none: WeighTerm[]
}

function compile({ all, none, ...dates }: SearchQuery): CompiledQuery {
  return { all: all.map((clause) => clause.map(compileTerm)), none: none.map(compileTerm), ...dates }
}

/** 0 if it is no hit. */
function weigh(
  document: IndexedDocument,
  { all, none, since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY }: CompiledQuery,
) {
  if (document.at < since || document.at > until || none.some((weightOf) => weightOf(document) > 0)) return 0
  let sum = 0
  for (const clause of all) {
    const weight = clause.reduce((highest, weightOf) => highest + weightOf(document), 0)
    if (weight === 0) return 0
    sum += weight
  }
  return sum
}
