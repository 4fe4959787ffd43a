/**
 * The unread entries of a user, those first that they probably want to read. Only the newest entries of the last days are considered, and
 * only their facts are kept in memory. Computing the list changes nothing.
 */
import { DAY, type Entry, type EntryId, type Instant, type UserId } from '../../model/index.ts'
import type { Clock, UserValues } from '../../ports/index.ts'
import {
  arrange,
  type Contribution,
  contributionsOf,
  featuresOf,
  type StoredRanking,
  scoreOf,
} from '../../ranking/index.ts'
import type { Catalogues } from '../entry-texts.ts'
import { type EntryWithFacts, entriesWithFacts } from './entry-facts.ts'
import { loadRanking } from './stored-ranking.ts'

export type ForYouStores = Catalogues & { userValues: UserValues; clock: Clock }

export interface ForYouQuery {
  /** Default: the last seven days. */
  since?: Instant | undefined
  until?: Instant | undefined
  /** Also entries that the user has read. */
  withRead?: boolean
  limit: number
}

export interface RankedEntry {
  entry: Entry
  score: number
  /** Feeds that report its story. */
  outlets: number
  /** The strongest first. */
  contributions: Contribution[]
}

export interface RankedEntries {
  ranking: StoredRanking
  /** Entries that were considered. */
  considered: number
  entries: RankedEntry[]
}

const MAX_CONSIDERED = 2000
const DEFAULT_DAYS = 7
const PAGE = 200
/** Pages of the store, which may be short. */
const MAX_PAGES = 25

/** `stores`: as the user sees them. */
export async function rankedEntries(
  userId: UserId,
  { limit, ...query }: ForYouQuery,
  stores: ForYouStores,
): Promise<RankedEntries> {
  const [ranking, candidates] = await Promise.all([
    loadRanking(userId, stores.userValues),
    candidatesFor(userId, query, stores),
  ])
  const at = stores.clock.now()
  const scored = candidates.flatMap(({ id, facts, storyId }) => {
    const contributions = contributionsOf(featuresOf(facts, at), { ...ranking, at })
    const score = scoreOf(contributions, ranking.model, at)
    const { feedId, outlets } = facts
    return score === undefined ? [] : [{ id, feedId, storyId, outlets, score, contributions }]
  })
  const arranged = arrange(scored, limit)
  const entries = await stores.catalogue.entriesById(arranged.map(({ id }) => id))
  return {
    ranking,
    considered: candidates.length,
    entries: arranged.flatMap(({ score, outlets, contributions }, i) => {
      const entry = entries[i]
      return entry ? [{ entry, score, outlets, contributions }] : []
    }),
  }
}

/** The newest first. */
async function candidatesFor(
  userId: UserId,
  { since, until, withRead = false }: Omit<ForYouQuery, 'limit'>,
  stores: ForYouStores,
): Promise<EntryWithFacts[]> {
  const narrowed = {
    since: since ?? stores.clock.now() - DEFAULT_DAYS * DAY,
    ...(until !== undefined && { until }),
    ...(!withRead && { read: false }),
    limit: PAGE,
  }
  const found: EntryWithFacts[] = []
  let after: { at: Instant; id: EntryId } | undefined
  for (let page = 0; page < MAX_PAGES && found.length < MAX_CONSIDERED; page++) {
    const { entries, nextAfter } = await stores.readerState.entriesFor(userId, { ...narrowed, ...(after && { after }) })
    found.push(...(await entriesWithFacts(entries, stores, userId)))
    if (!nextAfter) break
    after = nextAfter
  }
  return found.slice(0, MAX_CONSIDERED)
}
