/** Parses a query for tests: feeds by id, no folders. */
import type { FeedId } from '../model/index.ts'
import { type ParseOptions, parseQuery, type SearchQuery, type SearchTerm, type TypedTerm } from './search-query.ts'

export function parsedQuery(text: string, { now = 0, ...options }: ParseOptions & { now?: number } = {}): SearchQuery {
  const parsed = parseQuery(text, now, options)
  if ('fault' in parsed) throw new Error(parsed.fault)
  const { all, none, ...dates } = parsed.query
  return { all: all.map((clause) => clause.map(known)), none: none.map(known), ...dates }
}

function known(term: TypedTerm): SearchTerm {
  switch (term.kind) {
    case 'folder':
    case 'label':
    case 'is':
      throw new Error('nobody knows folders and readers here')
    case 'feed':
      return { kind: 'feeds', ids: [Number(term.name) as FeedId] }
    default:
      return term
  }
}
