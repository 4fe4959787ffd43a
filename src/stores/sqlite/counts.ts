/** Counters and size of the store. */
import { statSync } from 'node:fs'
import type { Store } from '../../ports/index.ts'
import type { SqliteSession } from './session.ts'

export function countQueries(session: SqliteSession): Pick<Store, 'counts'> {
  const { file, counters } = session
  const lengths = { index: createPendingCount(session, 'unindexed'), groups: createPendingCount(session, 'ungrouped') }

  return {
    counts() {
      return session.read(() => {
        const { active, paused, gone, troubled, unpolled, looking, entries, polls, ...articles } = counters.all()
        const feeds = { active, paused, gone }
        const waiting = { index: lengths.index(), groups: lengths.groups() }
        const bytes = fileBytes(file) + fileBytes(`${file}-wal`)
        return { feeds, failing: troubled, unpolled, looking, entries, polls, articles, waiting, bytes }
      })
    },
  }
}

/** Exact for a short queue. For a long one, estimated from its first and last place, between which some are empty. */
function createPendingCount({ db }: SqliteSession, queue: 'unindexed' | 'ungrouped'): () => number {
  const count = db.prepare<[], number>(`SELECT count(*) FROM (SELECT 1 FROM ${queue} LIMIT ${MAX_EXACT_COUNT})`).pluck()
  const first = db.prepare<[], number>(`SELECT min(place) FROM ${queue}`).pluck()
  const last = db.prepare<[], number>(`SELECT max(place) FROM ${queue}`).pluck()
  return () => {
    const length = count.get() ?? 0
    return length < MAX_EXACT_COUNT ? length : (last.get() ?? 0) - (first.get() ?? 0) + 1
  }
}

const MAX_EXACT_COUNT = 10_000

export function fileBytes(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
