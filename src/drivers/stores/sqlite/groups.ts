/** Copies and stories: the line of entries that wait for their place, what is kept of those that have one, and the groups. */

import type { EntryId, FeedId, GroupId, Instant } from '../../../model/index.ts'
import { ALL_FEEDS, type GroupQuery, type Mark, type Unplaced } from '../../../ports/index.ts'
import type { GroupMethods } from '../methods.ts'
import { contentIfAny } from '../sql/article-rows.ts'
import { afterSql, beforeSql } from '../sql/by-date.ts'
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
import type { GroupWriter } from './group-writer.ts'
import { rowsById, WANTED } from './rows-by-id.ts'
import { bounded, inChunks, type SqliteSession, withinText } from './session.ts'

interface WaitingRow {
  place: Mark
  entry_id: EntryId
  was_placed: 0 | 1
  /** Of the article's text, if there is one. */
  codec: number | null
  packed: Buffer | null
}

export function groupQueries(session: SqliteSession, writer: GroupWriter): GroupMethods {
  const { db } = session
  const waiting = db.prepare<[number], EntryRow & WaitingRow>(
    `SELECT u.place, u.entry_id, s.place IS NOT NULL AS was_placed, ${ENTRY_COLUMNS}, t.codec, t.packed FROM unplaced u
     LEFT JOIN entries e ON e.id = u.entry_id AND ${isKept('e')} LEFT JOIN signatures s ON s.entry_id = u.entry_id
     LEFT JOIN article_entries a ON a.entry_id = u.entry_id LEFT JOIN article_texts t ON t.article_id = a.article_id
     ORDER BY u.place LIMIT ?`,
  )
  const saidAfter = db.prepare<[{ at: Instant; id: number; limit: number }], { id: EntryId; sort_at: Instant }>(
    afterSql({ columns: 'id, sort_at', from: 'entries', at: 'sort_at', id: 'id' }),
  )
  const enqueue = db.prepare<[EntryId]>('INSERT OR REPLACE INTO unplaced (entry_id) VALUES (?)')
  const dealtWith = db.prepare('DELETE FROM unplaced WHERE place = ?')
  const habitsOf = db.prepare<unknown[], { feed_id: FeedId; memory: Buffer }>(
    `SELECT h.feed_id, h.memory FROM ${WANTED} CROSS JOIN feed_habits h ON h.feed_id = w.value`,
  )
  const feedThere = db.prepare<[FeedId], 1>('SELECT 1 FROM feeds WHERE id = ?').pluck()
  const keepHabits = db.prepare<[FeedId, Uint8Array]>(
    'INSERT OR REPLACE INTO feed_habits (feed_id, memory) VALUES (?, ?)',
  )
  const placedBefore = db.prepare<
    [{ since: Instant; at: Instant; id: number; limit: number }],
    { order_at: Instant; order_id: number }
  >(beforeSql({ columns: '1', from: 'signatures s', at: 'placed_at', id: 'place', only: 'placed_at >= $since' }))
  const signaturesAfter = db.prepare<[number, number], SignatureRow>(
    `SELECT s.place, s.entry_id, s.at, s.signature, c.group_id AS copy_id, t.group_id AS story_id FROM signatures s
     LEFT JOIN members c ON c.entry_id = s.entry_id AND c.level = ${levelColumn('copy')}
     LEFT JOIN members t ON t.entry_id = s.entry_id AND t.level = ${levelColumn('story')}
     WHERE s.place > ? ORDER BY s.place LIMIT ?`,
  )
  const forget = db.prepare(
    'DELETE FROM signatures WHERE place IN (SELECT place FROM signatures WHERE placed_at < ? ORDER BY placed_at, place LIMIT ?)',
  )
  const byId = db.prepare<[GroupId], GroupRow>('SELECT * FROM groups WHERE id = ?')
  const ofEntries = db.prepare<unknown[], GroupRow & { entry_id: EntryId }>(
    `SELECT m.entry_id, g.* FROM ${WANTED} CROSS JOIN members m ON m.entry_id = w.value AND m.level = $level
     CROSS JOIN groups g ON g.id = m.group_id`,
  )
  const MEMBER = `SELECT m.entry_id, m.at, m.simhash_high AS high, m.simhash_low AS low, m.compared_by, m.like_id,
    m.likeness, m.reason, p.simhash_high AS primary_high, p.simhash_low AS primary_low
    FROM members m JOIN groups g ON g.id = m.group_id JOIN members p ON p.entry_id = g.primary_id AND p.level = g.level`
  const members = db.prepare<[GroupId, number], MemberRow>(
    `${MEMBER} WHERE m.group_id = ? ORDER BY m.at, m.entry_id LIMIT ?`,
  )
  const member = db.prepare<[EntryId, number], MemberRow>(`${MEMBER} WHERE m.entry_id = ? AND m.level = ?`)
  const moves = db.prepare<[EntryId], MoveRow>('SELECT * FROM group_moves WHERE entry_id = ? ORDER BY place')

  /** The place of the first of those that were placed since then, or of the newest so many. */
  async function firstPlaced(since: Instant, newest: number): Promise<number | undefined> {
    let first: number | undefined
    let last = { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER }
    for (let left = newest; left > 0; ) {
      const limit = Math.min(left, LOOKED_FOR)
      const rows = await session.read(() => placedBefore.all({ since, ...last, limit }))
      for (const { order_at: at, order_id: id } of rows) {
        first = Math.min(first ?? id, id)
        last = { at, id }
      }
      if (rows.length < limit) break
      left -= limit
    }
    return first
  }

  return {
    unplaced(limit) {
      return session.read(() => {
        const rows = withinText(waiting.iterate(bounded(limit)))
        const changes = rows.map((row): Unplaced => {
          if (row.id === null) return { id: row.entry_id, wasPlaced: true }
          const content = contentIfAny(row)
          const text = content && { text: content.text }
          return { id: row.entry_id, entry: entryOf(row), ...text, wasPlaced: row.was_placed === 1 }
        })
        return { marks: rows.map(({ place }) => place), changes }
      })
    },

    place(entries, marks, at, habits = []) {
      return session.write(() => {
        const moved = writer.place(entries, at)
        for (const mark of marks) dealtWith.run(mark)
        for (const { feedId, memory } of habits)
          if (feedId === ALL_FEEDS || feedThere.get(feedId)) keepHabits.run(feedId, memory)
        return moved
      })
    },

    async habits(feedIds) {
      const rows = await session.read(() => rowsById(habitsOf, ({ feed_id }) => feed_id, feedIds))
      return feedIds.map((id) => rows.get(id)?.memory)
    },

    goOver(limit) {
      return session.write(() => writer.goOver(bounded(limit)))
    },

    async placeAgain(since) {
      let count = 0
      for (let [last, more] = [{ sort_at: since, id: 0 }, true]; more; ) {
        const rows = await session.write(() => {
          const rows = saidAfter.all({ at: last.sort_at, id: last.id, limit: AGAIN })
          for (const { id } of rows) enqueue.run(id)
          return rows
        })
        count += rows.length
        last = rows.at(-1) ?? last
        more = rows.length === AGAIN
      }
      return count
    },

    async *signatures({ since, newest = Number.MAX_SAFE_INTEGER }) {
      const first = await firstPlaced(since, newest)
      if (first === undefined) return
      const rows = inChunks(
        session,
        (after, limit) => signaturesAfter.all(Math.max(after, first - 1), limit),
        (row) => row.place,
      )
      for await (const row of rows) yield signatureOfRow(row)
    },

    forgetSignatures(before, limit) {
      return session.write(() => forget.run(before, bounded(limit)).changes)
    },

    groupsById(ids) {
      return session.read(() => ids.map((id) => byId.get(id)).map((row) => row && groupOfRow(row)))
    },

    groupsOfEntries(ids, level) {
      return session.read(() => {
        const rows = rowsById(ofEntries, (row) => row.entry_id, ids, { level: levelColumn(level) })
        return ids.map((id) => rows.get(id)).map((row) => row && groupOfRow(row))
      })
    },

    membersById(ids, level) {
      return session.read(() => ids.map((id) => member.get(id, levelColumn(level))).map((row) => row && memberOf(row)))
    },

    groups(query) {
      return session.read(() => {
        const { sql, values } = groupsSql(query)
        return session.prepared<GroupRow>(sql).all(values).map(groupOfRow)
      })
    },

    members(id, limit) {
      return session.read(() => members.all(id, bounded(limit)).map(memberOf))
    },

    moves(id) {
      return session.read(() => moves.all(id).map(moveOf))
    },
  }
}

const LOOKED_FOR = 2000 // places that are found at once
/** Sent to the end of the line at a time. */
const AGAIN = 1000

/** One text for each combination of filters, so that few statements are prepared. */
function groupsSql({ level, since, leastSize, order, after, limit }: GroupQuery) {
  const conditions = ['level = ?']
  const values: unknown[] = [levelColumn(level)]
  const where = (condition: string, ...value: unknown[]) => {
    conditions.push(condition)
    values.push(...value)
  }
  if (since !== undefined) where('last_at >= ?', since)
  if (leastSize !== undefined) where('size >= ?', leastSize)
  if (after && order === 'recent') where('(last_at, id) < (?, ?)', after.lastAt, after.id)
  if (after && order === 'large') where('(size, last_at, id) < (?, ?, ?)', after.size, after.lastAt, after.id)
  const sql = `SELECT * FROM groups WHERE ${conditions.join(' AND ')}
    ORDER BY ${order === 'large' ? 'size DESC, ' : ''}last_at DESC, id DESC LIMIT ?`
  return { sql, values: [...values, bounded(limit)] }
}
