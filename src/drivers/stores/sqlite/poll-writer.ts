/**
 * All that one poll changes: lines of the log, the schedule with the end of the lease, the feed, new entries, and entries
 * that now say something else.
 */
import type Database from 'better-sqlite3'
import { type EntryId, type FeedId, type Instant, sortAt } from '../../../model/index.ts'
import {
  bodyBefore,
  KEPT_BODIES,
  KEPT_VERSIONS,
  type NewsRecord,
  type PollRecordDraft,
  type Recorded,
} from '../../../ports/index.ts'
import { type BeforePoll, dateColumns, whatBecomes, wordColumns } from '../sql/news-columns.ts'
import { contentInColumn } from '../sql/packed-content.ts'
import { LINE_NAMES, logged } from '../sql/poll-rows.ts'
import { type EntryRow, keyHash, scheduleColumns } from '../sql/rows.ts'
import { type CountTally, countFeed } from '../sql/tally.ts'
import type { ArticlesEnlisted } from './articles-enlisted.ts'
import { createHourCounter } from './feed-hours.ts'
import type { FeedWriter } from './feed-writer.ts'
import type { ReadingCalls } from './reading-writer.ts'

export interface PollWriter {
  /** See `recordPolls`. */
  poll(feedId: FeedId, record: PollRecordDraft, tally: CountTally): Recorded
  /** See `recordNews`. */
  news(record: NewsRecord, tally: CountTally): void
}

type LogPlace = number | bigint | null

