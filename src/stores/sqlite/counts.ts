/** The counters, and what the store occupies. */
import { statSync } from 'node:fs'
import type { Store } from '../../ports/index.ts'
import type { SqliteSession } from './session.ts'

export function countQueries(session: SqliteSession): Pick<Store, 'counts'> {
  const { file, counters } = session
  const lengthOf = { index: lineLength(session, 'unindexed'), groups: lineLength(session, 'unplaced') }

  return {
    counts() {
      return session.read(() => {
        const { active, paused, gone, troubled, unpolled, looking, entries, polls, ...articles } = counters.all()
        const feeds = { active, paused, gone }
        const waiting = { index: lengthOf.index(), groups: lengthOf.groups() }
        const bytes = fileBytes(file) + fileBytes(`${file}-wal`)
        return { feeds, troubled, unpolled, looking, entries, polls, articles, waiting, bytes }
      })
    },
  }
}

/** Counted, if it is short; else by the places of its ends, between which some are empty. */
function lineLength({ db }: SqliteSession, line: 'unindexed' | 'unplaced'): () => number {
  const count = db.prepare<[], number>(`SELECT count(*) FROM (SELECT 1 FROM ${line} LIMIT ${COUNTED})`).pluck()
  const first = db.prepare<[], number>(`SELECT min(place) FROM ${line}`).pluck()
  const last = db.prepare<[], number>(`SELECT max(place) FROM ${line}`).pluck()
  return () => {
    const short = count.get() ?? 0
    return short < COUNTED ? short : (last.get() ?? 0) - (first.get() ?? 0) + 1
  }
}

const COUNTED = 10_000

export function fileBytes(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
