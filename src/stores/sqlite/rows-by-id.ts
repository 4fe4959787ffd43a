/**
 * Reads rows of many ids by one statement. Starting a statement costs more than finding a row by id, by far for a join of several tables;
 * so the ids are bound as one list.
 */
import type Database from 'better-sqlite3'

/** The ids are `w.value`. Use CROSS JOIN: otherwise the planner might scan the table. */
export const ID_LIST = 'json_each($ids) w'

/** Ids per statement: with joins, some milliseconds. */
const MAX_IDS = 1000

/** Rows by `idOf`; missing ids are absent. The statement has a parameter `$ids`. */
export function rowsById<Id extends number, Row>(
  statement: Database.Statement<unknown[], Row>,
  idOf: (row: Row) => Id,
  ids: readonly Id[],
  values: Record<string, unknown> = {},
): Map<Id, Row> {
  const rows = new Map<Id, Row>()
  for (let i = 0; i < ids.length; i += MAX_IDS) {
    const list = JSON.stringify(ids.slice(i, i + MAX_IDS))
    for (const row of statement.all({ ...values, ids: list })) rows.set(idOf(row), row)
  }
  return rows
}