export function createPollWriter(
  db: Database.Database,
  feedWriter: FeedWriter,
  articles: ArticlesEnlisted,
  readings: ReadingCalls,
): PollWriter {
  const before = db.prepare<[FeedId], BeforePoll>(
    `SELECT state, polled_at, trouble IS NOT NULL AS troubled, last_poll, run, revision, token FROM schedules s
     LEFT JOIN feed_leases l ON l.id = s.feed_id WHERE feed_id = ?`,
  )
  const log = db.prepare(
    `INSERT INTO polls (previous, feed_id, ${LINE_NAMES.join(', ')}) VALUES (?, ?${', ?'.repeat(LINE_NAMES.length)})`,
  )
  const finish = db.prepare(
    `UPDATE schedules SET last_poll = ?, run = ?, due_at = ?, polled_at = ?, succeeded_at = ?, failures = ?,
     trouble = ?, strategy = ?, memory = ?, trust = ?, because = ?, revision = revision + 1 WHERE feed_id = ?`,
  )
  const endLease = db.prepare('DELETE FROM feed_leases WHERE id = ?')
  const insert = db.prepare(
    `INSERT INTO entries (feed_id, key_hash, sort_at, seen_at, published_at, updated_at, date_only, date_fault, estimated_at, estimated_by, language,
     category, key, url, title, author, summary, content, extras, text_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (feed_id, key_hash) DO NOTHING`,
  )
  const rekey = db.prepare<[string, bigint, FeedId, bigint]>(
    'UPDATE OR IGNORE entries SET key = ?, key_hash = ? WHERE feed_id = ? AND key_hash = ?',
  )
  const complete = db.prepare('UPDATE entries SET extras = ? WHERE id = ? AND extras IS NULL')
  const isForgotten = db.prepare('SELECT 1 FROM forgotten WHERE feed_id = ? AND key_hash = ?')
  const find = db.prepare<[FeedId, bigint], { id: EntryId; seen_at: Instant; title: string; url: string | null }>(
    'SELECT id, seen_at, title, url FROM entries WHERE feed_id = ? AND key_hash = ?',
  )
  const saidBy = db.prepare<[EntryId], Pick<EntryRow, 'content' | 'summary'>>(
    'SELECT content, summary FROM entries WHERE id = ?',
  )
  const keepVersion = db.prepare(
    'INSERT INTO entry_versions (entry_id, until, title, url, body) VALUES (?, ?, ?, ?, ?)',
  )
  const dropBodies = db.prepare(
    `UPDATE entry_versions SET body = NULL WHERE entry_id = ? AND body IS NOT NULL AND place NOT IN
     (SELECT place FROM entry_versions WHERE entry_id = ? AND body IS NOT NULL ORDER BY place DESC LIMIT ?)`,
  )
  const dropVersions = db.prepare(
    `DELETE FROM entry_versions WHERE entry_id = ? AND place NOT IN
     (SELECT place FROM entry_versions WHERE entry_id = ? ORDER BY place DESC LIMIT ?)`,
  )
  const update = db.prepare(
    `UPDATE entries SET sort_at = ?, changed_at = ?, published_at = ?, updated_at = ?, date_only = ?,
     date_fault = ?, estimated_at = ?, estimated_by = ?, language = ?, category = ?, key = ?, url = ?, title = ?, author = ?, summary = ?, content = ?, extras = ?, text_hash = ? WHERE id = ?`,
  )
  const waitingLines = ['unindexed', 'unplaced'].map((line) =>
    db.prepare<[number | bigint]>(`INSERT OR REPLACE INTO ${line} (entry_id) VALUES (?)`),
  )

  const countHour = createHourCounter(db)

  function writeEntries(news: NewsRecord, tally: CountTally): void {
    const { feedId, at, rekeyed = [], completed = [], fresh, changed, pages = [] } = news
    for (const { from, to } of rekeyed) rekey.run(to, keyHash(to), feedId, keyHash(from))
    const before = tally.entries
    for (const draft of fresh) {
      const hash = keyHash(draft.key)
      if (isForgotten.get(feedId, hash)) continue
      const { changes, lastInsertRowid } = insert.run(
        feedId,
        hash,
        sortAt(draft, at),
        at,
        ...dateColumns(draft),
        ...wordColumns(draft),
      )
      if (changes === 0) continue
      for (const line of waitingLines) line.run(lastInsertRowid)
      tally.entries++
    }

    for (const draft of changed) {
      const old = find.get(feedId, keyHash(draft.key))
      if (!old) continue
      const said = saidBy.get(old.id)
      const body = bodyBefore(said ? { ...said, content: contentInColumn(said.content) } : {}, draft)
      keepVersion.run(old.id, at, old.title, old.url, body ?? null)
      if (body !== undefined) dropBodies.run(old.id, old.id, KEPT_BODIES)
      dropVersions.run(old.id, old.id, KEPT_VERSIONS)
      update.run(sortAt(draft, old.seen_at), at, ...dateColumns(draft), ...wordColumns(draft), old.id)
      for (const line of waitingLines) line.run(old.id)
    }

    for (const { key, extras } of completed) {
      const entry = find.get(feedId, keyHash(key))
      if (entry && complete.run(JSON.stringify(extras), entry.id).changes > 0) waitingLines[0]!.run(entry.id)
    }

    if (tally.entries > before) readings.arrived(feedId, tally.entries - before)

    const toFetch = pages.flatMap(({ key, ...page }) => {
      const entry = find.get(feedId, keyHash(key))
      return entry ? [{ entryId: entry.id, ...page }] : []
    })
    const due = articles.enlist(toFetch, at, tally)
    if (tally.entries > before || due > 0) countHour(feedId, { entries: tally.entries - before, pages: due }, at)
  }

  function writePoll(feedId: FeedId, record: PollRecordDraft, tally: CountTally): Recorded {
    const { poll, feed } = record
    const old = before.get(feedId)
    const becomes = whatBecomes(record, old)
    if (!old || becomes !== 'recorded') return becomes
    const schedule = { ...record.schedule, polledAt: poll.at }
    const { lines, run } = logged(old.run, poll)
    const newest = lines.reduce<LogPlace>(
      (place, line) => log.run(place, feedId, ...line).lastInsertRowid,
      old.last_poll,
    )
    endLease.run(feedId)
    finish.run(newest, run, ...scheduleColumns(schedule), feedId)
    tally.polls++
    countFeed(tally, -1, { state: old.state, troubled: Boolean(old.troubled), polled: old.polled_at !== null })
    countFeed(tally, 1, { state: old.state, troubled: schedule.trouble !== undefined, polled: true })
    if (feed) feedWriter.change(feedId, feed, undefined, tally)
    writeEntries({ ...record, feedId, at: poll.at }, tally)
    return 'recorded'
  }

  return {
    poll: writePoll,
    news(record, tally) {
      if (before.get(record.feedId)) writeEntries(record, tally)
    },
  }
}
