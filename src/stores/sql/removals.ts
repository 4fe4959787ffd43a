/**
 * Feeds that are removed. One may have a hundred thousand entries, which take seconds to remove with all that belongs to them. So the feed itself goes at
 * once and is noted among the `removals`; whatever lists entries or polls passes over those of feeds that stand there. A first chunk
 * goes with the feed, which is all of most feeds; the rest is swept out in chunks, also after a crash. Newest first: lists, which
 * begin there, have the less to pass over.
 *
 * Its entries are taken off the counters in chunks, too, before anybody is told that the feed is gone; what a crash leaves uncounted
 * is taken off when it is swept out.
 */
import type { EntryId, FeedId, FeedState, SourceId } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'
import { dropEntries, type RemovalParts } from './forgetting.ts'
import { pollsIn } from './poll-rows.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'
import { countFeed } from './tally.ts'
import { atMost } from './values.ts'

interface Removal {
  feed_id: FeedId
  last_poll: number | null
  /** Entries up to this one are taken off the counters already; null: all. */
  counted_to: EntryId | null
}

interface RemovedRow {
  state: FeedState
  troubled: boolean | 0 | 1
  polled: boolean | 0 | 1
  last_poll: number | null
  run: Buffer | null
}

/** Entries, keys or polls that go with the feed. */
const FIRST_CHUNK = 50
/** Entries that are counted at once: a millisecond or two. */
const COUNTED = 5000

const DROP_FEED = [
  ...['sources', 'schedules', 'feed_hours', 'feed_habits'].map((table) => `DELETE FROM ${table} WHERE feed_id = $1`),
  "DELETE FROM pushes WHERE feed_id = $1 AND state = 'waiting'",
  "UPDATE pushes SET state = 'ending', due_at = 0, revision = revision + 1 WHERE feed_id = $1 AND state = 'active'",
  'DELETE FROM feed_leases WHERE id = $1',
  'DELETE FROM feeds WHERE id = $1',
]
/** `$2` lines of a feed's log, from `$1` back. */
const CHAIN = `WITH RECURSIVE chain (place, previous, n) AS (
    SELECT place, previous, 1 FROM polls WHERE place = $1
    UNION ALL
    SELECT p.place, p.previous, chain.n + 1 FROM chain JOIN polls p ON p.place = chain.previous WHERE chain.n < $2
  )
  SELECT place, previous FROM chain ORDER BY n`

export function removalMethods(session: SqlSession, parts: RemovalParts): Pick<Store, 'removeFeed' | 'sweepRemoved'> {
  const { dialect } = session
  const { keys, groups, readings } = parts
  const countedTo = `SELECT counted_to FROM removals WHERE feed_id = $1 ${dialect.forUpdate}`

  /** Takes some more of a feed's entries off what there is; to which one, or null where there are no more. */
  function* countFrom(tx: SqlTransaction, id: FeedId, from: EntryId): SqlWork<EntryId | null> {
    const row = yield* tx.row<{ count: number; last: EntryId | null }>(
      `SELECT count(*) AS count, max(id) AS last FROM
       (SELECT id FROM entries WHERE feed_id = $1 AND id > $2 ORDER BY id LIMIT $3) AS counted`,
      [id, from, COUNTED],
    )
    const { count, last } = row!
    tx.tally.entries -= count
    return count < COUNTED ? null : last
  }

  /** At most `limit` of what is left; how many that were. */
  function* sweep(tx: SqlTransaction, { feed_id: id, last_poll, counted_to }: Removal, limit: number): SqlWork<number> {
    const newest = yield* tx.rows<{ id: EntryId }>(
      `SELECT id FROM entries WHERE feed_id = $1 ORDER BY sort_at DESC, id DESC LIMIT $2 ${dialect.forUpdate}`,
      [id, limit],
    )
    const ids = newest.map((row) => row.id).sort((a, b) => a - b)
    yield* dropEntries(tx, dialect, parts, ids)
    if (counted_to !== null) tx.tally.entries -= ids.filter((entryId) => entryId > counted_to).length
    let left = limit - ids.length
    if (left > 0)
      left -= yield* tx.run(
        `DELETE FROM ${keys.table} WHERE feed_id = $1
         AND key_hash IN (SELECT key_hash FROM ${keys.table} WHERE feed_id = $1 LIMIT $2)`,
        [id, left],
      )
    let place = last_poll
    if (left > 0 && last_poll !== null) {
      const chain = yield* tx.rows<{ place: number; previous: number | null }>(CHAIN, [last_poll, left])
      const dropped = yield* tx.each<{ times: number }>(
        'DELETE FROM polls USING given g WHERE polls.place = g.line RETURNING times',
        ['line bigint'],
        chain.map((line) => [line.place]),
      )
      for (const { times } of dropped) tx.tally.polls -= times
      place = chain.length < left ? null : (chain.at(-1)?.previous ?? null)
      left -= chain.length
    }
    if (left > 0) yield* tx.run('DELETE FROM removals WHERE feed_id = $1', [id])
    else yield* tx.run('UPDATE removals SET last_poll = $2 WHERE feed_id = $1', [id, place])
    return limit - left
  }

  /** False if it is gone. */
  function* removeFeed(tx: SqlTransaction, id: FeedId): SqlWork<boolean> {
    yield* groups.alone(tx)
    const row = yield* tx.row<RemovedRow>(
      `SELECT state, trouble IS NOT NULL AS troubled, polled_at IS NOT NULL AS polled, last_poll, run FROM schedules
       WHERE feed_id = $1 ${dialect.forUpdate}`,
      [id],
    )
    if (!row) return false
    countFeed(tx.tally, -1, { state: row.state, troubled: Boolean(row.troubled), polled: Boolean(row.polled) })
    tx.tally.polls -= pollsIn(row.run)
    const counted_to = yield* countFrom(tx, id, 0 as EntryId)
    const { last_poll } = row
    yield* tx.run('INSERT INTO removals (feed_id, last_poll, counted_to) VALUES ($1, $2, $3)', [
      id,
      last_poll,
      counted_to,
    ])
    const sources = yield* tx.rows<{ id: SourceId }>('SELECT id FROM sources WHERE feed_id = $1', [id])
    yield* readings.sourcesRemoved(
      tx,
      sources.map((source) => source.id),
    )
    yield* readings.feedRemoved(tx, id)
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
          if (!from) return false // all are, or it has been swept out meanwhile
          const to = yield* countFrom(tx, id, from)
          yield* tx.run('UPDATE removals SET counted_to = $2 WHERE feed_id = $1', [id, to])
          return to !== null
        })
      return wasThere
    },

    sweepRemoved(limit) {
      return session.write(function* (tx) {
        yield* groups.alone(tx)
        const removal = yield* tx.row<Removal>(
          `SELECT feed_id, last_poll, counted_to FROM removals ORDER BY feed_id LIMIT 1 ${dialect.locked('UPDATE SKIP LOCKED')}`,
        )
        return removal
          ? Math.max(1, yield* sweep(tx, removal, atMost(limit)))
          : yield* readings.sweep(tx, atMost(limit))
      })
    },
  }
}
