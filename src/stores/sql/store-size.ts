/** Counts of everything in a store, from its counters, and its size by kind of data. */
import type { DiskUsage, Store } from '../../ports/index.ts'
import { type CounterName, noCountChanges } from './count-changes.ts'
import type { WorkQueue } from './pending-work.ts'
import type { SqlSession } from './session.ts'

export interface SizeQueries {
  /** Selects `name` and `bytes` of each table, including its indexes, or of each table and each index. */
  tables: string
  /** Size of the store in bytes. */
  total(): Promise<number>
}

/** Kinds of tables and indexes by the start of their names. The first match counts. */
const KINDS: [prefix: string, kind: Exclude<keyof DiskUsage, 'rest'>][] = [
  ['entry_words', 'index'],
  ['entry_search', 'index'],
  ['search_', 'index'],
  ['unindexed', 'index'],
  ['ungrouped', 'index'],
  ['signatures', 'index'],
  ['group', 'index'],
  ['members', 'index'],
  ['entr', 'entries'],
  ['forgotten', 'entries'],
  ['polls', 'polls'],
  ['article', 'articles'],
  ['page', 'pages'],
  ['feed', 'feeds'],
  ['outgoing_feeds', 'feeds'],
  ['schedule', 'feeds'],
  ['source', 'feeds'],
]

export function sizeMethods(session: SqlSession, { tables, total }: SizeQueries): Pick<Store, 'counts' | 'diskUsage'> {
  return {
    async counts() {
      const [counters, index, groups, bytes] = await Promise.all([
        readCounters(session),
        countPending(session, 'unindexed'),
        countPending(session, 'ungrouped'),
        total(),
      ])
      const { active, paused, gone, troubled: failing, unpolled, looking, entries, polls, ...articles } = counters
      const feeds = { active, paused, gone }
      return { feeds, failing, unpolled, looking, entries, polls, articles, waiting: { index, groups }, bytes }
    },

    async diskUsage() {
      const usage: DiskUsage = { feeds: 0, entries: 0, polls: 0, articles: 0, pages: 0, index: 0, rest: 0 }
      let knownBytes = 0
      for (const { name, bytes } of await session.rows<{ name: string; bytes: number }>(tables)) {
        usage[KINDS.find(([prefix]) => name.startsWith(prefix))?.[1] ?? 'rest'] += bytes
        knownBytes += bytes
      }
      usage.rest += Math.max(0, (await total()) - knownBytes)
      return usage
    },
  }
}

/** PostgreSQL has several rows per counter, so that concurrent writers rarely update the same one. */
async function readCounters(session: SqlSession) {
  const rows = await session.rows<{ name: CounterName; value: number }>(
    'SELECT name, CAST(sum(value) AS bigint) AS value FROM counters GROUP BY name',
  )
  const counters = noCountChanges()
  for (const { name, value } of rows) counters[name] = value
  return counters
}

const MAX_EXACT_COUNT = 10_000

/** Exact for a short queue. For a long one, estimated from its first and last place, between which some are empty. */
async function countPending(session: SqlSession, queue: WorkQueue): Promise<number> {
  const row = await session.row<{ count: number; first: number | null; last: number | null }>(
    `SELECT (SELECT count(*) FROM (SELECT 1 FROM ${queue} LIMIT ${MAX_EXACT_COUNT}) AS counted) AS count,
     (SELECT min(place) FROM ${queue}) AS first, (SELECT max(place) FROM ${queue}) AS last`,
  )
  const { count = 0, first, last } = row ?? {}
  return count < MAX_EXACT_COUNT ? count : (last ?? 0) - (first ?? 0) + 1
}
