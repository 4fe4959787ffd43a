/**
 * All that one poll changes: the log line, the schedule with the end of the lease, the feed, new entries, and entries
 * that now say something else.
 */
import {
  type EntryDraft,
  type EntryId,
  type FeedId,
  type FeedState,
  type Instant,
  type LeaseToken,
  sortAt,
} from '../../../model/index.ts'
import { KEPT_VERSIONS, type NewsRecord, type PollRecordDraft, type Recorded } from '../../../ports/index.ts'
import type { ArticlesEnlisted } from './articles-enlisted.ts'
import { type Said, type SaidColumns, saidBy } from './entry-texts.ts'
import { createHourCounter } from './feed-hours.ts'
import type { FeedWriter } from './feed-writer.ts'
import { askedColumn, keyHash, occasionColumn, resultColumns, scheduleColumns } from './rows.ts'
import type { SqliteSession } from './session.ts'
import { type CountTally, countFeed } from './tally.ts'

export interface PollWriter {
  /** See `recordPolls`. */
  poll(feedId: FeedId, record: PollRecordDraft, tally: CountTally): Recorded
  /** See `recordNews`. */
  news(record: NewsRecord, tally: CountTally): void
}

interface Before {
  state: FeedState
  polled_at: Instant | null
  troubled: 0 | 1
  last_poll: number | null
  revision: number
  token: LeaseToken | null
}

