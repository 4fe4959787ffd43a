/** Copies and stories: the line of entries that wait for their place, what is kept of those that have one, and the groups. */
import type { EntryId, Instant } from '../../model/index.ts'
import { ALL_FEEDS, type GroupQuery, type Mark, type Unplaced } from '../../ports/index.ts'
import type { GroupMethods } from '../methods.ts'
import { contentIfAny } from './article-rows.ts'
import { afterSql, beforeSql } from './by-date.ts'
import { rowsInChunks } from './chunks.ts'
import { isKept } from './conditions.ts'
import {
  type GroupRow,
  groupOfRow,
  levelColumn,
  type MemberRow,
  type MoveRow,
  memberOf,
  moveOf,
  type SignatureRow,
  signatureOfRow,
} from './group-rows.ts'
import type { GroupWriter } from './group-writer.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOf } from './rows.ts'
import type { SqlSession } from './session.ts'
import { atMost, inOrder, lastOfEach } from './values.ts'
import { firstOf, takeOut, toLine } from './waiting-lines.ts'

interface WaitingRow {
  place: Mark
  entry_id: EntryId
  was_placed: boolean | 0 | 1
  /** Of the article's text, if there is one. */
  codec: number | null
  packed: Buffer | null
}

interface ByDateRow {
  order_at: Instant
  order_id: number
}

const LOOKED_FOR = 2000 // places that are found at once
/** Sent to the end of the line at a time. */
const AGAIN = 1000
/** Signatures are small beside the entries that chunks are made for. */
const WIDE = 5

const MEMBER = `SELECT m.entry_id, m.at, m.simhash_high AS high, m.simhash_low AS low, m.compared_by, m.like_id,
  m.likeness, m.reason, p.simhash_high AS primary_high, p.simhash_low AS primary_low`
const WITH_PRIMARY =
  'JOIN groups g ON g.id = m.group_id JOIN members p ON p.entry_id = g.primary_id AND p.level = g.level'
const SIGNATURES = `SELECT s.place, s.entry_id, s.at, s.signature, c.group_id AS copy_id, t.group_id AS story_id FROM signatures s
  LEFT JOIN members c ON c.entry_id = s.entry_id AND c.level = ${levelColumn('copy')}
  LEFT JOIN members t ON t.entry_id = s.entry_id AND t.level = ${levelColumn('story')}
  WHERE s.place > $1 ORDER BY s.place LIMIT $2`
const PLACED_BEFORE = beforeSql({
  columns: '1',
  from: 'signatures s',
  at: 'placed_at',
  id: 'place',
  only: 'placed_at >= $4',
  parameters: ['$1', '$2', '$3'],
})
const SAID_AFTER = afterSql({
  columns: 'id',
  from: 'entries e',
  at: 'sort_at',
  id: 'id',
  parameters: ['$1', '$2', '$3'],
})

