/** How many entries each feed brought in which hour, and how many pages it has had fetched: for two days, a row an hour. */
import type Database from 'better-sqlite3'
import { DAY, type FeedId, HOUR, type Instant } from '../../../model/index.ts'

export type CountHour = (feedId: FeedId, brought: { entries: number; pages: number }, at: Instant) => void

const KEPT_MS = 2 * DAY

export function createHourCounter(db: Database.Database): CountHour {
  const add = db.prepare<[FeedId, number, number, number]>(
    `INSERT INTO feed_hours (feed_id, hour, entries, pages) VALUES (?, ?, ?, ?)
     ON CONFLICT (feed_id, hour) DO UPDATE SET entries = entries + excluded.entries, pages = pages + excluded.pages`,
  )
  const forget = db.prepare<[FeedId, number]>('DELETE FROM feed_hours WHERE feed_id = ? AND hour < ?')
  return (feedId, { entries, pages }, at) => {
    add.run(feedId, hourOf(at), entries, pages)
    forget.run(feedId, hourOf(at - KEPT_MS))
  }
}

function hourOf(at: Instant): number {
  return Math.floor(at / HOUR)
}
