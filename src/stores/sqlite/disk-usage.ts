/**
 * What takes how much of the file, by SQLite's own account of its pages. It walks through all of them: a second or two for
 * a gigabyte.
 */
import type { DiskUsage } from '../../ports/index.ts'
import { bytesOf } from './bytes-of.ts'
import { fileBytes } from './counts.ts'
import type { SqliteSession } from './session.ts'

/** By the beginning of their names; the first that fits. */
const KINDS: [prefix: string, kind: Exclude<keyof DiskUsage, 'rest'>][] = [
  ['entry_words', 'index'],
  ['entry_places', 'index'],
  ['entry_beginnings', 'index'],
  ['unindexed', 'index'],
  ['unplaced', 'index'],
  ['signatures', 'index'],
  ['group', 'index'],
  ['members', 'index'],
  ['entr', 'entries'],
  ['forgotten', 'entries'],
  ['polls', 'polls'],
  ['article', 'articles'],
  ['page', 'pages'],
  ['feed', 'feeds'],
  ['schedule', 'feeds'],
  ['source', 'feeds'],
]

export async function diskUsageIn(session: SqliteSession): Promise<DiskUsage> {
  const { db, file } = session
  const room: DiskUsage = { feeds: 0, entries: 0, polls: 0, articles: 0, pages: 0, index: 0, rest: 0 }
  const trees = session.prepared<{ name: string }>(`SELECT name FROM sqlite_schema WHERE rootpage > 0`)
  let known = 0
  await session.read(() => {
    for (const { name } of trees.all()) {
      const bytes = bytesOf(db, name)
      const kind = KINDS.find(([prefix]) => name.startsWith(prefix))?.[1] ?? 'rest'
      room[kind] += bytes
      known += bytes
    }
  })
  room.rest += Math.max(0, fileBytes(file) + fileBytes(`${file}-wal`) - known)
  return room
}
