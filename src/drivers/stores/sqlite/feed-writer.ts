/** The statements that add and change feeds and their schedules, for the several methods that do so. */
import type Database from 'better-sqlite3'
import type { Feed, FeedId, Schedule } from '../../../model/index.ts'
import type { FeedChange, NewFeed } from '../../../ports/index.ts'
import { changedFeed, FEED_COLUMN_NAMES, feedColumns, feedCounted, presentOnly } from '../sql/feed-columns.ts'
import { FEED_COLUMNS, type FeedRow, feedOf, scheduleColumns } from '../sql/rows.ts'
import { type CountTally, countFeed } from '../sql/tally.ts'

export interface FeedWriter {
  /** A feed whose address is there already is left as it is. A name that another has is left out. */
  add(feed: NewFeed, tally: CountTally): { id: FeedId; added: boolean }
  /** The feed that has this address. */
  idOf(url: string): FeedId | undefined
  /** False if it is gone. Two feeds never share an address: one that another feed has is left out of the change, and its root. */
  change(id: FeedId, change: FeedChange, schedule: Partial<Schedule> | undefined, tally: CountTally): boolean
}

export function createFeedWriter(db: Database.Database): FeedWriter {
  const idOf = db.prepare<[string], FeedId>('SELECT id FROM feeds WHERE url = ?').pluck()
  const named = db.prepare<[string], number>('SELECT id FROM feeds WHERE name = ?').pluck()
  const insert = db.prepare(
    `INSERT INTO feeds (url, ${FEED_COLUMN_NAMES.join(', ')}, added_at) VALUES (?, ${FEED_COLUMN_NAMES.map(() => '?').join(', ')}, ?)`,
  )
  const insertSchedule = db.prepare(
    `INSERT INTO schedules (feed_id, state, due_at, polled_at, succeeded_at, failures, trouble, strategy, memory, trust, because)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const get = db.prepare<[FeedId], FeedRow>(
    `SELECT ${FEED_COLUMNS} FROM feeds f JOIN schedules s ON s.feed_id = f.id WHERE f.id = ?`,
  )
  const update = db.prepare(
    `UPDATE feeds SET ${FEED_COLUMN_NAMES.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`,
  )
  const move = db.prepare('UPDATE feeds SET url = ? WHERE id = ?')
  const updateSchedule = db.prepare(
    `UPDATE schedules SET state = ?, due_at = ?, polled_at = ?, succeeded_at = ?, failures = ?, trouble = ?,
     strategy = ?, memory = ?, trust = ?, because = ? WHERE feed_id = ?`,
  )
  const revise = db.prepare<[FeedId]>('UPDATE schedules SET revision = revision + 1 WHERE feed_id = ?')

  /** A name is that of one feed: what another has is left out. */
  function withOwnName<Named extends Omit<Feed, 'id'>>(feed: Named, id: number): Named {
    const { name, ...unnamed } = feed
    const isTaken = name !== undefined && (named.get(name) ?? id) !== id
    return isTaken ? (unnamed as Named) : feed
  }

  return {
    idOf: (url) => idOf.get(url),

    add({ feed, schedule }, tally) {
      const there = idOf.get(feed.url)
      if (there !== undefined) return { id: there, added: false }
      const { lastInsertRowid } = insert.run(feed.url, ...feedColumns(withOwnName(feed, 0)), feed.addedAt)
      const id = Number(lastInsertRowid) as FeedId
      insertSchedule.run(id, feed.state, ...scheduleColumns(schedule))
      countFeed(tally, 1, feedCounted(feed, schedule))
      return { id, added: true }
    },

    change(id, change, scheduleChange, tally) {
      const row = get.get(id)
      if (!row) return false
      const old = feedOf(row)
      const feed = changedFeed(old.feed, change)
      const schedule: Schedule = { ...old.schedule, ...presentOnly(scheduleChange ?? {}) }
      if (feed.url !== old.feed.url) {
        if (idOf.get(feed.url) === undefined) move.run(feed.url, id)
        else Object.assign(feed, { url: old.feed.url, root: old.feed.root })
      }
      update.run(...feedColumns(withOwnName(feed, id)), id)
      revise.run(id)
      if (scheduleChange || feed.state !== old.feed.state) {
        updateSchedule.run(feed.state, ...scheduleColumns(schedule), id)
        countFeed(tally, -1, feedCounted(old.feed, old.schedule))
        countFeed(tally, 1, feedCounted(feed, schedule))
      }
      return true
    },
  }
}
