/** Grouping: the queue of entries to group, signatures of grouped entries, and what is recorded of each batch. */
import type { EntryId, Instant } from '../../model/index.ts'
import { ALL_FEEDS, type QueuePosition, type UngroupedEntry } from '../../ports/index.ts'
import type { GroupingMethods } from '../methods.ts'
import { tryReadContent } from './article-rows.ts'
import { rowsInChunks } from './chunks.ts'
import { isNotRemovedSql } from './conditions.ts'
import { levelColumn, type SignatureRow, signatureOfRow } from './group-rows.ts'
import type { GroupWriter } from './group-writer.ts'
import { rowsAfterSql, rowsBeforeSql } from './keyset-pagination.ts'
import { dequeueEntries, enqueueEntries, firstPending } from './pending-work.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOf } from './rows.ts'
import type { SqlSession } from './session.ts'
import { atMost, lastOfEach } from './values.ts'

interface PendingRow {
  place: QueuePosition
  entry_id: EntryId
  was_placed: boolean | 0 | 1
  /** Codec of the article's text, if there is one. */
  codec: number | null
  packed: Buffer | null
}

interface ByDateRow {
  order_at: Instant
  order_id: number
}

const POSITIONS_PER_QUERY = 2000
const REGROUPED_PER_TRANSACTION = 1000
/** Multiplies the chunk size, which is meant for entries: signatures are much smaller. */
const SIGNATURES_FACTOR = 5

const SIGNATURES = `SELECT s.place, s.entry_id, s.at, s.signature, c.group_id AS copy_id, t.group_id AS story_id FROM signatures s
  LEFT JOIN members c ON c.entry_id = s.entry_id AND c.level = ${levelColumn('copy')}
  LEFT JOIN members t ON t.entry_id = s.entry_id AND t.level = ${levelColumn('story')}
  WHERE s.place > $1 ORDER BY s.place LIMIT $2`
const GROUPED_BEFORE = rowsBeforeSql({
  columns: '1',
  from: 'signatures s',
  at: 'grouped_at',
  id: 'place',
  only: 'grouped_at >= $4',
  parameters: ['$1', '$2', '$3'],
})
const ENTRIES_AFTER = rowsAfterSql({
  columns: 'id',
  from: 'entries e',
  at: 'sort_at',
  id: 'id',
  parameters: ['$1', '$2', '$3'],
})

export function groupingMethods({ dialect, ...session }: SqlSession, writer: GroupWriter): GroupingMethods {
  const waiting = {
    columns: `s.place IS NOT NULL AS was_placed, ${ENTRY_COLUMNS}`,
    condition: isNotRemovedSql('e'),
    join: 'LEFT JOIN signatures s ON s.entry_id = u.entry_id',
  }
  const upsertBoilerplate = `INSERT INTO feed_boilerplate (feed_id, memory) SELECT g.feed_id, g.memory FROM given g
    WHERE g.feed_id = ${ALL_FEEDS} OR EXISTS (SELECT 1 FROM feeds f WHERE f.id = g.feed_id ${dialect.lockFor('KEY SHARE')})
    ORDER BY g.feed_id ON CONFLICT (feed_id) DO UPDATE SET memory = excluded.memory`

  /** Position of the first signature grouped since then, or of the first of the `newest` ones. */
  async function firstGrouped(since: Instant, newest: number): Promise<number | undefined> {
    let first: number | undefined
    let last: ByDateRow = { order_at: Number.MAX_SAFE_INTEGER, order_id: Number.MAX_SAFE_INTEGER }
    for (let remaining = newest; remaining > 0; remaining -= POSITIONS_PER_QUERY) {
      const limit = Math.min(remaining, POSITIONS_PER_QUERY)
      const rows = await session.rows<ByDateRow>(GROUPED_BEFORE, [last.order_at, last.order_id, limit, since])
      for (const { order_id } of rows) first = Math.min(first ?? order_id, order_id)
      if (rows.length < limit) break
      last = rows.at(-1)!
    }
    return first
  }

  return {
    async ungroupedEntries(limit) {
      const { rows, hasMore } = await session.read((query) =>
        firstPending<EntryRow & PendingRow>(query, dialect, 'ungrouped', waiting, atMost(limit)),
      )
      const changes = rows.map((row): UngroupedEntry => {
        if (row.id === null) return { id: row.entry_id, wasGrouped: true }
        const content = tryReadContent(row)
        const text = content && { text: content.text }
        return { id: row.entry_id, entry: entryOf(row), ...text, wasGrouped: Boolean(row.was_placed) }
      })
      return { positions: rows.map(({ place }) => place), changes, hasMore }
    },

    recordGroups(entries, positions, at, boilerplate = [], indexed = []) {
      const last = lastOfEach(boilerplate, ({ feedId }) => feedId)
      return session.write(function* (tx) {
        const moved = yield* writer.groupEntries(tx, entries, at)
        yield* dequeueEntries(tx, 'ungrouped', positions)
        yield* dequeueEntries(tx, 'unindexed', indexed)
        yield* tx.runEach(
          upsertBoilerplate,
          ['feed_id bigint', 'memory bytea'],
          last.map(({ feedId, memory }) => [feedId, memory]),
        )
        return moved
      })
    },

    async feedBoilerplate(feedIds) {
      const rows = await session.rowOfEach<{ memory: Buffer }>(
        'SELECT h.memory FROM given g, feed_boilerplate h WHERE h.feed_id = g.id',
        ['id bigint'],
        feedIds.map((id) => [id]),
      )
      return rows.map((row) => row?.memory)
    },

    settleGroups: (limit) => session.write((tx) => writer.resettle(tx, atMost(limit))),

    async regroupSince(since) {
      let count = 0
      for (let last: ByDateRow | undefined = { order_at: since, order_id: 0 }; last; ) {
        const { order_at, order_id }: ByDateRow = last
        const rows: (ByDateRow & { id: EntryId })[] = await session.write(function* (tx) {
          const rows = yield* tx.rows<ByDateRow & { id: EntryId }>(ENTRIES_AFTER, [
            order_at,
            order_id,
            REGROUPED_PER_TRANSACTION,
          ])
          yield* enqueueEntries(
            tx,
            dialect,
            'ungrouped',
            rows.map(({ id }) => id),
          )
          return rows
        })
        count += rows.length
        last = rows.length === REGROUPED_PER_TRANSACTION ? rows.at(-1) : undefined
      }
      return count
    },

    async *signatures({ since, newest = Number.MAX_SAFE_INTEGER }) {
      const first = await firstGrouped(since, newest)
      if (first === undefined) return
      const rows = rowsInChunks(
        (after, limit) => session.rows<SignatureRow>(SIGNATURES, [after, limit * SIGNATURES_FACTOR]),
        ({ place: position }) => position,
        first - 1,
      )
      for await (const row of rows) yield signatureOfRow(row)
    },

    forgetSignatures(before, limit) {
      return session.run(
        `DELETE FROM signatures WHERE place IN
         (SELECT place FROM signatures WHERE grouped_at < $1 ORDER BY grouped_at, place LIMIT $2)`,
        [before, atMost(limit)],
      )
    },
  }
}
