/** Reads the groups of copies and stories. */
import type { EntryId } from '../../model/index.ts'
import type { GroupQuery } from '../../ports/index.ts'
import type { GroupQueryMethods } from '../methods.ts'
import { type GroupRow, groupOfRow, levelColumn, type MemberRow, type MoveRow, memberOf, moveOf } from './group-rows.ts'
import type { SqlSession } from './session.ts'
import { atMost, inOrder } from './values.ts'

const MEMBER = `SELECT m.entry_id, m.at, m.simhash_high AS high, m.simhash_low AS low, m.compared_by, m.like_id,
  m.likeness, m.reason, p.simhash_high AS primary_high, p.simhash_low AS primary_low`
const WITH_PRIMARY =
  'JOIN groups g ON g.id = m.group_id JOIN members p ON p.entry_id = g.primary_id AND p.level = g.level'
export function groupQueryMethods({ dialect, ...session }: SqlSession): GroupQueryMethods {
  return {
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

/** One SQL text per combination of filters, so that few statements are prepared. */
function groupsSql({ level, since, minSize, order, after, limit }: GroupQuery) {
  const values: unknown[] = [levelColumn(level), atMost(limit)]
  const conditions = ['level = $1']
  const value = (parameter: unknown) => `$${values.push(parameter)}`
  if (since !== undefined) conditions.push(`last_at >= ${value(since)}`)
  if (minSize !== undefined) conditions.push(`size >= ${value(minSize)}`)
  if (after && order === 'recent') conditions.push(`(last_at, id) < (${value(after.lastAt)}, ${value(after.id)})`)
  if (after && order === 'large') {
    conditions.push(`(size, last_at, id) < (${value(after.size)}, ${value(after.lastAt)}, ${value(after.id)})`)
  }
  const sql = `SELECT * FROM groups WHERE ${conditions.join(' AND ')}
    ORDER BY ${order === 'large' ? 'size DESC, ' : ''}last_at DESC, id DESC LIMIT $2`
  return { sql, values }
}
