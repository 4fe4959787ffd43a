/** Disk usage by kind of data, by SQLite's page statistics. Scans all pages: a second or two per gigabyte. */
import type { DiskUsage } from '../../ports/index.ts'
import { bytesOf } from './bytes-of.ts'
import { fileBytes } from './counts.ts'
import type { SqliteSession } from './session.ts'

/** Kinds of tables by the start of their names. The first match counts. */
const KINDS: [prefix: string, kind: Exclude<keyof DiskUsage, 'rest'>][] = [
  ['entry_words', 'index'],
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

export async function measureSqliteUsage(session: SqliteSession): Promise<DiskUsage> {
  const { db, file } = session
  const usage: DiskUsage = { feeds: 0, entries: 0, polls: 0, articles: 0, pages: 0, index: 0, rest: 0 }
  const trees = session.prepared<{ name: string }>(`SELECT name FROM sqlite_schema WHERE rootpage > 0`)
  let knownBytes = 0
  await session.read(() => {
    for (const { name } of trees.all()) {
      const bytes = bytesOf(db, name)
      const kind = KINDS.find(([prefix]) => name.startsWith(prefix))?.[1] ?? 'rest'
      usage[kind] += bytes
      knownBytes += bytes
    }
  })
  usage.rest += Math.max(0, fileBytes(file) + fileBytes(`${file}-wal`) - knownBytes)
  return usage
}
