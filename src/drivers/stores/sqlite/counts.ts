/** The counters, the hosts that there is something to say of, and what the store occupies. */
import { statSync } from 'node:fs'
import type { Instant } from '../../../model/index.ts'
import type { Store } from '../../../ports/index.ts'
import { type HostRow, hostColumns, hostOfRow } from '../sql/host-rows.ts'
import { bounded, type SqliteSession } from './session.ts'

export function countQueries(
  session: SqliteSession,
): Pick<Store, 'counts' | 'hosts' | 'hostsNamed' | 'restingHosts' | 'recordHosts'> {
  const { db, file, counters } = session
  const lengthOf = { index: lineLength(session, 'unindexed'), groups: lineLength(session, 'unplaced') }
  const hosts = db.prepare<[], HostRow>('SELECT * FROM hosts ORDER BY root')
  const named = db.prepare<[string], HostRow>('SELECT * FROM hosts WHERE root = ?')
  const resting = db.prepare<[Instant, number], HostRow>(
    'SELECT * FROM hosts WHERE not_before_at > ? ORDER BY not_before_at, root LIMIT ?',
  )
  const restingCount = db.prepare<[Instant], number>('SELECT count(*) FROM hosts WHERE not_before_at > ?').pluck()
  const keep = db.prepare(
    `INSERT OR REPLACE INTO hosts (root, not_before_at, strikes, trouble, budget, crawl_delay, incident)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const drop = db.prepare('DELETE FROM hosts WHERE root = ?')

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

    hosts() {
      return session.read(() => hosts.all().map(hostOfRow))
    },
    hostsNamed(roots) {
      return session.read(() => [...new Set(roots)].flatMap((root) => named.all(root).map(hostOfRow)))
    },

    restingHosts(now, limit) {
      return session.read(() => ({
        hosts: resting.all(now, bounded(limit)).map(hostOfRow),
        all: restingCount.get(now) ?? 0,
      }))
    },

    recordHosts(hosts) {
      return session.write(() => {
        for (const host of hosts) {
          const columns = hostColumns(host)
          if (columns) keep.run(...columns)
          else drop.run(host.root)
        }
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
