/**
 * Writes everything that polls change: log lines, schedules, leases, feeds and entries. A batch is split into rounds with at most one
 * record per feed, so the statements of a round need no order. Usually there is one round.
 */
import type { FeedId } from '../../model/index.ts'
import type { EntriesRecord, PollRecord, RecordResult, Store } from '../../ports/index.ts'
import { countFeed } from './count-changes.ts'
import { assignmentsSql, type Dialect, insertRowsSql, type TypedColumn } from './dialect.ts'
import { type FeedBeforePoll, pollRecordOutcome } from './entry-columns.ts'
import type { WriteEntries } from './entry-writer.ts'
import { type FeedWriter, SCHEDULE_COLUMNS } from './feed-writer.ts'
import { arrivalMonth } from './months.ts'
import { appendToLog } from './poll-rows.ts'
import { scheduleColumns } from './rows.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'

/** All methods run within a transaction. */
export interface PollWriter {
  /** In the order of `records`, see `PollResults.recordPolls`. */
  recordPolls(tx: SqlTransaction, records: readonly PollRecord[]): SqlWork<RecordResult[]>
  /** See `PollResults.recordEntries`. */
  recordEntries(tx: SqlTransaction, records: readonly EntriesRecord[]): SqlWork<void>
}

const LINE: TypedColumn[] = [
  'place bigint',
  'previous bigint',
  'feed_id bigint',
  'at bigint',
  'took_ms bigint',
  'bytes bigint',
  'asked smallint',
  'occasion smallint',
  'rest_until bigint',
  'result smallint',
  'fresh integer',
  'changed integer',
  'window_size integer',
  'failure text',
  'times integer',
  'began_at bigint',
  'run bytea',
]
const ADD_LINE = insertRowsSql('polls', 'n', LINE)
const WRITTEN: TypedColumn[] = ['last_poll bigint', 'run bytea', ...SCHEDULE_COLUMNS]
const FINISH = [
  'DELETE FROM feed_leases USING given g WHERE feed_leases.id = g.feed_id',
  `UPDATE schedules SET ${assignmentsSql(WRITTEN)}, revision = schedules.revision + 1 FROM given g WHERE schedules.feed_id = g.feed_id`,
]
const FEED: TypedColumn[] = ['feed_id bigint']
const BEFORE = `SELECT s.feed_id, s.state, s.polled_at, s.trouble IS NOT NULL AS troubled, s.last_poll, s.run, s.revision, l.token
  FROM given g, schedules s LEFT JOIN feed_leases l ON l.id = s.feed_id WHERE s.feed_id = g.feed_id`
const THERE = 'SELECT s.feed_id FROM given g, schedules s WHERE s.feed_id = g.feed_id'

type FeedsBefore = ReadonlyMap<FeedId, FeedBeforePoll>

