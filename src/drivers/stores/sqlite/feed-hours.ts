/** How many entries each feed brought in which hour: for two days, a row an hour. */
import type Database from 'better-sqlite3'
import { DAY, type FeedId, HOUR, type Instant } from '../../../model/index.ts'
import type { Store } from '../../../ports/index.ts'
import type { Session } from './session.ts'

export type CountHour = (feedId: FeedId, entries: number, at: Instant) => void

const KEPT_MS = 2 * DAY

export function createHourCounter(db: Database.Database): CountHour {
  const add = db.prepare<[FeedId, number, number]>(
    `INSERT INTO feed_hours (feed_id, hour, entries) VALUES (?, ?, ?)
     ON CONFLICT (feed_id, hour) DO UPDATE SET entries = entries + excluded.entries`,
  )
  const forget = db.prepare<[FeedId, number]>('DELETE FROM feed_hours WHERE feed_id = ? AND hour < ?')
  return (feedId, entries, at) => {
    add.run(feedId, hourOf(at), entries)
    forget.run(feedId, hourOf(at - KEPT_MS))
  }
}

export function hourQueries(session: Session): Pick<Store, 'newEntries'> {
  const sum = session.db
    .prepare<[FeedId, number], number>('SELECT total(entries) FROM feed_hours WHERE feed_id = ? AND hour >= ?')
    .pluck()
  return {
    newEntries(ids, since) {
      return session.read(() => ids.map((id) => sum.get(id, hourOf(since)) ?? 0))
    },
  }
}

function hourOf(at: Instant): number {
  return Math.floor(at / HOUR)
}
