/**
 * What takes how much of the file, by SQLite's own account of its pages. It walks through all of them: a second or two for
 * a gigabyte.
 */
import { type DiskUsage, letOthers, StoreError } from '../../../ports/index.ts'
import type { Thread } from '../../threads/thread.ts'
import { bytesOf } from './bytes-of.ts'
import { fileBytes } from './counts.ts'
import type { RoomQuestion } from './search-thread.ts'
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

/** A tree at a time, so that others get a word in; and in a thread, where there is one. */
export async function diskUsageIn(session: SqliteSession, thread?: Thread): Promise<DiskUsage> {
  const { db, file } = session
  const room: DiskUsage = { feeds: 0, entries: 0, polls: 0, articles: 0, pages: 0, index: 0, rest: 0 }
  const trees = session.prepared<{ name: string }>(`SELECT name FROM sqlite_schema WHERE rootpage > 0`)
  let known = 0
  for (const { name } of await session.read(() => trees.all())) {
    const told = await thread?.ask({ file, tree: name } satisfies RoomQuestion)
    if (told && 'gaveUp' in told) throw notWeighed(file, told.gaveUp)
    const bytes = told ? (told.answer as number) : await session.read(() => bytesOf(db, name))
    const kind = KINDS.find(([prefix]) => name.startsWith(prefix))?.[1] ?? 'rest'
    room[kind] += bytes
    known += bytes
    await letOthers()
  }
  room.rest += Math.max(0, fileBytes(file) + fileBytes(`${file}-wal`) - known)
  return room
}

function notWeighed(file: string, why: string): StoreError {
  return new StoreError('no-access', `could not find out what takes room in ${file}: ${why}`, 'Ask again later.', {
    isPassing: true,
  })
}