export function groupMethods({ dialect, ...session }: SqlSession, writer: GroupWriter): GroupMethods {
  const waiting = {
    columns: `s.place IS NOT NULL AS was_placed, ${ENTRY_COLUMNS}`,
    kept: isKept('e'),
    join: 'LEFT JOIN signatures s ON s.entry_id = u.entry_id',
  }
  const keepHabits = `INSERT INTO feed_habits (feed_id, memory) SELECT g.feed_id, g.memory FROM given g
    WHERE g.feed_id = ${ALL_FEEDS} OR EXISTS (SELECT 1 FROM feeds f WHERE f.id = g.feed_id ${dialect.locked('KEY SHARE')})
    ORDER BY g.feed_id ON CONFLICT (feed_id) DO UPDATE SET memory = excluded.memory`

  /** The place of the first of those that were placed since then, or of the newest so many. */
  async function firstPlaced(since: Instant, newest: number): Promise<number | undefined> {
    let first: number | undefined
    let last: ByDateRow = { order_at: Number.MAX_SAFE_INTEGER, order_id: Number.MAX_SAFE_INTEGER }
    for (let left = newest; left > 0; left -= LOOKED_FOR) {
      const limit = Math.min(left, LOOKED_FOR)
      const rows = await session.rows<ByDateRow>(PLACED_BEFORE, [last.order_at, last.order_id, limit, since])
      for (const { order_id } of rows) first = Math.min(first ?? order_id, order_id)
      if (rows.length < limit) break
      last = rows.at(-1)!
    }
    return first
  }

  return {
    async unplaced(limit) {
      const rows = await session.read((query) =>
        firstOf<EntryRow & WaitingRow>(query, dialect, 'unplaced', waiting, atMost(limit)),
      )
      const changes = rows.map((row): Unplaced => {
        if (row.id === null) return { id: row.entry_id, wasPlaced: true }
        const content = contentIfAny(row)
        const text = content && { text: content.text }
        return { id: row.entry_id, entry: entryOf(row), ...text, wasPlaced: Boolean(row.was_placed) }
      })
      return { marks: rows.map(({ place }) => place), changes }
    },

    place(entries, marks, at, habits = []) {
      const last = lastOfEach(habits, ({ feedId }) => feedId)
      return session.write(function* (tx) {
        const moved = yield* writer.place(tx, entries, at)
        yield* takeOut(tx, 'unplaced', marks)
        yield* tx.runEach(
          keepHabits,
          ['feed_id bigint', 'memory bytea'],
          last.map(({ feedId, memory }) => [feedId, memory]),
        )
        return moved
      })
    },

    async habits(feedIds) {
      const rows = await session.rowOfEach<{ memory: Buffer }>(
        'SELECT h.memory FROM given g, feed_habits h WHERE h.feed_id = g.id',
        ['id bigint'],
        feedIds.map((id) => [id]),
      )
      return rows.map((row) => row?.memory)
    },

    goOver: (limit) => session.write((tx) => writer.goOver(tx, atMost(limit))),

    async placeAgain(since) {
      let count = 0
      for (let last: ByDateRow | undefined = { order_at: since, order_id: 0 }; last; ) {
        const { order_at, order_id }: ByDateRow = last
        const rows: (ByDateRow & { id: EntryId })[] = await session.write(function* (tx) {
          const rows = yield* tx.rows<ByDateRow & { id: EntryId }>(SAID_AFTER, [order_at, order_id, AGAIN])
          yield* toLine(
            tx,
            dialect,
            'unplaced',
            rows.map(({ id }) => id),
          )
          return rows
        })
        count += rows.length
        last = rows.length === AGAIN ? rows.at(-1) : undefined
      }
      return count
    },

    async *signatures({ since, newest = Number.MAX_SAFE_INTEGER }) {
      const first = await firstPlaced(since, newest)
      if (first === undefined) return
      const rows = rowsInChunks(
        (after, limit) => session.rows<SignatureRow>(SIGNATURES, [after, limit * WIDE]),
        ({ place }) => place,
        first - 1,
      )
      for await (const row of rows) yield signatureOfRow(row)
    },

    forgetSignatures(before, limit) {
      return session.run(
        `DELETE FROM signatures WHERE place IN
         (SELECT place FROM signatures WHERE placed_at < $1 ORDER BY placed_at, place LIMIT $2)`,
        [before, atMost(limit)],
      )
    },

    async groupsById(ids) {
      const rows = await session.rowOfEach<GroupRow>(
        'SELECT o.* FROM given g, groups o WHERE o.id = g.id',
        ['id bigint'],
        ids.map((id) => [id]),
      )
      return rows.map((row) => row && groupOfRow(row))
    },

    async groupsOfEntries(ids, level) {
      const rows = await session.rows<GroupRow & { entry_id: EntryId }>(
        `SELECT m.entry_id, g.* FROM members m JOIN groups g ON g.id = m.group_id
         WHERE ${dialect.isOneOf('m.entry_id', '$1', 'bigint')} AND m.level = $2`,
        [ids, levelColumn(level)],
      )
      return inOrder(ids, rows, ({ entry_id }) => entry_id, groupOfRow)
    },

    async membersById(ids, level) {
      const rows = await session.rows<MemberRow>(
        `${MEMBER} FROM members m ${WITH_PRIMARY} WHERE ${dialect.isOneOf('m.entry_id', '$1', 'bigint')} AND m.level = $2`,
        [ids, levelColumn(level)],
      )
      return inOrder(ids, rows, ({ entry_id }) => entry_id, memberOf)
    },

    async groups(query) {
      const { sql, values } = groupsSql(query)
      return (await session.rows<GroupRow>(sql, values)).map(groupOfRow)
    },

    async members(id, limit) {
      const rows = await session.rows<MemberRow>(
        `${MEMBER} FROM members m ${WITH_PRIMARY} WHERE m.group_id = $1 ORDER BY m.at, m.entry_id LIMIT $2`,
        [id, atMost(limit)],
      )
      return rows.map(memberOf)
    },

    async moves(id) {
      const rows = await session.rows<MoveRow>('SELECT * FROM group_moves WHERE entry_id = $1 ORDER BY place', [id])
      return rows.map(moveOf)
    },
  }
}

/** One text for each combination of filters, so that few statements are prepared. */
function groupsSql({ level, since, leastSize, order, after, limit }: GroupQuery) {
  const values: unknown[] = [levelColumn(level), atMost(limit)]
  const conditions = ['level = $1']
  const value = (one: unknown) => `$${values.push(one)}`
  if (since !== undefined) conditions.push(`last_at >= ${value(since)}`)
  if (leastSize !== undefined) conditions.push(`size >= ${value(leastSize)}`)
  if (after && order === 'recent') conditions.push(`(last_at, id) < (${value(after.lastAt)}, ${value(after.id)})`)
  if (after && order === 'large') {
    conditions.push(`(size, last_at, id) < (${value(after.size)}, ${value(after.lastAt)}, ${value(after.id)})`)
  }
  const sql = `SELECT * FROM groups WHERE ${conditions.join(' AND ')}
    ORDER BY ${order === 'large' ? 'size DESC, ' : ''}last_at DESC, id DESC LIMIT $2`
  return { sql, values }
}
