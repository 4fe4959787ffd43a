/**
 * Entries and polls that are old. Months of polls of which all is old enough are dropped as they are. Entries are let go of one by
 * one, for others have to hear of each (groups, articles, the index); what is left of their month, once it is empty, is dropped, too.
 */
import type { EntryId, FeedId, Instant, SourceId } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'
import { noLineChanges } from './article-lines.ts'
import type { ArticleParts } from './article-parts.ts'
import { isKept } from './conditions.ts'
import type { Dialect, TypedColumn } from './dialect.ts'
import type { EntryKeys } from './entry-keys.ts'
import type { FeedWriter } from './feed-writer.ts'
import type { GroupWriter } from './group-writer.ts'
import type { Months } from './months.ts'
import { openRunsBefore } from './open-runs.ts'
import { pollsIn } from './poll-rows.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'
import { atMost } from './values.ts'
import { toLine } from './waiting-lines.ts'

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

interface OfFeed {
  id: EntryId
  feed_id: FeedId
}

const ID: TypedColumn[] = ['id bigint']
const DROP_ENTRIES = [
  'DELETE FROM entries USING given g WHERE entries.id = g.id',
  'DELETE FROM entry_versions USING given g WHERE entry_versions.entry_id = g.id',
  'DELETE FROM stars USING given g WHERE stars.entry_id = g.id',
]
const IS_FORGOTTEN = `${isKept('e')} AND NOT EXISTS (SELECT 1 FROM stars s WHERE s.entry_id = e.id)`

export function forgetMethods(
  session: SqlSession,
  parts: RemovalParts,
): Pick<Store, 'forgetEntries' | 'forgetThese' | 'forgetPolls'> {
  const { dialect } = session
  const { keys, feeds, groups, readings, months } = parts

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
    yield* dropEntries(tx, dialect, parts, ids)
    tx.tally.entries -= rows.length
    return rows.length
  }

  return {
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

/** With all that belongs to them. */
export function* dropEntries(
  tx: SqlTransaction,
  dialect: Dialect,
  { articles, groups }: Pick<RemovalParts, 'articles' | 'groups'>,
  ids: readonly EntryId[],
): SqlWork<void> {
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
