/** The statements that add and change feeds and their schedules, for the several methods that do so. */
import type Database from 'better-sqlite3'
import type { Feed, FeedId, Schedule } from '../../../model/index.ts'
import type { FeedChange, NewFeed } from '../../../ports/index.ts'
import { FEED_COLUMNS, type FeedRow, feedOf, haystackOf, jsonOrNull, scheduleColumns } from '../sql/rows.ts'
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
    `INSERT INTO feeds (url, root, title, description, site_url, language, category, hub, format, folder, credentials, etag, last_modified,
     body_hash, window_hash, subscribers, hints, wants, ends, bucket, moving, title_prefix, articles, gap_at, errand, sought_at, successor_url, name, own_category, built_at, found_by, fragments, haystack, added_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertSchedule = db.prepare(
    `INSERT INTO schedules (feed_id, state, due_at, polled_at, succeeded_at, failures, trouble, strategy, memory, trust, because)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const get = db.prepare<[FeedId], FeedRow>(
    `SELECT ${FEED_COLUMNS} FROM feeds f JOIN schedules s ON s.feed_id = f.id WHERE f.id = ?`,
  )
  const update = db.prepare(
    `UPDATE feeds SET root = ?, title = ?, description = ?, site_url = ?, language = ?, category = ?, hub = ?, format = ?, folder = ?, credentials = ?,
     etag = ?, last_modified = ?, body_hash = ?, window_hash = ?, subscribers = ?, hints = ?, wants = ?, ends = ?, bucket = ?, moving = ?, title_prefix = ?, articles = ?, gap_at = ?, errand = ?,
     sought_at = ?, successor_url = ?, name = ?, own_category = ?, built_at = ?, found_by = ?, fragments = ?, haystack = ? WHERE id = ?`,
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
      const { lastInsertRowid } = insert.run(feed.url, ...ownColumns(withOwnName(feed, 0)), feed.addedAt)
      const id = Number(lastInsertRowid) as FeedId
      insertSchedule.run(id, feed.state, ...scheduleColumns(schedule))
      countFeed(tally, 1, counted(feed, schedule))
      return { id, added: true }
    },

    change(id, change, scheduleChange, tally) {
      const row = get.get(id)
      if (!row) return false
      const old = feedOf(row)
      const feed = changed(old.feed, change)
      const schedule: Schedule = { ...old.schedule, ...present(scheduleChange ?? {}) }
      if (feed.url !== old.feed.url) {
        if (idOf.get(feed.url) === undefined) move.run(feed.url, id)
        else Object.assign(feed, { url: old.feed.url, root: old.feed.root })
      }
      update.run(...ownColumns(withOwnName(feed, id)), id)
      revise.run(id)
      if (scheduleChange || feed.state !== old.feed.state) {
        updateSchedule.run(feed.state, ...scheduleColumns(schedule), id)
        countFeed(tally, -1, counted(old.feed, old.schedule))
        countFeed(tally, 1, counted(feed, schedule))
      }
      return true
    },
  }
}

/** root to successor, then the haystack. */
function ownColumns(feed: Omit<Feed, 'id'>): (string | number | null)[] {
  return [
    feed.root,
    feed.title,
    feed.description ?? null,
    feed.siteUrl ?? null,
    feed.language ?? null,
    feed.category ?? null,
    feed.hub ?? null,
    feed.format ?? null,
    feed.folder ?? null,
    jsonOrNull(feed.credentials),
    feed.validators.etag ?? null,
    feed.validators.lastModified ?? null,
    feed.bodyHash ?? null,
    feed.windowHash ?? null,
    feed.subscribers,
    jsonOrNull(feed.hints),
    jsonOrNull(feed.wants),
    jsonOrNull(feed.ends),
    feed.bucket ?? null,
    jsonOrNull(feed.moving),
    feed.titlePrefix ?? null,
    feed.articles ?? null,
    feed.gapAt ?? null,
    jsonOrNull(feed.errand),
    feed.soughtAt ?? null,
    feed.successorUrl ?? null,
    feed.name ?? null,
    feed.ownCategory ?? null,
    feed.builtAt ?? null,
    feed.foundBy ?? null,
    feed.fragments ?? null,
    haystackOf(feed.title, feed.url),
  ]
}

function counted(feed: Pick<Feed, 'state'>, schedule: Schedule) {
  return {
    state: feed.state,
    troubled: schedule.trouble !== undefined,
    polled: schedule.polledAt !== undefined,
  }
}

/** Null takes something away. */
function changed(feed: Feed, change: FeedChange): Feed {
  const all = Object.entries({ ...feed, ...present(change) })
  return Object.fromEntries(all.filter(([, value]) => value !== null)) as unknown as Feed
}

/** A change may name something and give it no value, which means the same as not to name it. */
function present<T extends object>(change: T): T {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as T
}
