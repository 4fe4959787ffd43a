/**
 * All that polls change: log lines, schedules with the ends of leases, feeds, and entries. A batch goes in rounds, of which each has
 * one record a feed at most, so that the statements of a round need no order; mostly one round is all.
 */
import type { FeedId } from '../../model/index.ts'
import type { NewsRecord, PollRecord, Recorded, Store } from '../../ports/index.ts'
import { type Dialect, insertGiven, setGiven, type TypedColumn } from './dialect.ts'
import type { WriteNews } from './entry-writer.ts'
import { type FeedWriter, SCHEDULE_COLUMNS } from './feed-writer.ts'
import { arrivalMonth } from './months.ts'
import { type BeforePoll, whatBecomes } from './news-columns.ts'
import { logged } from './poll-rows.ts'
import { scheduleColumns } from './rows.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'
import { countFeed } from './tally.ts'

/** Each within a transaction. */
export interface PollWriter {
  /** In the order of `records`, see `Ledger.recordPolls`. */
  polls(tx: SqlTransaction, records: readonly PollRecord[]): SqlWork<Recorded[]>
  /** See `Ledger.recordNews`. */
  news(tx: SqlTransaction, records: readonly NewsRecord[]): SqlWork<void>
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
const ADD_LINE = insertGiven('polls', 'n', LINE)
const WRITTEN: TypedColumn[] = ['last_poll bigint', 'run bytea', ...SCHEDULE_COLUMNS]
const FINISH = [
  'DELETE FROM feed_leases USING given g WHERE feed_leases.id = g.feed_id',
  `UPDATE schedules SET ${setGiven(WRITTEN)}, revision = schedules.revision + 1 FROM given g WHERE schedules.feed_id = g.feed_id`,
]
const FEED: TypedColumn[] = ['feed_id bigint']
const BEFORE = `SELECT s.feed_id, s.state, s.polled_at, s.trouble IS NOT NULL AS troubled, s.last_poll, s.run, s.revision, l.token
  FROM given g, schedules s LEFT JOIN feed_leases l ON l.id = s.feed_id WHERE s.feed_id = g.feed_id`
const THERE = 'SELECT s.feed_id FROM given g, schedules s WHERE s.feed_id = g.feed_id'

type Before = ReadonlyMap<FeedId, BeforePoll>

export function createPollWriter(dialect: Dialect, feeds: FeedWriter, writeNews: WriteNews): PollWriter {
  /** Lines of the log, if there are any, the schedules, and the ends of leases. */
  function* writeLogAndSchedules(
    tx: SqlTransaction,
    records: readonly PollRecord[],
    before: Before,
    month: number,
  ): SqlWork<void> {
    const entered = records.map(({ poll }) => logged(before.get(poll.feedId)!.run, poll))
    const count = entered.reduce((sum, { lines }) => sum + lines.length, 0)
    const places = count > 0 ? yield* tx.rows<{ place: number }>(dialect.newPollPlaces, [month, count]) : []
    const lines: unknown[][] = []
    const written = records.map(({ poll, schedule }, i) => {
      const { feedId } = poll
      let newest = before.get(feedId)!.last_poll
      for (const line of entered[i]!.lines) {
        const { place } = places[lines.length]!
        lines.push([place, newest, feedId, ...line])
        newest = place
      }
      return [newest, entered[i]!.run, ...scheduleColumns({ ...schedule, polledAt: poll.at }), feedId]
    })
    yield* tx.runEach(ADD_LINE, LINE, lines)
    yield* tx.runEach(FINISH, [...WRITTEN, ...FEED], written)
  }

  function* recordRound(tx: SqlTransaction, records: readonly PollRecord[], month: number): SqlWork<Recorded[]> {
    const rows = yield* tx.each<BeforePoll & { feed_id: FeedId }>(
      BEFORE,
      FEED,
      records.map(({ poll }) => [poll.feedId]),
    )
    const before: Before = new Map(rows.map((row) => [row.feed_id, row]))
    const became = records.map((record) => whatBecomes(record, before.get(record.poll.feedId)))
    const kept = records.filter((_, i) => became[i] === 'recorded')
    if (kept.length === 0) return became
    yield* writeLogAndSchedules(tx, kept, before, month)
    for (const { poll, schedule } of kept) {
      const { state, troubled, polled_at } = before.get(poll.feedId)!
      countFeed(tx.tally, -1, { state, troubled: Boolean(troubled), polled: polled_at !== null })
      countFeed(tx.tally, 1, { state, troubled: schedule.trouble !== undefined, polled: true })
    }
    tx.tally.polls += kept.length
    yield* feeds.change(
      tx,
      kept.flatMap(({ poll, feed }) => (feed ? [{ id: poll.feedId, change: feed }] : [])),
    )
    const news = kept.filter(bringsNews)
    if (news.length > 0) yield* writeNews(tx, news.map(newsOf), month)
    return became
  }

  return {
    *polls(tx, records) {
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
      const answers: Recorded[] = []
      for (const round of inRounds(records, ({ poll }) => poll.feedId)) {
        const became = yield* recordRound(
          tx,
          round.map(({ what }) => what),
          month,
        )
        round.forEach(({ place }, i) => {
          answers[place] = became[i]!
        })
      }
      return answers
    },

    *news(tx, records) {
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
      const there = new Set(rows.map(({ feed_id }) => feed_id))
      const kept = records.filter(({ feedId }) => there.has(feedId))
      for (const round of inRounds(kept, ({ feedId }) => feedId))
        yield* writeNews(
          tx,
          round.map(({ what }) => what),
          month,
        )
    },
  }
}

export function pollRecords(session: SqlSession, writer: PollWriter): Pick<Store, 'recordPolls' | 'recordNews'> {
  return {
    recordPolls: (records) => session.write((tx) => writer.polls(tx, records)),
    recordNews: (records) => session.write((tx) => writer.news(tx, records)),
  }
}

function inRounds<What>(all: readonly What[], feedOf: (what: What) => FeedId): { what: What; place: number }[][] {
  const times = new Map<FeedId, number>()
  const rounds: { what: What; place: number }[][] = []
  all.forEach((what, place) => {
    const id = feedOf(what)
    const round = times.get(id) ?? 0
    times.set(id, round + 1)
    rounds[round] ??= []
    rounds[round].push({ what, place })
  })
  return rounds
}

function bringsNews({ rekeyed, fresh, changed, completed, pages }: PollRecord): boolean {
  return [rekeyed, fresh, changed, completed, pages].some((some) => some !== undefined && some.length > 0)
}

function newsOf(record: PollRecord): NewsRecord {
  return { ...record, feedId: record.poll.feedId, at: record.poll.at }
}
