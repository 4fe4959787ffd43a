/**
 * What takes how much of the file, by SQLite's own account of its pages. It walks through all of them: a second or two for
 * a gigabyte.
 */
import type { Room } from '../../../ports/index.ts'
import { bytesOf } from './counts.ts'
import type { Session } from './session.ts'

/** By the beginning of their names; the first that fits. */
const KINDS: [prefix: string, kind: Exclude<keyof Room, 'rest'>][] = [
  ['entry_words', 'index'],
  ['unindexed', 'index'],
  ['entr', 'entries'],
  ['forgotten', 'entries'],
  ['polls', 'polls'],
  ['article', 'articles'],
  ['page', 'pages'],
  ['feed', 'feeds'],
  ['schedule', 'feeds'],
  ['source', 'feeds'],
]

export function roomIn({ db, file }: Session): Room {
  const room: Room = { feeds: 0, entries: 0, polls: 0, articles: 0, pages: 0, index: 0, rest: 0 }
  const trees = db
    .prepare<[], { name: string; bytes: number }>('SELECT name, pgsize AS bytes FROM dbstat WHERE aggregate = TRUE')
    .all()
  for (const { name, bytes } of trees) {
    const kind = KINDS.find(([prefix]) => name.startsWith(prefix))?.[1] ?? 'rest'
    room[kind] += bytes
  }
  const known = Object.values(room).reduce((sum, bytes) => sum + bytes)
  room.rest += Math.max(0, bytesOf(file) + bytesOf(`${file}-wal`) - known)
  return room
}
