/**
 * All that polls change: log lines, schedules with the ends of leases, feeds, and entries. A batch goes in rounds, of which each has
 * one record a feed at most, so that the statements of a round need no order; mostly one round is all.
 */
import type { FeedId } from '../../../model/index.ts'
import type { NewsRecord, PollRecord, Recorded } from '../../../ports/index.ts'
import { type BeforePoll, pollColumns, whatBecomes } from '../sql/news-columns.ts'
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
    `SELECT s.feed_id, s.state, s.polled_at, s.trouble IS NOT NULL AS troubled, s.revision, l.token FROM schedules s
     LEFT JOIN feed_leases l ON l.id = s.feed_id WHERE s.feed_id = ANY ($1::bigint[])`,
    [records.map(({ poll }) => poll.feedId)],
  )
  const before = new Map(rows.map((row) => [row.feed_id, row]))
  const became = records.map((record) => whatBecomes(record, before.get(record.poll.feedId)))
  const kept = records.filter((_, i) => became[i] === 'recorded')
  if (kept.length === 0) return became
  await writeLines(tx, kept, month)
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

const POLL_NAMES =
  'at, took_ms, bytes, asked, occasion, rest_until, result, fresh, changed, window_size, failure'.split(', ')

/** The lines of the log, the schedules, and the ends of leases. */
async function writeLines(tx: Transaction, records: PollRecord[], month: number): Promise<void> {
  const given = records.map(({ poll, schedule }) => [
    poll.feedId,
    ...pollColumns(poll),
    ...scheduleColumns({ ...schedule, polledAt: poll.at }),
  ])
  const { sql, values } = manyRows(
    'g',
    [
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
      ...SCHEDULE_COLUMNS,
    ],
    given,
    2,
  )
  const set = SCHEDULE_COLUMNS.map((column) => column.split(' ')[0]!).map((name) => `${name} = g.${name}`)
  await tx.run(
    `WITH given AS MATERIALIZED (SELECT * FROM ${sql}),
     line AS (INSERT INTO polls (place, previous, feed_id, ${POLL_NAMES.join(', ')})
       SELECT ($1::bigint << 40) | nextval('poll_places'), s.last_poll, g.feed_id, ${POLL_NAMES.map((name) => `g.${name}`).join(', ')}
       FROM given g JOIN schedules s ON s.feed_id = g.feed_id ORDER BY g.n RETURNING place, feed_id),
     ended AS (DELETE FROM feed_leases l USING given g WHERE l.id = g.feed_id)
     UPDATE schedules s SET last_poll = line.place, ${set.join(', ')}, revision = s.revision + 1
     FROM given g JOIN line ON line.feed_id = g.feed_id WHERE s.feed_id = g.feed_id`,
    [month, ...values],
  )
}
