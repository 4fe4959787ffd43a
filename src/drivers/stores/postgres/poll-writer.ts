/**
 * All that polls change: log lines, schedules with the ends of leases, feeds, and entries. A batch goes in rounds, of which each has
 * one record a feed at most, so that the statements of a round need no order; mostly one round is all.
 */
import type { FeedId } from '../../../model/index.ts'
import type { NewsRecord, PollRecord, Recorded } from '../../../ports/index.ts'
import type { TypedColumn } from '../sql/dialect.ts'
import { type BeforePoll, whatBecomes } from '../sql/news-columns.ts'
import { logged } from '../sql/poll-rows.ts'
import { scheduleColumns } from '../sql/rows.ts'
import { countFeed } from '../sql/tally.ts'
import { manyRows } from './columns.ts'
import { writeNews } from './entry-writer.ts'
import { changeFeedsIn, lockSchedules, SCHEDULE_COLUMNS } from './feed-writer.ts'
import { arrivalMonth } from './partitions.ts'
import type { Transaction } from './session.ts'

/** In the order of `records`, see `Ledger.recordPolls`. */
export async function recordPollsIn(tx: Transaction, records: PollRecord[]): Promise<Recorded[]> {
  if (records.length === 0) return []
  const month = await arrivalMonth(tx, Math.max(...records.map(({ poll }) => poll.at)))
  await lockSchedules(
    tx,
    records.map(({ poll }) => poll.feedId),
  )
  const answers: Recorded[] = []
  for (const round of inRounds(records, ({ poll }) => poll.feedId)) {
    const became = await recordRound(
      tx,
      round.map(({ what }) => what),
      month,
    )
    round.forEach(({ place }, i) => {
      answers[place] = became[i]!
    })
  }
  return answers
}

/** See `Ledger.recordNews`. */
export async function recordNewsIn(tx: Transaction, records: NewsRecord[]): Promise<void> {
  if (records.length === 0) return
  const month = await arrivalMonth(tx, Math.max(...records.map(({ at }) => at)))
  const ids = records.map(({ feedId }) => feedId)
  await lockSchedules(tx, ids)
  const rows = await tx.rows<{ id: FeedId }>('SELECT feed_id AS id FROM schedules WHERE feed_id = ANY ($1::bigint[])', [
    ids,
  ])
  const there = new Set(rows.map(({ id }) => id))
  const kept = records.filter(({ feedId }) => there.has(feedId))
  for (const round of inRounds(kept, ({ feedId }) => feedId)) {
    await writeNews(
      tx,
      round.map(({ what }) => what),
      month,
    )
  }
}

function inRounds<What>(all: What[], feedOf: (what: What) => FeedId): { what: What; place: number }[][] {
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

async function recordRound(tx: Transaction, records: PollRecord[], month: number): Promise<Recorded[]> {
  const rows = await tx.rows<BeforePoll & { feed_id: FeedId }>(
    `SELECT s.feed_id, s.state, s.polled_at, s.trouble IS NOT NULL AS troubled, s.last_poll, s.run, s.revision, l.token FROM schedules s
     LEFT JOIN feed_leases l ON l.id = s.feed_id WHERE s.feed_id = ANY ($1::bigint[])`,
    [records.map(({ poll }) => poll.feedId)],
  )
  const before = new Map(rows.map((row) => [row.feed_id, row]))
  const became = records.map((record) => whatBecomes(record, before.get(record.poll.feedId)))
  const kept = records.filter((_, i) => became[i] === 'recorded')
  if (kept.length === 0) return became
  await writeLogAndSchedules(tx, kept, before, month)
  for (const { poll, schedule } of kept) {
    const { state, troubled, polled_at } = before.get(poll.feedId)!
    countFeed(tx.tally, -1, { state, troubled: Boolean(troubled), polled: polled_at !== null })
    countFeed(tx.tally, 1, { state, troubled: schedule.trouble !== undefined, polled: true })
  }
  tx.tally.polls += kept.length
  await changeFeedsIn(
    tx,
    kept.flatMap(({ poll, feed }) => (feed ? [{ id: poll.feedId, change: feed }] : [])),
  )
  await writeNews(tx, kept.filter(bringsNews).map(newsOf), month)
  return became
}

function bringsNews({ rekeyed, fresh, changed, completed, pages }: PollRecord): boolean {
  return [rekeyed, fresh, changed, completed, pages].some((some) => some !== undefined && some.length > 0)
}

function newsOf(record: PollRecord): NewsRecord {
  return { ...record, feedId: record.poll.feedId, at: record.poll.at }
}

const LINE_COLUMNS: TypedColumn[] = [
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
const WRITTEN_COLUMNS: TypedColumn[] = ['feed_id bigint', 'last_poll bigint', 'run bytea', ...SCHEDULE_COLUMNS]
const nameOf = (column: TypedColumn) => column.slice(0, column.indexOf(' '))
const SET = WRITTEN_COLUMNS.slice(1)
  .map(nameOf)
  .map((name) => `${name} = g.${name}`)

/** Lines of the log, if there are any, the schedules, and the ends of leases. */
async function writeLogAndSchedules(
  tx: Transaction,
  records: PollRecord[],
  before: ReadonlyMap<FeedId, BeforePoll>,
  month: number,
): Promise<void> {
  const entered = records.map(({ poll }) => logged(before.get(poll.feedId)!.run, poll))
  const places = await newPlaces(tx, month, entered.flatMap(({ lines }) => lines).length)
  const lines: unknown[][] = []
  const written = records.map(({ poll, schedule }, i) => {
    const { feedId } = poll
    let newest = before.get(feedId)!.last_poll
    for (const line of entered[i]!.lines) {
      const place = places[lines.length]!
      lines.push([place, newest, feedId, ...line])
      newest = place
    }
    return [feedId, newest, entered[i]!.run, ...scheduleColumns({ ...schedule, polledAt: poll.at })]
  })
  if (lines.length > 0) {
    const { sql, values } = manyRows('l', LINE_COLUMNS, lines)
    const names = LINE_COLUMNS.map(nameOf)
    await tx.run(
      `INSERT INTO polls (${names.join(', ')}) SELECT ${names.map((name) => `l.${name}`).join(', ')} FROM ${sql} ORDER BY l.n`,
      values,
    )
  }
  const { sql, values } = manyRows('g', WRITTEN_COLUMNS, written)
  await tx.run(
    `WITH given AS MATERIALIZED (SELECT * FROM ${sql}),
     ended AS (DELETE FROM feed_leases l USING given g WHERE l.id = g.feed_id)
     UPDATE schedules s SET ${SET.join(', ')}, revision = s.revision + 1 FROM given g WHERE s.feed_id = g.feed_id`,
    values,
  )
}

/** In the log, in their order. */
async function newPlaces(tx: Transaction, month: number, count: number): Promise<number[]> {
  if (count === 0) return []
  const rows = await tx.rows<{ place: number }>(
    `SELECT ($1::bigint << 40) | nextval('poll_places') AS place FROM generate_series(1, $2::integer) ORDER BY 1`,
    [month, count],
  )
  return rows.map(({ place }) => place)
}
