/**
 * Removes feeds. A feed may have a hundred thousand entries, which take seconds to delete with everything that belongs to them. So the feed
 * itself is deleted at once and recorded in `removals`; queries skip entries and polls of feeds recorded there. A first chunk is deleted
 * with the feed, which is everything for most feeds; the rest is swept in chunks, also after a crash. Newest entries go first, so that
 * lists, which start there, have less to skip.
 *
 * Its entries are subtracted from the counters in chunks, too, before the call returns; entries that a crash leaves uncounted are
 * subtracted when they are swept.
 */
import type { EntryId, FeedId, FeedState, SourceId } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'
import { countFeed } from './count-changes.ts'
import { countRunPolls } from './poll-rows.ts'
import { dropEntries, type RemovalParts } from './retention.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'
import { atMost } from './values.ts'

interface Removal {
  feed_id: FeedId
  last_poll: number | null
  /** Entries up to this one are already subtracted from the counters; null: all. */
  counted_to: EntryId | null
}

interface RemovedRow {
  state: FeedState
  troubled: boolean | 0 | 1
  polled: boolean | 0 | 1
  last_poll: number | null
  run: Buffer | null
}

/** Entries, keys or polls that are deleted with the feed. */
const FIRST_CHUNK = 50
/** Takes one to two milliseconds. */
const ENTRIES_PER_COUNT = 5000

const DROP_FEED = [
  ...['sources', 'schedules', 'feed_hours', 'feed_boilerplate'].map(
    (table) => `DELETE FROM ${table} WHERE feed_id = $1`,
  ),
  "DELETE FROM hub_subscriptions WHERE feed_id = $1 AND state = 'waiting'",
  "UPDATE hub_subscriptions SET state = 'ending', due_at = 0, revision = revision + 1 WHERE feed_id = $1 AND state = 'active'",
  'DELETE FROM feed_leases WHERE id = $1',
  'DELETE FROM feeds WHERE id = $1',
]
/** `$2` lines of a feed's log, backwards from `$1`. */
const LOG_LINES = `WITH RECURSIVE chain (place, previous, n) AS (
    SELECT place, previous, 1 FROM polls WHERE place = $1
    UNION ALL
    SELECT p.place, p.previous, chain.n + 1 FROM chain JOIN polls p ON p.place = chain.previous WHERE chain.n < $2
  )
  SELECT place, previous FROM chain ORDER BY n`

