/** What sites ask of crawlers: one row for each origin that was ever asked, until it is old. And where they have no feed. */
import type { Instant, RobotsRecord } from '../../../model/index.ts'
import type { Store } from '../../../ports/index.ts'
import { jsonIn, ownAddress } from './columns.ts'
import { bounded, type Session } from './session.ts'

interface MissRow {
  host: string
  url: string
  at: Instant
}

const MOST_MISSES = 200 // of a host

export function robotsQueries(
  session: Session,
): Pick<Store, 'robots' | 'recordRobots' | 'forgetRobots' | 'misses' | 'recordMisses'> {
  const { db } = session
  const get = db.prepare<[string], string>('SELECT record FROM robots WHERE origin = ?').pluck()
  const keep = db.prepare<[string, Instant, string]>(
    'INSERT OR REPLACE INTO robots (origin, fetched_at, record) VALUES (?, ?, ?)',
  )
  const forget = db.prepare(
    'DELETE FROM robots WHERE origin IN (SELECT origin FROM robots WHERE fetched_at < ? ORDER BY fetched_at LIMIT ?)',
  )
  const missed = db.prepare<[string, Instant, number], MissRow>(
    'SELECT host, url, at FROM misses WHERE host = ? AND at >= ? ORDER BY at DESC, url LIMIT ?',
  )
  const miss = db.prepare('INSERT OR REPLACE INTO misses (host, url, at) VALUES (?, ?, ?)')
  const forgetMisses = db.prepare('DELETE FROM misses WHERE at < ?')
  return {
    misses(hosts, since) {
      return session.read(() =>
        hosts
          .flatMap((host) => missed.all(host, since, MOST_MISSES))
          .map(({ url, ...rest }) => ({ ...rest, url: ownAddress(url) })),
      )
    },
    recordMisses(misses, before) {
      return session.write(() => {
        forgetMisses.run(before)
        for (const { host, url, at } of misses) miss.run(host, url, at)
      })
    },
    robots(origins) {
      return session.read(() =>
        origins.map((origin) => {
          return jsonIn<RobotsRecord>(get.get(origin))
        }),
      )
    },
    recordRobots(sites) {
      return session.write(() => {
        for (const { origin, record } of sites) keep.run(origin, record.fetchedAt, JSON.stringify(record))
      })
    },
    forgetRobots(before, limit) {
      return session.writeBite(() => forget.run(before, bounded(limit)).changes)
    },
  }
}
