/**
 * Deletes old entries and polls. Whole months of old polls are dropped as partitions. Entries are deleted individually, because groups,
 * articles and the search index must be updated for each; an empty month partition is dropped afterwards.
 */
import type { EntryId, FeedId, Instant, SourceId } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'
import type { RetentionMethods } from '../methods.ts'
import type { ArticleParts } from './article-parts.ts'
import { noQueueChanges } from './article-queues.ts'
import { isNotRemovedSql, MUTED } from './conditions.ts'
import type { Dialect, TypedColumn } from './dialect.ts'
import type { EntryKeys } from './entry-keys.ts'
import type { FeedWriter } from './feed-writer.ts'
import type { GroupWriter } from './group-writer.ts'
import type { Months } from './months.ts'
import { openRunsBefore } from './open-runs.ts'
import { enqueueEntries } from './pending-work.ts'
import { countRunPolls } from './poll-rows.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'
import { atMost } from './values.ts'

/** Writers of tables that are affected when entries and feeds are removed. */
export interface RemovalParts {
  keys: EntryKeys
  feeds: FeedWriter
  groups: GroupWriter
  articles: ArticleParts
  subscriptions: {
    /** Before these entries are deleted. */
    beforeEntriesDeleted(tx: SqlTransaction, ids: readonly EntryId[]): SqlWork<void>
    sourcesRemoved(tx: SqlTransaction, ids: readonly SourceId[]): SqlWork<void>
    feedRemoved(tx: SqlTransaction, id: FeedId): SqlWork<void>
    /** Deletes at most `limit` leftover rows of removed users and subscriptions. Returns how many. */
    sweep(tx: SqlTransaction, limit: number): SqlWork<number>
  }
  months: Months
}

interface EntryOfFeed {
  id: EntryId
  feed_id: FeedId
}

const ID: TypedColumn[] = ['id bigint']
const DROP_ENTRIES = [
  'DELETE FROM entries USING given g WHERE entries.id = g.id',
  'DELETE FROM entry_versions USING given g WHERE entry_versions.entry_id = g.id',
  'DELETE FROM stars USING given g WHERE stars.entry_id = g.id',
  'DELETE FROM entry_labels USING given g WHERE entry_labels.entry_id = g.id',
]
const MAY_BE_FORGOTTEN = `${isNotRemovedSql('e')} AND NOT EXISTS (SELECT 1 FROM stars s WHERE s.entry_id = e.id)
  AND NOT EXISTS (SELECT 1 FROM entry_labels x WHERE x.entry_id = e.id AND x.label_id <> ${MUTED})`

export function retentionMethods(
  session: SqlSession,
  parts: RemovalParts,
): Pick<RetentionMethods, 'forgetEntries' | 'forgetPolls'> & Pick<Store, 'forgetEntriesById'> {
  const { dialect } = session
  const { keys, feeds, groups, subscriptions, months } = parts

  /** Deletes entries but keeps their keys, so they are not added again. */
  function* forget(tx: SqlTransaction, rows: readonly EntryOfFeed[]): SqlWork<number> {
    if (rows.length === 0) return 0
    yield* feeds.lockSchedules(
      tx,
      rows.map(({ feed_id }) => feed_id),
    )
    const ids = rows.map(({ id }) => id)
    yield* subscriptions.beforeEntriesDeleted(tx, ids)
    if (keys.keepKeys)
      yield* tx.runEach(
        keys.keepKeys,
        ID,
        ids.map((id) => [id]),
      )
    yield* dropEntries(tx, dialect, parts, ids)
    tx.countChanges.entries -= rows.length
    return rows.length
  }

  return {
    async forgetEntries(before, limit) {
      const forgotten = await session.write(function* (tx) {
        yield* groups.lock(tx)
        const rows = yield* tx.rows<EntryOfFeed>(
          `SELECT id, feed_id FROM entries e WHERE seen_at < $1 AND ${MAY_BE_FORGOTTEN} ORDER BY seen_at, id LIMIT $2`,
          [before, atMost(limit)],
        )
        return yield* forget(tx, rows)
      })
      if (forgotten > 0 && forgotten < limit) await months.dropEmpty('entries')
      return forgotten
    },

    forgetEntriesById(ids) {
      return session.write(function* (tx) {
        yield* groups.lock(tx)
        const rows = yield* tx.rows<EntryOfFeed>(
          `SELECT id, feed_id FROM entries e WHERE ${dialect.isOneOf('id', '$1', 'bigint')} AND ${MAY_BE_FORGOTTEN} ORDER BY id`,
          [ids],
        )
        return yield* forget(tx, rows)
      })
    },

    async forgetPolls(before, limit) {
      const wholeMonths = await months.drop('polls', before)
      if (wholeMonths >= limit) return limit
      const queueChanges = await session.write(function* (tx) {
        const dropped = yield* tx.rows<{ times: number }>(
          `DELETE FROM polls WHERE place IN (SELECT place FROM polls WHERE at < $1 ORDER BY at, place LIMIT $2)
           RETURNING times`,
          [before, atMost(limit - wholeMonths)],
        )
        for (const { times } of dropped) tx.countChanges.polls -= times
        return dropped.length
      })
      const dropped = wholeMonths + queueChanges
      return dropped >= limit ? dropped : dropped + (await dropOpenRuns(session, feeds, before, limit - dropped))
    },
  }
}

/** Deletes entries with all rows that belong to them. */
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
  const queueChanges = noQueueChanges()
  yield* articles.writer.unlinkEntries(tx, ids, queueChanges)
  yield* enqueueEntries(tx, dialect, 'unindexed', ids)
  yield* groups.remove(tx, ids)
  yield* articles.queues.apply(tx, queueChanges)
}

/** The feed after which the next search for old runs continues. */
const nextFeedBySession = new WeakMap<SqlSession, FeedId>()

/** Drops open runs of feeds that have not been polled since, such as paused ones. */
async function dropOpenRuns(session: SqlSession, feeds: FeedWriter, before: Instant, limit: number): Promise<number> {
  let dropped = 0
  for await (const { ids, upTo } of openRunsBefore(session, before, nextFeedBySession.get(session) ?? (0 as FeedId))) {
    const chunk = ids.slice(0, limit - dropped)
    if (chunk.length > 0) dropped += await session.write((tx) => dropRuns(tx, feeds, chunk, before))
    if (dropped >= limit) return dropped
    nextFeedBySession.set(session, upTo)
  }
  nextFeedBySession.delete(session)
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
  for (const { run } of runs) tx.countChanges.polls -= countRunPolls(run)
  yield* tx.runEach(
    'UPDATE schedules SET run = NULL FROM given g WHERE schedules.feed_id = g.id',
    ID,
    runs.map(({ id }) => [id]),
  )
  return runs.length
}
