/**
 * What goes: feeds that are removed, and entries and polls that are old.
 *
 * A feed may have a hundred thousand entries. So the feed itself goes at once and is noted among the `removals`; whatever lists entries or
 * polls passes over those of feeds that stand there. A first bite goes with the feed, which is all of most feeds; the rest
 * is swept out in bites, also after a crash. Newest first: lists, which begin there, have the less to pass over.
 *
 * Months of polls of which all is old enough are dropped as they are. Entries are let go of one by one, for others have to hear of
 * each (groups, articles, the index); what is left of their month, once it is empty, is dropped, too.
 */
import type { EntryId, FeedId, FeedState, Instant, SourceId } from '../../../model/index.ts'
import type { Store } from '../../../ports/index.ts'
import { isKept } from '../sql/conditions.ts'
import { pollsIn } from '../sql/poll-rows.ts'
import { countFeed } from '../sql/tally.ts'
import { atMost } from '../sql/values.ts'
import { changeLines, noLineChanges } from './article-lines.ts'
import { unlinkEntries } from './article-writer.ts'
import { lockSchedules } from './feed-writer.ts'
import { groupsAlone, leaveGroups } from './group-writer.ts'
import { dropEmptyMonths, dropMonths } from './partitions.ts'
import { feedRemoved, forgetReadings, sourcesRemoved, sweepReaders } from './reading-writer.ts'
import type { PostgresSession, Transaction } from './session.ts'
import { toLine } from './waiting-lines.ts'

type RemovalMethods = 'removeFeed' | 'sweepRemoved' | 'forgetEntries' | 'forgetThese' | 'packEntries' | 'forgetPolls'

/** Entries, keys or polls that go with the feed. */
const FIRST_BITE = 50

interface Removal {
  feed_id: FeedId
  last_poll: number | null
}

const DROP_FEED = [
  ...['sources', 'schedules', 'feed_hours', 'feed_habits'].map((table) => `DELETE FROM ${table} WHERE feed_id = $1`),
  "DELETE FROM pushes WHERE feed_id = $1 AND state = 'waiting'",
  "UPDATE pushes SET state = 'ending', due_at = 0, revision = revision + 1 WHERE feed_id = $1 AND state = 'active'",
  'DELETE FROM feed_leases WHERE id = $1',
  'DELETE FROM feeds WHERE id = $1',
]

export function removalMethods(session: PostgresSession): Pick<Store, RemovalMethods> {
  return {
    removeFeed(id) {
      return session.write(async (tx) => {
        await groupsAlone(tx)
        const [row] = await tx.rows<{
          state: FeedState
          troubled: boolean
          polled: boolean
          last_poll: number | null
          run: Buffer | null
          entries: number
        }>(
          `SELECT state, trouble IS NOT NULL AS troubled, polled_at IS NOT NULL AS polled, last_poll, run FROM schedules
           WHERE feed_id = $1 FOR UPDATE`,
          [id],
        )
        if (!row) return false
        countFeed(tx.tally, -1, row)
        tx.tally.polls -= pollsIn(row.run)
        const [counted] = await tx.rows<{ entries: number }>(
          'SELECT count(*) AS entries FROM entries WHERE feed_id = $1',
          [id],
        )
        tx.tally.entries -= counted!.entries
        await tx.run('INSERT INTO removals (feed_id, last_poll) VALUES ($1, $2)', [id, row.last_poll])
        const sources = await tx.rows<{ id: SourceId }>('SELECT id FROM sources WHERE feed_id = $1', [id])
        await sourcesRemoved(
          tx,
          sources.map((source) => source.id),
        )
        await feedRemoved(tx, id)
        for (const sql of DROP_FEED) await tx.run(sql, [id])
        await sweep(tx, { feed_id: id, last_poll: row.last_poll }, FIRST_BITE)
        return true
      })
    },

    sweepRemoved(limit) {
      return session.write(async (tx) => {
        await groupsAlone(tx)
        const [removal] = await tx.rows<Removal>(
          'SELECT feed_id, last_poll FROM removals ORDER BY feed_id LIMIT 1 FOR UPDATE SKIP LOCKED',
        )
        return removal ? Math.max(1, await sweep(tx, removal, atMost(limit))) : sweepReaders(tx, atMost(limit))
      })
    },

    // PostgreSQL packs what is long when it is written.
    packEntries: async () => 0,

    async forgetEntries(before, limit) {
      const forgotten = await session.write(async (tx) => {
        await groupsAlone(tx)
        const rows = await tx.rows<{ id: EntryId; feed_id: FeedId }>(
          `SELECT id, feed_id FROM entries e WHERE seen_at < $1 AND ${isKept('e')}
           AND NOT EXISTS (SELECT 1 FROM stars s WHERE s.entry_id = e.id) ORDER BY seen_at, id LIMIT $2`,
          [before, atMost(limit)],
        )
        return forgetRows(tx, rows)
      })
      if (forgotten > 0 && forgotten < limit) await dropEmptyMonths(session, 'entries')
      return forgotten
    },

    forgetThese(ids) {
      return session.write(async (tx) => {
        await groupsAlone(tx)
        const rows = await tx.rows<{ id: EntryId; feed_id: FeedId }>(
          `SELECT id, feed_id FROM entries e WHERE id = ANY($1) AND ${isKept('e')}
           AND NOT EXISTS (SELECT 1 FROM stars s WHERE s.entry_id = e.id) ORDER BY id`,
          [ids],
        )
        return forgetRows(tx, rows)
      })
    },

    async forgetPolls(before, limit) {
      const whole = await dropMonths(session, 'polls', before, countPolls)
      if (whole >= limit) return limit
      const lines = await session.write(async (tx) => {
        const dropped = await tx.rows<{ times: number }>(
          `DELETE FROM polls WHERE place IN (SELECT place FROM polls WHERE at < $1 ORDER BY at, place LIMIT $2)
           RETURNING times`,
          [before, atMost(limit - whole)],
        )
        for (const { times } of dropped) tx.tally.polls -= times
        return dropped.length
      })
      if (whole + lines >= limit) return whole + lines
      const runs = await session.write((tx) => dropOpenRuns(tx, before, atMost(limit - whole - lines)))
      return whole + lines + runs
    },
  }
}

