/** How many there are of everything, in a store that has tables: what work notes while it writes, see the drivers' counters. */
import type { ArticleState, FeedState } from '../../model/index.ts'
import type { ArticleCounts } from '../../ports/index.ts'

/** Feeds by their states, active ones that are in trouble or were never polled, sources; then articles by theirs. */
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

export const COUNTED_NAMES = [...FEED_NAMES, ...ARTICLE_NAMES]

export type CountedName = (typeof COUNTED_NAMES)[number]

export type CountTally = Record<CountedName, number>

/** What a feed counts as. */
export interface FeedCounted {
  state: FeedState
  troubled: boolean
  polled: boolean
}

export function countFeed(tally: CountTally, by: 1 | -1, { state, troubled, polled }: FeedCounted): void {
  tally[state] += by
  if (state !== 'active') return
  if (troubled) tally.troubled += by
  if (!polled) tally.unpolled += by
}

/** Those that turned out to be another are not counted. */
export function countArticle(tally: CountTally, by: 1 | -1, state: ArticleState): void {
  if (state !== 'same') tally[state] += by
}

export function emptyTally(): CountTally {
  return Object.fromEntries(COUNTED_NAMES.map((name) => [name, 0])) as CountTally
}