export function createPollWriter(dialect: Dialect, feeds: FeedWriter, writeEntries: WriteEntries): PollWriter {
  /** Writes log lines and schedules, and ends leases. */
  function* writeLogAndSchedules(
    tx: SqlTransaction,
    records: readonly PollRecord[],
    before: FeedsBefore,
    month: number,
  ): SqlWork<void> {
    const logged = records.map(({ poll }) => appendToLog(before.get(poll.feedId)!.run, poll))
    const count = logged.reduce((sum, { lines }) => sum + lines.length, 0)
    const positions = count > 0 ? yield* tx.rows<{ place: number }>(dialect.newPollPositions, [month, count]) : []
    const lines: unknown[][] = []
    const written = records.map(({ poll, schedule }, i) => {
      const { feedId } = poll
      let newest = before.get(feedId)!.last_poll
      for (const line of logged[i]!.lines) {
        const { place } = positions[lines.length]!
        lines.push([place, newest, feedId, ...line])
        newest = place
      }
      return [newest, logged[i]!.run, ...scheduleColumns({ ...schedule, polledAt: poll.at }), feedId]
    })
    yield* tx.runEach(ADD_LINE, LINE, lines)
    yield* tx.runEach(FINISH, [...WRITTEN, ...FEED], written)
  }

  function* recordRound(tx: SqlTransaction, records: readonly PollRecord[], month: number): SqlWork<RecordResult[]> {
    const rows = yield* tx.each<FeedBeforePoll & { feed_id: FeedId }>(
      BEFORE,
      FEED,
      records.map(({ poll }) => [poll.feedId]),
    )
    const before: FeedsBefore = new Map(rows.map((row) => [row.feed_id, row]))
    const outcomes = records.map((record) => pollRecordOutcome(record, before.get(record.poll.feedId)))
    const recorded = records.filter((_, i) => outcomes[i] === 'recorded')
    if (recorded.length === 0) return outcomes
    yield* writeLogAndSchedules(tx, recorded, before, month)
    for (const { poll, schedule } of recorded) {
      const { state, troubled, polled_at } = before.get(poll.feedId)!
      countFeed(tx.countChanges, -1, { state, troubled: Boolean(troubled), polled: polled_at !== null })
      countFeed(tx.countChanges, 1, { state, troubled: schedule.trouble !== undefined, polled: true })
    }
    tx.countChanges.polls += recorded.length
    yield* feeds.change(
      tx,
      recorded.flatMap(({ poll, feed }) => (feed ? [{ id: poll.feedId, change: feed }] : [])),
    )
    const news = recorded.filter(hasEntryChanges)
    if (news.length > 0) yield* writeEntries(tx, news.map(entryChangesOf), month)
    return outcomes
  }

  return {
    *recordPolls(tx, records) {
      if (records.length === 0) return []
      const month = yield* arrivalMonth(
        tx,
        dialect,
        records.map(({ poll }) => poll.at),
      )
      yield* feeds.lockSchedules(
        tx,
        records.map(({ poll }) => poll.feedId),
      )
      const results: RecordResult[] = []
      for (const round of splitIntoRounds(records, ({ poll }) => poll.feedId)) {
        const outcomes = yield* recordRound(
          tx,
          round.map(({ item }) => item),
          month,
        )
        round.forEach(({ index }, i) => {
          results[index] = outcomes[i]!
        })
      }
      return results
    },

    *recordEntries(tx, records) {
      if (records.length === 0) return
      const month = yield* arrivalMonth(
        tx,
        dialect,
        records.map(({ at }) => at),
      )
      const ids = records.map(({ feedId }) => feedId)
      yield* feeds.lockSchedules(tx, ids)
      const rows = yield* tx.each<{ feed_id: FeedId }>(
        THERE,
        FEED,
        ids.map((id) => [id]),
      )
      const existing = new Set(rows.map(({ feed_id }) => feed_id))
      const recorded = records.filter(({ feedId }) => existing.has(feedId))
      for (const round of splitIntoRounds(recorded, ({ feedId }) => feedId))
        yield* writeEntries(
          tx,
          round.map(({ item }) => item),
          month,
        )
    },
  }
}

export function pollRecordMethods(
  session: SqlSession,
  writer: PollWriter,
): Pick<Store, 'recordPolls' | 'recordEntries'> {
  return {
    recordPolls: (records) => session.write((tx) => writer.recordPolls(tx, records)),
    recordEntries: (records) => session.write((tx) => writer.recordEntries(tx, records)),
  }
}

function splitIntoRounds<Item>(
  items: readonly Item[],
  feedOf: (item: Item) => FeedId,
): { item: Item; index: number }[][] {
  const times = new Map<FeedId, number>()
  const rounds: { item: Item; index: number }[][] = []
  items.forEach((item, index) => {
    const id = feedOf(item)
    const round = times.get(id) ?? 0
    times.set(id, round + 1)
    rounds[round] ??= []
    rounds[round].push({ item, index })
  })
  return rounds
}

function hasEntryChanges({ keyChanges, fresh, changed, completed, articles }: PollRecord): boolean {
  return [keyChanges, fresh, changed, completed, articles].some((some) => some !== undefined && some.length > 0)
}

function entryChangesOf(record: PollRecord): EntriesRecord {
  return { ...record, feedId: record.poll.feedId, at: record.poll.at }
}