export function createPollWriter(
  { db, texts }: SqliteSession,
  feedWriter: FeedWriter,
  articles: ArticlesEnlisted,
): PollWriter {
  const before = db.prepare<[FeedId], Before>(
    `SELECT state, polled_at, trouble IS NOT NULL AS troubled, last_poll, revision, token FROM schedules s
     LEFT JOIN feed_leases l ON l.id = s.feed_id WHERE feed_id = ?`,
  )
  const log = db.prepare(
    `INSERT INTO polls (previous, feed_id, at, took_ms, bytes, asked, occasion, rest_until, result, fresh, changed,
     window_size, failure) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const finish = db.prepare(
    `UPDATE schedules SET last_poll = ?, due_at = ?, polled_at = ?, succeeded_at = ?, failures = ?,
     trouble = ?, strategy = ?, memory = ?, trust = ?, because = ?, revision = revision + 1 WHERE feed_id = ?`,
  )
  const endLease = db.prepare('DELETE FROM feed_leases WHERE id = ?')
  const insert = db.prepare(
    `INSERT INTO entries (feed_id, key_hash, sort_at, seen_at, published_at, updated_at, date_only, date_fault, estimated_at, estimated_by, language,
     category, said, long) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (feed_id, key_hash) DO NOTHING`,
  )
  const rekey = db.prepare<[Buffer, string | null, bigint, EntryId]>(
    'UPDATE OR IGNORE entries SET said = ?, long = ?, key_hash = ? WHERE id = ?',
  )
  const complete = db.prepare<[Buffer, string | null, EntryId]>('UPDATE entries SET said = ?, long = ? WHERE id = ?')
  const isForgotten = db.prepare('SELECT 1 FROM forgotten WHERE feed_id = ? AND key_hash = ?')
  const find = db.prepare<[FeedId, bigint], SaidColumns & { id: EntryId; seen_at: Instant }>(
    'SELECT id, seen_at, said, long FROM entries WHERE feed_id = ? AND key_hash = ?',
  )
  const idOf = db
    .prepare<[FeedId, bigint], EntryId>('SELECT id FROM entries WHERE feed_id = ? AND key_hash = ?')
    .pluck()
  const keepVersion = db.prepare('INSERT INTO entry_versions (entry_id, until, title, url) VALUES (?, ?, ?, ?)')
  const dropVersions = db.prepare(
    `DELETE FROM entry_versions WHERE entry_id = ? AND place NOT IN
     (SELECT place FROM entry_versions WHERE entry_id = ? ORDER BY place DESC LIMIT ?)`,
  )
  const update = db.prepare(
    `UPDATE entries SET sort_at = ?, changed_at = ?, published_at = ?, updated_at = ?, date_only = ?,
     date_fault = ?, estimated_at = ?, estimated_by = ?, language = ?, category = ?, said = ?, long = ? WHERE id = ?`,
  )
  const waitingLines = ['unindexed', 'unplaced'].map((line) =>
    db.prepare<[number | bigint]>(`INSERT OR REPLACE INTO ${line} (entry_id) VALUES (?)`),
  )

  const countHour = createHourCounter(db)

  function columnsOf(said: Said): [Buffer, string | null] {
    const columns = texts.pack(said)
    return [columns.said, columns.long]
  }

  function writeEntries(news: NewsRecord, tally: CountTally): void {
    const { feedId, at, rekeyed = [], completed = [], fresh, changed, pages = [] } = news
    for (const { from, to } of rekeyed) {
      const entry = find.get(feedId, keyHash(from))
      if (entry) rekey.run(...columnsOf({ ...texts.said(entry), key: to }), keyHash(to), entry.id)
    }
    const before = tally.entries
    for (const draft of fresh) {
      const hash = keyHash(draft.key)
      if (isForgotten.get(feedId, hash)) continue
      const { changes, lastInsertRowid } = insert.run(
        feedId,
        hash,
        sortAt(draft, at),
        at,
        ...dates(draft),
        ...about(draft),
        ...columnsOf(saidBy(draft)),
      )
      if (changes === 0) continue
      for (const line of waitingLines) line.run(lastInsertRowid)
      tally.entries++
    }

    for (const draft of changed) {
      const old = find.get(feedId, keyHash(draft.key))
      if (!old) continue
      const { title, url = null } = texts.said(old)
      keepVersion.run(old.id, at, title, url)
      dropVersions.run(old.id, old.id, KEPT_VERSIONS)
      update.run(sortAt(draft, old.seen_at), at, ...dates(draft), ...about(draft), ...columnsOf(saidBy(draft)), old.id)
      for (const line of waitingLines) line.run(old.id)
    }

    for (const { key, extras } of completed) {
      const entry = find.get(feedId, keyHash(key))
      const before = entry && texts.said(entry)
      if (!before || before.extras !== undefined) continue
      complete.run(...columnsOf({ ...before, extras: JSON.stringify(extras) }), entry.id)
      waitingLines[0]!.run(entry.id)
    }

    const toFetch = pages.flatMap(({ key, ...page }) => {
      const entryId = idOf.get(feedId, keyHash(key))
      return entryId === undefined ? [] : [{ entryId, ...page }]
    })
    const due = articles.enlist(toFetch, at, tally)
    if (tally.entries > before || due > 0) countHour(feedId, { entries: tally.entries - before, pages: due }, at)
  }

  function writePoll(feedId: FeedId, record: PollRecordDraft, tally: CountTally): Recorded {
    const { poll, feed } = record
    const old = before.get(feedId)
    if (!old) return 'void'
    if (record.lease !== undefined && record.lease !== old.token) return 'void'
    if (old.polled_at !== null && old.polled_at >= poll.at) return 'void'
    if (record.revision !== undefined && record.revision !== old.revision) return 'stale'
    const schedule = { ...record.schedule, polledAt: poll.at }
    const { at, tookMs, bytes, restUntil = null, result } = poll
    const facts = [at, tookMs, bytes, askedColumn(poll), occasionColumn(poll), restUntil, ...resultColumns(result)]
    const line = log.run(old.last_poll, feedId, ...facts)
    endLease.run(feedId)
    finish.run(line.lastInsertRowid, ...scheduleColumns(schedule), feedId)
    tally.polls++
    countFeed(tally, -1, { state: old.state, troubled: old.troubled === 1, polled: old.polled_at !== null })
    countFeed(tally, 1, { state: old.state, troubled: schedule.trouble !== undefined, polled: true })
    if (feed) feedWriter.change(feedId, feed, undefined, tally)
    writeEntries({ ...record, feedId, at }, tally)
    return 'recorded'
  }

  return {
    poll: writePoll,
    news(record, tally) {
      if (before.get(record.feedId)) writeEntries(record, tally)
    },
  }
}

/** published_at, updated_at, date_only, date_fault, estimated_at, estimated_by */
function dates({ publishedAt, updatedAt, dateOnly, dateFault, estimate }: EntryDraft): (number | string | null)[] {
  return [
    publishedAt ?? null,
    updatedAt ?? null,
    dateOnly ? 1 : null,
    dateFault ?? null,
    estimate?.at ?? null,
    estimate?.by ?? null,
  ]
}

/** language, category */
function about({ language, category }: EntryDraft): (string | null)[] {
  return [language ?? null, category ?? null]
}
