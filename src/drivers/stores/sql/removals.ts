/**
 * What goes: feeds that are removed, and entries and polls that are old.
 *
 * A feed may have a hundred thousand entries, which take seconds to remove with all that belongs to them. So the feed itself goes at
 * once and is noted among the `removals`; whatever lists entries or polls passes over those of feeds that stand there. A first chunk
 * goes with the feed, which is all of most feeds; the rest is swept out in chunks, also after a crash. Newest first: lists, which
 * begin there, have the less to pass over.
 *
 * Its entries are taken off the counters in chunks, too, before anybody is told that the feed is gone; what a crash leaves uncounted
 * is taken off when it is swept out.
 *
 * Months of polls of which all is old enough are dropped as they are. Entries are let go of one by one, for others have to hear of
 * each (groups, articles, the index); what is left of their month, once it is empty, is dropped, too.
 */
import type { EntryId, FeedId, FeedState, Instant, SourceId } from '../../../model/index.ts'
import type { Store } from '../../../ports/index.ts'
import { noLineChanges } from './article-lines.ts'
import type { ArticleParts } from './articles.ts'
import { isKept } from './conditions.ts'
import type { TypedColumn } from './dialect.ts'
import type { EntryKeys } from './entry-keys.ts'
import type { FeedWriter } from './feed-writer.ts'
import type { GroupWriter } from './group-writer.ts'
import type { Months } from './months.ts'
import { openRunsBefore } from './open-runs.ts'
import { pollsIn } from './poll-rows.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'
import { countFeed } from './tally.ts'
import { atMost } from './values.ts'
import { toLine } from './waiting-lines.ts'

type RemovalMethods = 'removeFeed' | 'sweepRemoved' | 'forgetEntries' | 'forgetThese' | 'forgetPolls'

/** Who has to hear of what goes. */
export interface RemovalParts {
  keys: EntryKeys
  feeds: FeedWriter
  groups: GroupWriter
  articles: ArticleParts
  readings: {
    /** Before these entries are deleted. */
    forget(tx: SqlTransaction, ids: readonly EntryId[]): SqlWork<void>
    sourcesRemoved(tx: SqlTransaction, ids: readonly SourceId[]): SqlWork<void>
    feedRemoved(tx: SqlTransaction, id: FeedId): SqlWork<void>
    /** At most `limit` of what is left of users and readings that were removed; how many that were. */
    sweep(tx: SqlTransaction, limit: number): SqlWork<number>
  }
  months: Months
}

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

interface OfFeed {
  id: EntryId
  feed_id: FeedId
}

/** Entries, keys or polls that go with the feed. */
const FIRST_CHUNK = 50
/** Entries that are counted at once: a millisecond or two. */
const COUNTED = 5000

const ID: TypedColumn[] = ['id bigint']
const DROP_FEED = [
  ...['sources', 'schedules', 'feed_hours', 'feed_habits'].map((table) => `DELETE FROM ${table} WHERE feed_id = $1`),
  "DELETE FROM pushes WHERE feed_id = $1 AND state = 'waiting'",
  "UPDATE pushes SET state = 'ending', due_at = 0, revision = revision + 1 WHERE feed_id = $1 AND state = 'active'",
  'DELETE FROM feed_leases WHERE id = $1',
  'DELETE FROM feeds WHERE id = $1',
]
const DROP_ENTRIES = [
  'DELETE FROM entries USING given g WHERE entries.id = g.id',
  'DELETE FROM entry_versions USING given g WHERE entry_versions.entry_id = g.id',
  'DELETE FROM stars USING given g WHERE stars.entry_id = g.id',
]
const IS_FORGOTTEN = `${isKept('e')} AND NOT EXISTS (SELECT 1 FROM stars s WHERE s.entry_id = e.id)`

/** `$2` lines of a feed's log, from `$1` back. */
const CHAIN = `WITH RECURSIVE chain (place, previous, n) AS (
    SELECT place, previous, 1 FROM polls WHERE place = $1
    UNION ALL
    SELECT p.place, p.previous, chain.n + 1 FROM chain JOIN polls p ON p.place = chain.previous WHERE chain.n < $2
  )
  SELECT place, previous FROM chain ORDER BY n`

