/**
 * Feeds that are removed. One may have a hundred thousand entries, which take seconds to remove with all that belongs to
 * them. So the feed itself goes at once and is noted among the `removals`; whatever lists entries or polls passes over
 * those of feeds that stand there. A first bite goes with the feed, which is all of most feeds; the rest is swept out in
 * bites, also after a crash. Newest first: lists, which begin there, have the less to pass over.
 *
 * Its entries are taken off what there is of them in pieces, too, before anybody is told that the feed is gone; what a crash leaves
 * uncounted is taken off when it is swept out.
 */
import type { EntryId, FeedId, FeedState, Instant, SourceId } from '../../../model/index.ts'
import type { Store } from '../../../ports/index.ts'
import { pollsIn } from '../sql/poll-rows.ts'
import { type CountTally, countFeed } from '../sql/tally.ts'
import type { ArticleWriter } from './article-writer.ts'
import type { GroupWriter } from './group-writer.ts'
import type { ReadingCalls } from './reading-writer.ts'
import { bounded, type SqliteSession } from './session.ts'

/** Entries, keys or polls that go with the feed. */
const FIRST_CHUNK = 50

/** Entries that go before one looks how long that took. */
const TOGETHER = 20

/** Entries that are counted at once: a millisecond or two. */
const COUNTED = 5000

/** The newest first, and those of each lot in the order of their ids. */
function* together(ids: EntryId[]): Generator<EntryId[]> {
  for (let from = 0; from < ids.length; from += TOGETHER) yield ids.slice(from, from + TOGETHER).sort((a, b) => a - b)
}

interface Removal {
  feed_id: FeedId
  last_poll: number | null
  /** Entries up to this one are taken off the counters already; null: all. */
  counted_to: EntryId | null
}

