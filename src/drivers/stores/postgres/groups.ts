/** Copies and stories: the line of entries that wait for their place, what is kept of those that have one, and the groups. */
import type { EntryId, Instant } from '../../../model/index.ts'
import { ALL_FEEDS, type GroupQuery, type Mark, type Unplaced } from '../../../ports/index.ts'
import type { GroupMethods } from '../methods.ts'
import { contentIfAny } from '../sql/article-rows.ts'
import { isKept } from '../sql/conditions.ts'
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
} from '../sql/group-rows.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOf } from '../sql/rows.ts'
import { atMost, inOrder } from '../sql/values.ts'
import { manyRows } from './columns.ts'
import { goOver, placeEntries } from './group-writer.ts'
import { type PostgresSession, pieceByPiece } from './session.ts'
import { firstOf, takeOut, toLine } from './waiting-lines.ts'

interface WaitingRow {
  place: Mark
  entry_id: EntryId
  was_placed: boolean
  /** Of the article's text, if there is one. */
  codec: number | null
  packed: Buffer | null
}

const MEMBER = `SELECT m.entry_id, m.at, m.simhash_high AS high, m.simhash_low AS low, m.compared_by, m.like_id,
  m.likeness, m.reason, p.simhash_high AS primary_high, p.simhash_low AS primary_low
  FROM members m JOIN groups g ON g.id = m.group_id JOIN members p ON p.entry_id = g.primary_id AND p.level = g.level`

/** Signatures are small beside the entries that pieces are made for. */
const WIDE = 5
/** Sent to the end of the line at a time. */
const AGAIN = 1000

export function groupMethods(session: PostgresSession): GroupMethods {
  const waiting = firstOf('unplaced', `s.place IS NOT NULL AS was_placed, ${ENTRY_COLUMNS}`, {
    kept: isKept('e'),
    join: 'LEFT JOIN signatures s ON s.entry_id = u.entry_id',
  })

  return {
    async unplaced(limit) {
      const rows = await session.rows<EntryRow & WaitingRow>(waiting, [atMost(limit)])
      const changes = rows.map((row): Unplaced => {
        if (row.id === null) return { id: row.entry_id, wasPlaced: true }
        const content = contentIfAny(row)
        const text = content && { text: content.text }
        return { id: row.entry_id, entry: entryOf(row), ...text, wasPlaced: row.was_placed }
      })
      return { marks: rows.map(({ place }) => place), changes }
    },

    place(entries, marks, at, habits = []) {
      return session.write(async (tx) => {
        const moved = await placeEntries(tx, entries, at)
        await takeOut(tx, 'unplaced', marks)
        const last = new Map(habits.map((one) => [one.feedId, one.memory]))
        const rows = manyRows('h', ['feed_id bigint', 'memory bytea'], [...last])
        await tx.run(
          `INSERT INTO feed_habits (feed_id, memory) SELECT h.feed_id, h.memory FROM ${rows.sql}
           WHERE h.feed_id = ${ALL_FEEDS} OR EXISTS (SELECT 1 FROM feeds WHERE id = h.feed_id FOR KEY SHARE)
           ORDER BY h.feed_id ON CONFLICT (feed_id) DO UPDATE SET memory = excluded.memory`,
          rows.values,
        )
        return moved
      })
    },

    async habits(feedIds) {
      const rows = await session.rows<{ feed_id: number; memory: Buffer }>(
        'SELECT feed_id, memory FROM feed_habits WHERE feed_id = ANY ($1::bigint[])',
        [feedIds],
      )
      return inOrder<number, (typeof rows)[number], Uint8Array>(
        feedIds,
        rows,
        ({ feed_id }) => feed_id,
        ({ memory }) => memory,
      )
    },

    goOver: (limit) => session.write((tx) => goOver(tx, atMost(limit))),

    async placeAgain(since) {
      let count = 0
      for (let [last, more] = [{ sort_at: since, id: 0 as EntryId }, true]; more; ) {
        const { sort_at, id } = last
        const rows = await session.write(async (tx) => {
          const rows = await tx.rows<{ id: EntryId; sort_at: Instant }>(
            'SELECT id, sort_at FROM entries WHERE (sort_at, id) > ($1, $2) ORDER BY sort_at, id LIMIT $3',
            [sort_at, id, AGAIN],
          )
          await toLine(
            tx,
            'unplaced',
            rows.map((row) => row.id),
          )
          return rows
        })
        count += rows.length
        last = rows.at(-1) ?? last
        more = rows.length === AGAIN
      }
      return count
    },

    async *signatures({ since, newest = Number.MAX_SAFE_INTEGER }) {
      const [first] = await session.rows<{ place: number | null }>(
        `SELECT min(place) AS place FROM (SELECT place FROM signatures WHERE placed_at >= $1
         ORDER BY placed_at DESC, place DESC LIMIT $2) AS newest`,
        [since, atMost(newest)],
      )
      if (!first?.place) return
      const begin = first.place
      const rows = pieceByPiece(
        (after, limit) =>
          session.rows<SignatureRow>(
            `SELECT s.place, s.entry_id, s.at, s.signature, c.group_id AS copy_id, t.group_id AS story_id FROM signatures s
             LEFT JOIN members c ON c.entry_id = s.entry_id AND c.level = ${levelColumn('copy')}
             LEFT JOIN members t ON t.entry_id = s.entry_id AND t.level = ${levelColumn('story')}
             WHERE s.place > $1 ORDER BY s.place LIMIT $2`,
            [after, limit * WIDE],
          ),
        ({ place }) => place,
        begin - 1,
      )
      for await (const row of rows) yield signatureOfRow(row)
    },

    forgetSignatures(before, limit) {
      return session.write((tx) =>
        tx.run(
          `DELETE FROM signatures WHERE place IN
           (SELECT place FROM signatures WHERE placed_at < $1 ORDER BY placed_at, place LIMIT $2)`,
          [before, atMost(limit)],
        ),
      )
    },

    async groupsById(ids) {
      const rows = await session.rows<GroupRow>('SELECT * FROM groups WHERE id = ANY ($1::bigint[])', [ids])
      return inOrder(ids, rows, ({ id }) => id, groupOfRow)
    },

    async groupsOfEntries(ids, level) {
      const rows = await session.rows<GroupRow & { entry_id: EntryId }>(
        `SELECT m.entry_id, g.* FROM members m JOIN groups g ON g.id = m.group_id
         WHERE m.entry_id = ANY ($1::bigint[]) AND m.level = $2`,
        [ids, levelColumn(level)],
      )
      return inOrder(ids, rows, ({ entry_id }) => entry_id, groupOfRow)
    },

    async membersById(ids, level) {
      const rows = await session.rows<MemberRow>(`${MEMBER} WHERE m.entry_id = ANY ($1::bigint[]) AND m.level = $2`, [
        ids,
        levelColumn(level),
      ])
      return inOrder(ids, rows, ({ entry_id }) => entry_id, memberOf)
    },

    async groups(query) {
      const { sql, values } = groupsSql(query)
      return (await session.rows<GroupRow>(sql, values)).map(groupOfRow)
    },

    async members(id, limit) {
      const rows = await session.rows<MemberRow>(`${MEMBER} WHERE m.group_id = $1 ORDER BY m.at, m.entry_id LIMIT $2`, [
        id,
        atMost(limit),
      ])
      return rows.map(memberOf)
    },

    async moves(id) {
      const rows = await session.rows<MoveRow>('SELECT * FROM group_moves WHERE entry_id = $1 ORDER BY place', [id])
      return rows.map(moveOf)
    },
  }
}

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
