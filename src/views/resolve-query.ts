/**
 * Turns a typed query into one for the index, which has feeds by id and no folders. The index has no data of users, so `is:unread`,
 * `is:starred`, `is:muted` and `label:` are narrowed to the ids of such entries if there are not too many, and hits are filtered again
 * by `matchesState`. Muted entries are found only with `is:muted`.
 */
import type { EntryState, FeedId, Instant, UserId } from '../model/index.ts'
import {
  foldedLabel,
  type ParseOptions,
  parseQuery,
  type QueryFault,
  type ReadStateFilter,
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
/** A term about the user's state of an entry. */
type StateTerm = Extract<TypedTerm, { kind: 'is' | 'label' }>

/** States whose entries are listed by id. */
const LISTED_STATES: Partial<Record<IsTerm['what'], ReadStateFilter>> = {
  unread: { read: false },
  starred: { starred: true },
  muted: { muted: true },
}

/** `is:mine` depends on the feed alone. */
const STATE_TESTS: Record<IsTerm['what'], (state: EntryState) => boolean> = {
  mine: () => true,
  unread: ({ read }) => read === false,
  read: ({ read }) => read === true,
  starred: ({ starred }) => starred,
  muted: ({ muted }) => muted === true,
}

function isStateTerm(term: TypedTerm): term is StateTerm {
  return term.kind === 'is' || term.kind === 'label'
}

export function stateTest(term: StateTerm): (state: EntryState) => boolean {
  if (term.kind === 'is') return STATE_TESTS[term.what]
  const folded = foldedLabel(term.name)
  return ({ labels = [] }) => labels.some((label) => foldedLabel(label) === folded)
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
    const [first] = clause
    if (first && isStateTerm(first) && clause.length === 1) {
      if (reader === undefined) return noUser(first)
      stateTests.push(stateTest(first))
      query.all.push([await candidateTerm(first, stores, reader)])
      continue
    }
    const terms: SearchTerm[] = []
    for (const typed of clause) {
      if (isStateTerm(typed)) return stateWithOr(typed)
      const term = await resolveTerm(typed, stores, reader)
      if ('fault' in term) return term
      if (clause.length > 1 && term.kind === 'feeds' && term.ids.length > MAX_FEEDS_WITH_OR)
        return tooMany(typed, term.ids)
      terms.push(term)
    }
    query.all.push(terms)
  }
  for (const typed of none) {
    if (isStateTerm(typed)) {
      if (reader === undefined) return noUser(typed)
      if (typed.kind === 'is' && typed.what === 'mine')
        query.none.push({ kind: 'feeds', ids: await followedFeedIds(stores.readerState, reader) })
      else {
        const matches = stateTest(typed)
        stateTests.push((state) => !matches(state))
      }
      continue
    }
    const term = await resolveTerm(typed, stores, reader)
    if ('fault' in term) return term
    if (term.kind === 'words' && term.literal !== undefined) excludedLiterals.push(term.literal)
    else query.none.push(term)
  }
  const asksForMuted = all.some(([term]) => term?.kind === 'is' && term.what === 'muted')
  if (reader !== undefined && !asksForMuted && (await stores.readerState.hasMuted(reader)))
    stateTests.push(({ muted }) => !muted)
  const matchesText = textTest(query, excludedLiterals)
  return {
    query,
    ...(matchesText && { matchesText }),
    ...(stateTests.length > 0 && { matchesState: (state) => stateTests.every((matches) => matches(state)) }),
  }
}

function stateWithOr({ kind }: StateTerm): QueryFault {
  return { fault: `${kind}: cannot be joined by OR`, hint: 'write it apart from the terms that OR joins' }
}

function noUser({ kind }: StateTerm): QueryFault {
  return { fault: `${kind}: needs a user, and you are not logged in`, hint: 'log in first' }
}

/** A term that contains all matches, and possibly more. */
async function candidateTerm(term: StateTerm, { readerState }: Stores, reader: UserId): Promise<SearchTerm> {
  const only = term.kind === 'label' ? { label: term.name } : LISTED_STATES[term.what]
  if (only) {
    const { arrivals, nextAfter } = await readerState.arrivalsFor(reader, {
      ...only,
      order: 'newest',
      limit: MAX_LISTED_ENTRIES,
    })
    const isUnread = 'read' in only
    if (!isUnread || nextAfter === undefined) return { kind: 'entries', ids: arrivals.map(({ id }) => id) }
  }
  return { kind: 'feeds', ids: await followedFeedIds(readerState, reader) }
}

/** A term about entries, with the ids of feeds. */
export async function resolveTerm(
  typed: Exclude<TypedTerm, StateTerm>,
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
