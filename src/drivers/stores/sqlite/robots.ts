/** What sites ask of crawlers: one row for each origin that was ever asked, until it is old. */
import type { Instant, RobotsRecord } from '../../../model/index.ts'
import type { Store } from '../../../ports/index.ts'
import { jsonIn } from './columns.ts'
import { bounded, type Session } from './session.ts'

export function robotsQueries(session: Session): Pick<Store, 'robots' | 'recordRobots' | 'forgetRobots'> {
  const { db } = session
  const get = db.prepare<[string], string>('SELECT record FROM robots WHERE origin = ?').pluck()
  const keep = db.prepare<[string, Instant, string]>(
    'INSERT OR REPLACE INTO robots (origin, fetched_at, record) VALUES (?, ?, ?)',
  )
  const forget = db.prepare(
    'DELETE FROM robots WHERE origin IN (SELECT origin FROM robots WHERE fetched_at < ? ORDER BY fetched_at LIMIT ?)',
  )
  return {
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