async function forgetRows(tx: Transaction, rows: { id: EntryId; feed_id: FeedId }[]): Promise<number> {
  await lockSchedules(
    tx,
    rows.map(({ feed_id }) => feed_id),
  )
  const ids = rows.map(({ id }) => id)
  await forgetReadings(tx, ids)
  await dropEntries(tx, ids)
  tx.tally.entries -= rows.length
  return rows.length
}

async function countPolls(tx: Transaction, month: string): Promise<number> {
  const [row] = await tx.rows<{ lines: number; polls: number }>(
    `SELECT count(*) AS lines, coalesce(sum(times), 0)::bigint AS polls FROM ${month}`,
  )
  tx.tally.polls -= row!.polls
  return row!.lines
}

/** Of feeds that were not polled since, as one that is paused. */
async function dropOpenRuns(tx: Transaction, before: Instant, limit: number): Promise<number> {
  const found = await tx.rows<{ id: FeedId }>(
    'SELECT feed_id AS id FROM schedules WHERE run IS NOT NULL AND polled_at < $1 ORDER BY feed_id LIMIT $2',
    [before, limit],
  )
  const ids = found.map(({ id }) => id)
  if (ids.length === 0) return 0
  await lockSchedules(tx, ids)
  const rows = await tx.rows<{ id: FeedId; run: Buffer }>(
    `SELECT feed_id AS id, run FROM schedules
     WHERE feed_id = ANY ($1::bigint[]) AND run IS NOT NULL AND polled_at < $2`,
    [ids, before],
  )
  for (const { run } of rows) tx.tally.polls -= pollsIn(run)
  return tx.run('UPDATE schedules SET run = NULL WHERE feed_id = ANY ($1::bigint[])', [rows.map(({ id }) => id)])
}

/** With all that belongs to them; their keys stay, and so they are known as forgotten. */
async function dropEntries(tx: Transaction, ids: readonly EntryId[]): Promise<void> {
  if (ids.length === 0) return
  await tx.run('DELETE FROM entries WHERE id = ANY ($1::bigint[])', [ids])
  await tx.run('DELETE FROM entry_versions WHERE entry_id = ANY ($1::bigint[])', [ids])
  await tx.run('DELETE FROM stars WHERE entry_id = ANY ($1::bigint[])', [ids])
  const lines = noLineChanges()
  await unlinkEntries(tx, ids, lines)
  await toLine(tx, 'unindexed', ids)
  await leaveGroups(tx, ids)
  await changeLines(tx, lines)
}

/** At most `limit` of what is left; how many that were. */
async function sweep(tx: Transaction, { feed_id: id, last_poll }: Removal, limit: number): Promise<number> {
  let room = limit
  const entries = await tx.rows<{ id: EntryId }>(
    'SELECT id FROM entries WHERE feed_id = $1 ORDER BY sort_at DESC, id DESC LIMIT $2 FOR UPDATE',
    [id, room],
  )
  await dropEntries(
    tx,
    entries.map((row) => row.id).sort((a, b) => a - b),
  )
  room -= entries.length
  if (room > 0) {
    room -= await tx.run(
      `DELETE FROM entry_keys WHERE feed_id = $1
       AND key_hash IN (SELECT key_hash FROM entry_keys WHERE feed_id = $1 LIMIT $2)`,
      [id, room],
    )
  }
  let place = last_poll
  if (room > 0) {
    const chain = await chainOf(tx, last_poll, room)
    const dropped = await tx.rows<{ times: number }>(
      'DELETE FROM polls WHERE place = ANY ($1::bigint[]) RETURNING times',
      [chain.places],
    )
    for (const { times } of dropped) tx.tally.polls -= times
    room -= chain.places.length
    place = chain.next
  }
  if (room > 0) await tx.run('DELETE FROM removals WHERE feed_id = $1', [id])
  else await tx.run('UPDATE removals SET last_poll = $2 WHERE feed_id = $1', [id, place])
  return limit - room
}

/** So many lines of a feed's log, from this one back, and where it goes on. */
async function chainOf(
  tx: Transaction,
  from: number | null,
  limit: number,
): Promise<{ places: number[]; next: number | null }> {
  if (from === null) return { places: [], next: null }
  const rows = await tx.rows<{ place: number; previous: number | null }>(
    `WITH RECURSIVE chain (place, previous, n) AS (
       SELECT place, previous, 1 FROM polls WHERE place = $1
       UNION ALL
       SELECT p.place, p.previous, chain.n + 1 FROM chain JOIN polls p ON p.place = chain.previous WHERE chain.n < $2
     )
     SELECT place, previous FROM chain ORDER BY n`,
    [from, limit],
  )
  return { places: rows.map(({ place }) => place), next: rows.length < limit ? null : (rows.at(-1)?.previous ?? null) }
}
