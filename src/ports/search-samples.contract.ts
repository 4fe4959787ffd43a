/** Documents and results for the contract of search.ts. */
import type { EntryId, FeedId } from '../model/index.ts'
import type { Search, SearchDocument } from './search.ts'
import { parsedQuery } from './search-query.fixture.ts'
import { START } from './store-samples.contract.ts'

export function document(id: number, title: string, text = ''): SearchDocument {
  const known = { names: [], language: 'en', category: 'uncategorized' }
  return { id: id as EntryId, feedId: 1 as FeedId, at: START, title, text, ...known }
}

export async function idsOf(hits: ReturnType<Search['find']>): Promise<EntryId[]> {
  return (await hits).map(({ id }) => id)
}

/** The ids of the hits, in numerical order. */
export async function found(search: Search, query: string): Promise<number[]> {
  const hits = await search.find(parsedQuery(query), 100)
  return hits.map((hit) => Number(hit.id)).sort((a, b) => a - b)
}
