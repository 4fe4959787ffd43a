/**
 * What somebody typed, as the index can be asked: feeds and folders are known by name here, and by number there. What is unread or
 * starred is so for who asks, and no index knows it: where that is not too much it is named entry by entry, and whatever is found is
 * asked once more (`marked`).
 */
import type { EntryMarks, FeedId, Instant, PersonId } from '../model/index.ts'
import {
  parseQuery,
  type QueryFault,
  type Roles,
  type SearchQuery,
  type SearchTerm,
  type TypedTerm,
} from '../ports/index.ts'
import { feedsInFolder, followedFeeds } from './followed-feeds.ts'

/** Feeds that a term beside others may stand for. */
const MOST_FEEDS_BESIDE = 500

/** Of what is unread or starred, so many are named one by one. */
const MOST_NAMED = 20_000

export interface ResolvedQuery {
  query: SearchQuery
  /** What is wanted of the marks of who asks; absent where that is all the same. */
  marked?: (marks: EntryMarks) => boolean
}

type From = Pick<Roles, 'catalogue' | 'readership'>
type IsTerm = Extract<TypedTerm, { kind: 'is' }>

/** What is mine is known by its feed alone. */
const MARK_TESTS: Record<IsTerm['what'], (marks: EntryMarks) => boolean> = {
  mine: () => true,
  unread: ({ read }) => read === false,
  read: ({ read }) => read === true,
  starred: ({ starred }) => starred,
}

export async function resolveQuery(
  text: string,
  from: From,
  now: Instant,
  reader?: PersonId,
): Promise<ResolvedQuery | QueryFault> {
  const parsed = parseQuery(text, now)
  if ('fault' in parsed) return parsed
  const { all, none, ...dates } = parsed.query
  const query: SearchQuery = { all: [], none: [], ...dates }
  const marked: ((marks: EntryMarks) => boolean)[] = []
  for (const clause of all) {
    const [is] = clause
    if (is?.kind === 'is' && clause.length === 1) {
      if (reader === undefined) return NO_USER
      if (is.what !== 'mine') marked.push(MARK_TESTS[is.what])
      query.all.push([await candidateTerm(is, from, reader)])
      continue
    }
    const terms: SearchTerm[] = []
    for (const typed of clause) {
      if (typed.kind === 'is') return IS_BESIDE_OR
      const term = await resolveTerm(typed, from, reader)
      if ('fault' in term) return term
      if (clause.length > 1 && term.kind === 'feeds' && term.ids.length > MOST_FEEDS_BESIDE)
        return tooMany(typed, term.ids)
      terms.push(term)
    }
    query.all.push(terms)
  }
  for (const typed of none) {
    if (typed.kind === 'is') {
      if (reader === undefined) return NO_USER
      if (typed.what === 'mine') query.none.push({ kind: 'feeds', ids: await followedFeeds(from.readership, reader) })
      else marked.push((marks) => !MARK_TESTS[typed.what](marks))
      continue
    }
    const term = await resolveTerm(typed, from, reader)
    if ('fault' in term) return term
    query.none.push(term)
  }
  return { query, ...(marked.length > 0 && { marked: (marks) => marked.every((means) => means(marks)) }) }
}

const IS_BESIDE_OR = { fault: 'is: cannot stand beside OR', hint: 'write it apart from the terms that OR joins' }
const NO_USER = { fault: 'is: asks what you have read, and nobody knows who you are', hint: 'log in first' }

/** What is meant is among these. */
async function candidateTerm({ what }: IsTerm, { readership }: From, reader: PersonId): Promise<SearchTerm> {
  if (what === 'unread' || what === 'starred') {
    const only = what === 'unread' ? { read: false } : { starred: true as const }
    const { arrivals, goesOnAfter } = await readership.arrivalsFor(reader, {
      ...only,
      order: 'newest',
      limit: MOST_NAMED,
    })
    if (what === 'starred' || goesOnAfter === undefined) return { kind: 'entries', ids: arrivals.map(({ id }) => id) }
  }
  return { kind: 'feeds', ids: await followedFeeds(readership, reader) }
}

async function resolveTerm(
  typed: Exclude<TypedTerm, IsTerm>,
  from: From,
  reader: PersonId | undefined,
): Promise<SearchTerm | QueryFault> {
  if (typed.kind === 'feed') {
    const { name } = typed
    const ids = /^\d{1,15}$/.test(name) ? [Number(name) as FeedId] : await from.catalogue.feedIds({ text: name })
    return ids.length > 0
      ? { kind: 'feeds', ids }
      : { fault: `no feed is called "${name}"`, hint: 'feed: takes its number, or a part of its title or address' }
  }
  if (typed.kind === 'folder') {
    const ids = await feedsInFolder(typed.name, from, reader)
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