export function removalMethods(session: SqlSession, parts: RemovalParts): Pick<Store, 'removeFeed' | 'sweepRemoved'> {
  const { dialect } = session
  const { keys, groups, subscriptions } = parts
  const countedTo = `SELECT counted_to FROM removals WHERE feed_id = $1 ${dialect.forUpdate}`

  /** Subtracts the next entries of a feed from the counters. Returns the last of them, or null if there are no more. */
  function* subtractEntries(tx: SqlTransaction, id: FeedId, from: EntryId): SqlWork<EntryId | null> {
    const row = yield* tx.row<{ count: number; last: EntryId | null }>(
      `SELECT count(*) AS count, max(id) AS last FROM
       (SELECT id FROM entries WHERE feed_id = $1 AND id > $2 ORDER BY id LIMIT $3) AS counted`,
      [id, from, ENTRIES_PER_COUNT],
    )
    const { count, last } = row!
    tx.countChanges.entries -= count
    return count < ENTRIES_PER_COUNT ? null : last
  }

  /** Deletes at most `limit` leftover rows. Returns how many. */
  function* sweep(tx: SqlTransaction, { feed_id: id, last_poll, counted_to }: Removal, limit: number): SqlWork<number> {
    const newest = yield* tx.rows<{ id: EntryId }>(
      `SELECT id FROM entries WHERE feed_id = $1 ORDER BY sort_at DESC, id DESC LIMIT $2 ${dialect.forUpdate}`,
      [id, limit],
    )
    const ids = newest.map((row) => row.id).sort((a, b) => a - b)
    yield* dropEntries(tx, dialect, parts, ids)
    if (counted_to !== null) tx.countChanges.entries -= ids.filter((entryId) => entryId > counted_to).length
    let remaining = limit - ids.length
    if (remaining > 0)
      remaining -= yield* tx.run(
        `DELETE FROM ${keys.table} WHERE feed_id = $1
         AND key_hash IN (SELECT key_hash FROM ${keys.table} WHERE feed_id = $1 LIMIT $2)`,
        [id, remaining],
      )
    let position = last_poll
    if (remaining > 0 && last_poll !== null) {
      const chain = yield* tx.rows<{ place: number; previous: number | null }>(LOG_LINES, [last_poll, remaining])
      const dropped = yield* tx.each<{ times: number }>(
        'DELETE FROM polls USING given g WHERE polls.place = g.line RETURNING times',
        ['line bigint'],
        chain.map((line) => [line.place]),
      )
      for (const { times } of dropped) tx.countChanges.polls -= times
      position = chain.length < remaining ? null : (chain.at(-1)?.previous ?? null)
      remaining -= chain.length
    }
    if (remaining > 0) yield* tx.run('DELETE FROM removals WHERE feed_id = $1', [id])
    else yield* tx.run('UPDATE removals SET last_poll = $2 WHERE feed_id = $1', [id, position])
    return limit - remaining
  }

  /** False if the feed does not exist. */
  function* removeFeed(tx: SqlTransaction, id: FeedId): SqlWork<boolean> {
    yield* groups.lock(tx)
    const row = yield* tx.row<RemovedRow>(
      `SELECT state, trouble IS NOT NULL AS troubled, polled_at IS NOT NULL AS polled, last_poll, run FROM schedules
       WHERE feed_id = $1 ${dialect.forUpdate}`,
      [id],
    )
    if (!row) return false
    countFeed(tx.countChanges, -1, { state: row.state, troubled: Boolean(row.troubled), polled: Boolean(row.polled) })
    tx.countChanges.polls -= countRunPolls(row.run)
    const counted_to = yield* subtractEntries(tx, id, 0 as EntryId)
    const { last_poll } = row
    yield* tx.run('INSERT INTO removals (feed_id, last_poll, counted_to) VALUES ($1, $2, $3)', [
      id,
      last_poll,
      counted_to,
    ])
    const sources = yield* tx.rows<{ id: SourceId }>('SELECT id FROM sources WHERE feed_id = $1', [id])
    yield* subscriptions.sourcesRemoved(
      tx,
      sources.map((source) => source.id),
    )
    yield* subscriptions.feedRemoved(tx, id)
    for (const sql of DROP_FEED) yield* tx.run(sql, [id])
    yield* sweep(tx, { feed_id: id, last_poll, counted_to }, FIRST_CHUNK)
    return true
  }

  return {
    async removeFeed(id) {
      const wasThere = await session.write((tx) => removeFeed(tx, id))
      for (let isCounting = wasThere; isCounting; )
        isCounting = await session.write(function* (tx) {
          const from = (yield* tx.row<Pick<Removal, 'counted_to'>>(countedTo, [id]))?.counted_to
          if (!from) return false // all are counted, or the feed has been swept meanwhile
          const to = yield* subtractEntries(tx, id, from)
          yield* tx.run('UPDATE removals SET counted_to = $2 WHERE feed_id = $1', [id, to])
          return to !== null
        })
      return wasThere
    },

    sweepRemoved(limit) {
      return session.write(function* (tx) {
        yield* groups.lock(tx)
        const removal = yield* tx.row<Removal>(
          `SELECT feed_id, last_poll, counted_to FROM removals ORDER BY feed_id LIMIT 1 ${dialect.lockFor('UPDATE SKIP LOCKED')}`,
        )
        return removal
          ? Math.max(1, yield* sweep(tx, removal, atMost(limit)))
          : yield* subscriptions.sweep(tx, atMost(limit))
      })
    },
  }
}