export function removalMethods(session: SqlSession, parts: RemovalParts): Pick<Store, RemovalMethods> {
  const { dialect } = session
  const { keys, feeds, groups, articles, readings, months } = parts
  const countedTo = `SELECT counted_to FROM removals WHERE feed_id = $1 ${dialect.forUpdate}`

  /** With all that belongs to them. */
  function* dropEntries(tx: SqlTransaction, ids: readonly EntryId[]): SqlWork<void> {
    if (ids.length === 0) return
    yield* tx.runEach(
      DROP_ENTRIES,
      ID,
      ids.map((id) => [id]),
    )
    const lines = noLineChanges()
    yield* articles.writer.unlinkEntries(tx, ids, lines)
    yield* toLine(tx, dialect, 'unindexed', ids)
    yield* groups.remove(tx, ids)
    yield* articles.lines.change(tx, lines)
  }

  /** Their keys stay, and so they are known as forgotten. */
  function* forget(tx: SqlTransaction, rows: readonly OfFeed[]): SqlWork<number> {
    if (rows.length === 0) return 0
    yield* feeds.lockSchedules(
      tx,
      rows.map(({ feed_id }) => feed_id),
    )
    const ids = rows.map(({ id }) => id)
    yield* readings.forget(tx, ids)
    if (keys.keep)
      yield* tx.runEach(
        keys.keep,
        ID,
        ids.map((id) => [id]),
      )
    yield* dropEntries(tx, ids)
    tx.tally.entries -= rows.length
    return rows.length
  }

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
    yield* dropEntries(tx, ids)
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

    async forgetEntries(before, limit) {
      const forgotten = await session.write(function* (tx) {
        yield* groups.alone(tx)
        const rows = yield* tx.rows<OfFeed>(
          `SELECT id, feed_id FROM entries e WHERE seen_at < $1 AND ${IS_FORGOTTEN} ORDER BY seen_at, id LIMIT $2`,
          [before, atMost(limit)],
        )
        return yield* forget(tx, rows)
      })
      if (forgotten > 0 && forgotten < limit) await months.dropEmpty('entries')
      return forgotten
    },

    forgetThese(ids) {
      return session.write(function* (tx) {
        yield* groups.alone(tx)
        const rows = yield* tx.rows<OfFeed>(
          `SELECT id, feed_id FROM entries e WHERE ${dialect.isOneOf('id', '$1', 'bigint')} AND ${IS_FORGOTTEN} ORDER BY id`,
          [ids],
        )
        return yield* forget(tx, rows)
      })
    },

    async forgetPolls(before, limit) {
      const whole = await months.drop('polls', before)
      if (whole >= limit) return limit
      const lines = await session.write(function* (tx) {
        const dropped = yield* tx.rows<{ times: number }>(
          `DELETE FROM polls WHERE place IN (SELECT place FROM polls WHERE at < $1 ORDER BY at, place LIMIT $2)
           RETURNING times`,
          [before, atMost(limit - whole)],
        )
        for (const { times } of dropped) tx.tally.polls -= times
        return dropped.length
      })
      const dropped = whole + lines
      return dropped >= limit ? dropped : dropped + (await dropOpenRuns(session, feeds, before, limit - dropped))
    },
  }
}

/** After which feed one looks for old runs next. */
const lookedUpTo = new WeakMap<SqlSession, FeedId>()

/** Of feeds that were not polled since, as one that is paused. */
async function dropOpenRuns(session: SqlSession, feeds: FeedWriter, before: Instant, limit: number): Promise<number> {
  let dropped = 0
  for await (const { ids, upTo } of openRunsBefore(session, before, lookedUpTo.get(session) ?? (0 as FeedId))) {
    const some = ids.slice(0, limit - dropped)
    if (some.length > 0) dropped += await session.write((tx) => dropRuns(tx, feeds, some, before))
    if (dropped >= limit) return dropped
    lookedUpTo.set(session, upTo)
  }
  lookedUpTo.delete(session)
  return dropped
}

function* dropRuns(tx: SqlTransaction, feeds: FeedWriter, ids: FeedId[], before: Instant): SqlWork<number> {
  yield* feeds.lockSchedules(tx, ids)
  const runs = yield* tx.each<{ id: FeedId; run: Buffer }>(
    `SELECT s.feed_id AS id, s.run FROM given g, schedules s
     WHERE s.feed_id = g.id AND s.run IS NOT NULL AND s.polled_at < g.before`,
    [...ID, 'before bigint'],
    ids.map((id) => [id, before]),
  )
  for (const { run } of runs) tx.tally.polls -= pollsIn(run)
  yield* tx.runEach(
    'UPDATE schedules SET run = NULL FROM given g WHERE schedules.feed_id = g.id',
    ID,
    runs.map(({ id }) => [id]),
  )
  return runs.length
}
