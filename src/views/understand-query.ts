/** What somebody typed, as the index can be asked: feeds and folders are known by name here, and by number there. */
import type { FeedId, Instant } from '../model/index.ts'
import {
  type Catalogue,
  parseQuery,
  type QueryFault,
  type SearchQuery,
  type SearchTerm,
  type TypedTerm,
} from '../ports/index.ts'

/** Feeds that a term beside others may stand for. */
const MOST_FEEDS_BESIDE = 500

export async function understandQuery(
  text: string,
  catalogue: Catalogue,
  now: Instant,
): Promise<{ query: SearchQuery } | QueryFault> {
  const parsed = parseQuery(text, now)
  if ('fault' in parsed) return parsed
  const { all, none, ...dates } = parsed.query
  const query: SearchQuery = { all: [], none: [], ...dates }
  for (const clause of all) {
    const terms: SearchTerm[] = []
    for (const typed of clause) {
      const term = await known(typed, catalogue)
      if ('fault' in term) return term
      if (clause.length > 1 && term.kind === 'feeds' && term.ids.length > MOST_FEEDS_BESIDE)
        return tooMany(typed, term.ids)
      terms.push(term)
    }
    query.all.push(terms)
  }
  for (const typed of none) {
    const term = await known(typed, catalogue)
    if ('fault' in term) return term
    query.none.push(term)
  }
  return { query }
}

async function known(typed: TypedTerm, catalogue: Catalogue): Promise<SearchTerm | QueryFault> {
  if (typed.kind === 'feed') {
    const { name } = typed
    const ids = /^\d{1,15}$/.test(name) ? [Number(name) as FeedId] : await catalogue.feedIds({ text: name })
    return ids.length > 0
      ? { kind: 'feeds', ids }
      : { fault: `no feed is called "${name}"`, hint: 'feed: takes its number, or a part of its title or address' }
  }
  if (typed.kind === 'folder') {
    const ids = await catalogue.feedIds({ folder: typed.name })
    return ids.length > 0
      ? { kind: 'feeds', ids }
      : { fault: `there is no folder "${typed.name}"`, hint: 'freshet feeds shows the folders that there are' }
  }
  return typed
}

function tooMany(typed: TypedTerm, ids: readonly FeedId[]): QueryFault {
  const name = 'name' in typed ? typed.name : ''
  return {
    fault: `${typed.kind}:"${name}" stands for ${ids.length} feeds, too many to stand beside OR`,
    hint: 'write it apart from the terms that OR joins, or name a smaller part',
  }
}
