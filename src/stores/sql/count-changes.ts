/** Counters of a SQL store, and the changes that a transaction makes to them; see the drivers' counters. */
import type { ArticleState, FeedState } from '../../model/index.ts'
import type { ArticleCounts } from '../../ports/index.ts'

/** Feeds by state, active feeds that fail or were never polled, and sources; then articles by state. */
const FEED_NAMES = ['active', 'paused', 'gone', 'troubled', 'unpolled', 'looking', 'entries', 'polls'] as const
const ARTICLE_NAMES = [
  'waiting',
  'read',
  'refused',
  'failed',
  'pages',
  'textBytes',
  'pageBytes',
] as const satisfies readonly (keyof ArticleCounts)[]

export const COUNTER_NAMES = [...FEED_NAMES, ...ARTICLE_NAMES]

export type CounterName = (typeof COUNTER_NAMES)[number]

export type CountChanges = Record<CounterName, number>

/** The properties by which a feed is counted. */
export interface FeedCountKey {
  state: FeedState
  troubled: boolean
  polled: boolean
}

export function countFeed(tally: CountChanges, by: 1 | -1, { state, troubled, polled }: FeedCountKey): void {
  tally[state] += by
  if (state !== 'active') return
  if (troubled) tally.troubled += by
  if (!polled) tally.unpolled += by
}

/** Aliases of other articles are not counted. */
export function countArticle(tally: CountChanges, by: 1 | -1, state: ArticleState): void {
  if (state !== 'same') tally[state] += by
}

export function noCountChanges(): CountChanges {
  return Object.fromEntries(COUNTER_NAMES.map((name) => [name, 0])) as CountChanges
}
