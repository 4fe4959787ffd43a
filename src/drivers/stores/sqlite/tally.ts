/**
 * How many there are of everything, so that nobody ever has to count. While it writes, work notes in a tally what there is
 * more or less of; its transaction ends by adding that to `counters`, a row for each name.
 *
 * A file has one writer, so that one row a name is enough. Where several write at once, they would wait for each other
 * here: give each its own rows and add them up when they are read. Nobody else has to know.
 */
import type Database from 'better-sqlite3'
import type { ArticleState, FeedState } from '../../../model/index.ts'
import type { ArticleCounts } from '../../../ports/index.ts'

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
const NAMES = [...FEED_NAMES, ...ARTICLE_NAMES]

type Name = (typeof NAMES)[number]

export type CountTally = Record<Name, number>

export interface Counters {
  /** Within a transaction: does the work, and adds what it noted. */
  counted<T>(work: (tally: CountTally) => T): T
  /** Within a transaction: what is stored, without what is still noted in a tally. */
  all(): CountTally
}

export function createCounters(db: Database.Database): Counters {
  const stored = db.prepare<[], { name: Name; value: number }>('SELECT name, value FROM counters')
  const add = db.prepare<[Name, number]>(
    'INSERT INTO counters (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = value + excluded.value',
  )
  return {
    counted(work) {
      const tally = nothing()
      const answer = work(tally)
      for (const name of NAMES) if (tally[name] !== 0) add.run(name, tally[name])
      return answer
    },

    all() {
      const tally = nothing()
      for (const { name, value } of stored.iterate()) tally[name] = value
      return tally
    },
  }
}

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

function nothing(): CountTally {
  return Object.fromEntries(NAMES.map((name) => [name, 0])) as CountTally
}