export function removalQueries(
  session: SqliteSession,
  groups: GroupWriter,
  articles: ArticleWriter,
  readings: ReadingCalls,
): Pick<Store, 'removeFeed' | 'sweepRemoved'> {
  const { db } = session
  const counted = db.prepare<
    [FeedId],
    { state: FeedState; troubled: 0 | 1; polled_at: Instant | null; last_poll: number | null; run: Buffer | null }
  >('SELECT state, trouble IS NOT NULL AS troubled, polled_at, last_poll, run FROM schedules WHERE feed_id = ?')
  const someAfter = db.prepare<[FeedId, EntryId, number], { count: number; last: EntryId | null }>(
    'SELECT count(*) AS count, max(id) AS last FROM (SELECT id FROM entries WHERE feed_id = ? AND id > ? ORDER BY id LIMIT ?)',
  )
  const sourcesOf = db.prepare<[FeedId], SourceId>('SELECT id FROM sources WHERE feed_id = ?').pluck()
  const begin = db.prepare('INSERT INTO removals (feed_id, last_poll, counted_to) VALUES (?, ?, ?)')
  const countedTo = db.prepare<[FeedId], EntryId | null>('SELECT counted_to FROM removals WHERE feed_id = ?').pluck()
  const setCountedTo = db.prepare('UPDATE removals SET counted_to = ? WHERE feed_id = ?')
  const dropFeed = [
    ...['sources', 'schedules', 'feed_hours', 'feed_habits'].map((table) => `DELETE FROM ${table} WHERE feed_id = ?`),
    "DELETE FROM pushes WHERE feed_id = ? AND state = 'waiting'",
    "UPDATE pushes SET state = 'ending', due_at = 0, revision = revision + 1 WHERE feed_id = ? AND state = 'active'",
    ...['feed_leases', 'feeds'].map((table) => `DELETE FROM ${table} WHERE id = ?`),
  ].map((sql) => db.prepare<[FeedId]>(sql))

  const next = db.prepare<[], Removal>('SELECT feed_id, last_poll, counted_to FROM removals ORDER BY feed_id LIMIT 1')
  const newest = db
    .prepare<[FeedId, number], EntryId>(
      'SELECT id FROM entries WHERE feed_id = ? ORDER BY sort_at DESC, id DESC LIMIT ?',
    )
    .pluck()
  const dropFromIndex = db.prepare<[EntryId]>('INSERT OR REPLACE INTO unindexed (entry_id) VALUES (?)')
  const dropVersions = db.prepare<[EntryId]>('DELETE FROM entry_versions WHERE entry_id = ?')
  const dropStars = db.prepare<[EntryId]>('DELETE FROM stars WHERE entry_id = ?')
  const dropEntry = db.prepare<[EntryId]>('DELETE FROM entries WHERE id = ?')
  const dropKeys = db.prepare<[FeedId, FeedId, number]>(
    `DELETE FROM forgotten WHERE feed_id = ?
     AND key_hash IN (SELECT key_hash FROM forgotten WHERE feed_id = ? LIMIT ?)`,
  )
  const dropLine = db.prepare<[number], { previous: number | null; times: number }>(
    'DELETE FROM polls WHERE place = ? RETURNING previous, times',
  )
  const goOn = db.prepare('UPDATE removals SET last_poll = ? WHERE feed_id = ?')
  const end = db.prepare<[FeedId]>('DELETE FROM removals WHERE feed_id = ?')

  /** Takes some more of a feed's entries off what there is; to which one, or null where there are no more. */
  function countFrom(id: FeedId, from: EntryId, tally: CountTally): EntryId | null {
    const { count, last } = someAfter.get(id, from, COUNTED)!
    tally.entries -= count
    return count < COUNTED ? null : last
  }

  /** At most `limit` of what is left; how many that were. */
  function sweep({ feed_id: id, last_poll, counted_to }: Removal, limit: number, tally: CountTally): number {
    let room = limit
    for (const entryIds of together(newest.all(id, room))) {
      for (const entryId of entryIds) {
        dropFromIndex.run(entryId)
        dropVersions.run(entryId)
        dropStars.run(entryId)
        dropEntry.run(entryId)
        articles.unlink(entryId, tally)
        if (counted_to !== null && entryId > counted_to) tally.entries--
        room--
      }
      groups.remove(entryIds)
    }
    if (room > 0) room -= dropKeys.run(id, id, room).changes
    let place = last_poll
    while (place && room > 0) {
      const line = dropLine.get(place)
      tally.polls -= line?.times ?? 0
      place = line?.previous ?? null
      room--
    }
    if (room > 0) end.run(id)
    else goOn.run(place, id)
    return limit - room
  }

  return {
    async removeFeed(id) {
      const wasThere = await session.write((tally) => {
        const row = counted.get(id)
        if (!row) return false
        countFeed(tally, -1, { state: row.state, troubled: row.troubled === 1, polled: row.polled_at !== null })
        tally.polls -= pollsIn(row.run)
        const to = countFrom(id, 0 as EntryId, tally)
        const removal = { feed_id: id, last_poll: row.last_poll, counted_to: to }
        begin.run(id, row.last_poll, to)
        for (const source of sourcesOf.all(id)) readings.sourceRemoved(source)
        readings.feedRemoved(id)
        for (const statement of dropFeed) statement.run(id)
        sweep(removal, FIRST_CHUNK, tally)
        return true
      })
      if (!wasThere) return false
      for (let from = await session.read(() => countedTo.get(id)); from; )
        from = await session.write((tally) => {
          const now = countedTo.get(id) // it may have been swept out meanwhile
          if (!now) return null
          const to = countFrom(id, now, tally)
          setCountedTo.run(to, id)
          return to
        })
      return true
    },

    sweepRemoved(limit) {
      return session.write((tally) => {
        const removal = next.get()
        return removal ? Math.max(1, sweep(removal, bounded(limit), tally)) : readings.sweep(bounded(limit))
      })
    },
  }
}
