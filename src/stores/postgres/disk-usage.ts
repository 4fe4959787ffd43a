/** What takes how much room, by PostgreSQL's own account: tables with their indexes and with what is long in them. */
import type { DiskUsage } from '../../ports/index.ts'
import type { PostgresSession } from './session.ts'

/** By the beginning of their names, the first that fits; months go with their tables. */
const KINDS: [prefix: string, kind: Exclude<keyof DiskUsage, 'rest'>][] = [
  ['entry_search', 'index'],
  ['unindexed', 'index'],
  ['unplaced', 'index'],
  ['signatures', 'index'],
  ['group', 'index'],
  ['members', 'index'],
  ['entr', 'entries'],
  ['polls', 'polls'],
  ['article', 'articles'],
  ['page', 'pages'],
  ['feed', 'feeds'],
  ['schedule', 'feeds'],
  ['source', 'feeds'],
]

export async function diskUsageOf(session: PostgresSession): Promise<DiskUsage> {
  const room: DiskUsage = { feeds: 0, entries: 0, polls: 0, articles: 0, pages: 0, index: 0, rest: 0 }
  const tables = await session.rows<{ name: string; bytes: number }>(
    `SELECT c.relname AS name, coalesce(pg_total_relation_size(c.oid), 0) AS bytes FROM pg_class c
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'`,
  )
  let known = 0
  for (const { name, bytes } of tables) {
    room[KINDS.find(([prefix]) => name.startsWith(prefix))?.[1] ?? 'rest'] += bytes
    known += bytes
  }
  room.rest += Math.max(0, (await storeBytes(session)) - known)
  return room
}

/** All of the database, which is ours alone. */
export async function storeBytes(session: Pick<PostgresSession, 'rows'>): Promise<number> {
  const [row] = await session.rows<{ bytes: number }>('SELECT pg_database_size(current_database()) AS bytes')
  return row!.bytes
}
