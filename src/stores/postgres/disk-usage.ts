/** Disk usage by kind of data: tables with their indexes and TOAST data. */
import type { DiskUsage } from '../../ports/index.ts'
import type { PostgresSession } from './session.ts'

/** Kinds of tables by the start of their names, including partitions. The first match counts. */
const KINDS: [prefix: string, kind: Exclude<keyof DiskUsage, 'rest'>][] = [
  ['entry_search', 'index'],
  ['unindexed', 'index'],
  ['ungrouped', 'index'],
  ['signatures', 'index'],
  ['group', 'index'],
  ['members', 'index'],
  ['entr', 'entries'],
  ['polls', 'polls'],
  ['article', 'articles'],
  ['page', 'pages'],
  ['feed', 'feeds'],
  ['outgoing_feeds', 'feeds'],
  ['schedule', 'feeds'],
  ['source', 'feeds'],
]

export async function measurePostgresUsage(session: PostgresSession): Promise<DiskUsage> {
  const usage: DiskUsage = { feeds: 0, entries: 0, polls: 0, articles: 0, pages: 0, index: 0, rest: 0 }
  const tables = await session.rows<{ name: string; bytes: number }>(
    `SELECT c.relname AS name, coalesce(pg_total_relation_size(c.oid), 0) AS bytes FROM pg_class c
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'`,
  )
  let knownBytes = 0
  for (const { name, bytes } of tables) {
    usage[KINDS.find(([prefix]) => name.startsWith(prefix))?.[1] ?? 'rest'] += bytes
    knownBytes += bytes
  }
  usage.rest += Math.max(0, (await storeBytes(session)) - knownBytes)
  return usage
}

/** Size of the database, which only Freshet uses. */
export async function storeBytes(session: Pick<PostgresSession, 'rows'>): Promise<number> {
  const [row] = await session.rows<{ bytes: number }>('SELECT pg_database_size(current_database()) AS bytes')
  return row!.bytes
}
