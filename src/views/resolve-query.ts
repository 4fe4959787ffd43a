/**
 * Turns a typed query into one for the index, which has feeds by id and no folders. The index has no read state, so `is:unread` and
 * `is:starred` are narrowed to the ids of such entries if there are not too many, and hits are filtered again by `matchesState`.
 */
import type { EntryState, FeedId, Instant, UserId } from '../model/index.ts'
import {
  type ParseOptions,
  parseQuery,
  type QueryFault,
  type Roles,
  type SearchQuery,
  type SearchTerm,
  type TypedTerm,
} from '../ports/index.ts'
import { feedsInFolder, followedFeedIds } from './followed-feeds.ts'
import { type TextTest, textTest } from './literal-filter.ts'

/** Feeds that a term joined by OR may expand to. */
const MAX_FEEDS_WITH_OR = 500

/** Unread or starred entries that a query lists by id. */
const MAX_LISTED_ENTRIES = 20_000

export interface ResolvedQuery {
  query: SearchQuery
  /** Absent if the query does not depend on the reader's state. */
  matchesState?: (state: EntryState) => boolean
  /** Absent unless the query has words whose signs matter (C++), which the index cannot tell. */
  matchesText?: TextTest
}

type Stores = Pick<Roles, 'catalogue' | 'readerState'>
type IsTerm = Extract<TypedTerm, { kind: 'is' }>

/** `is:mine` depends on the feed alone. */
const STATE_TESTS: Record<IsTerm['what'], (state: EntryState) => boolean> = {
  mine: () => true,
  unread: ({ read }) => read === false,
  read: ({ read }) => read === true,
  starred: ({ starred }) => starred,
}

export async function resolveQuery(
  text: string,
  stores: Stores,
  now: Instant,
  reader?: UserId,
  options?: ParseOptions,
): Promise<ResolvedQuery | QueryFault> {
  const parsed = parseQuery(text, now, options)
  if ('fault' in parsed) return parsed
  const { all, none, ...dates } = parsed.query
  const query: SearchQuery = { all: [], none: [], ...dates }
  const stateTests: ((state: EntryState) => boolean)[] = []
  const excludedLiterals: string[] = []
  for (const clause of all) {
    const [is] = clause
    if (is?.kind === 'is' && clause.length === 1) {
      if (reader === undefined) return NO_USER
      if (is.what !== 'mine') stateTests.push(STATE_TESTS[is.what])
      query.all.push([await candidateTerm(is, stores, reader)])
      continue
    }
    const terms: SearchTerm[] = []
    for (const typed of clause) {
      if (typed.kind === 'is') return IS_WITH_OR
      const term = await resolveTerm(typed, stores, reader)
      if ('fault' in term) return term
      if (clause.length > 1 && term.kind === 'feeds' && term.ids.length > MAX_FEEDS_WITH_OR)
        return tooMany(typed, term.ids)
      terms.push(term)
    }
    query.all.push(terms)
  }
  for (const typed of none) {
    if (typed.kind === 'is') {
      if (reader === undefined) return NO_USER
      if (typed.what === 'mine')
        query.none.push({ kind: 'feeds', ids: await followedFeedIds(stores.readerState, reader) })
      else stateTests.push((state) => !STATE_TESTS[typed.what](state))
      continue
    }
    const term = await resolveTerm(typed, stores, reader)
    if ('fault' in term) return term
    if (term.kind === 'words' && term.literal !== undefined) excludedLiterals.push(term.literal)
    else query.none.push(term)
  }
  const matchesText = textTest(query, excludedLiterals)
  return {
    query,
    ...(matchesText && { matchesText }),
    ...(stateTests.length > 0 && { matchesState: (state) => stateTests.every((matches) => matches(state)) }),
  }
}

const IS_WITH_OR = { fault: 'is: cannot be joined by OR', hint: 'write it apart from the terms that OR joins' }
const NO_USER = { fault: 'is: needs a user, and you are not logged in', hint: 'log in first' }

/** A term that contains all matches, and possibly more. */
async function candidateTerm({ what }: IsTerm, { readerState }: Stores, reader: UserId): Promise<SearchTerm> {
  if (what === 'unread' || what === 'starred') {
    const only = what === 'unread' ? { read: false } : { starred: true as const }
    const { arrivals, nextAfter } = await readerState.arrivalsFor(reader, {
      ...only,
      order: 'newest',
      limit: MAX_LISTED_ENTRIES,
    })
    if (what === 'starred' || nextAfter === undefined) return { kind: 'entries', ids: arrivals.map(({ id }) => id) }
  }
  return { kind: 'feeds', ids: await followedFeedIds(readerState, reader) }
}

async function resolveTerm(
  typed: Exclude<TypedTerm, IsTerm>,
  stores: Stores,
  reader: UserId | undefined,
): Promise<SearchTerm | QueryFault> {
  if (typed.kind === 'feed') {
    const { name } = typed
    const ids = /^\d{1,15}$/.test(name) ? [Number(name) as FeedId] : await stores.catalogue.feedIds({ text: name })
    return ids.length > 0
      ? { kind: 'feeds', ids }
      : { fault: `no feed is called "${name}"`, hint: 'feed: takes its number, or a part of its title or address' }
  }
  if (typed.kind === 'folder') {
    const ids = await feedsInFolder(typed.name, stores, reader)
    return ids.length > 0
      ? { kind: 'feeds', ids }
      : { fault: `there is no folder "${typed.name}"`, hint: 'freshet feeds shows the folders' }
  }
  return typed
}

function tooMany(typed: TypedTerm, ids: readonly FeedId[]): QueryFault {
  const name = 'name' in typed ? typed.name : ''
  return {
    fault: `${typed.kind}:"${name}" matches ${ids.length} feeds, too many to be joined by OR`,
    hint: 'write it apart from the terms that OR joins, or choose a smaller part',
  }
}
