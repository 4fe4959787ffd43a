/**
 * Rows of many ids by one statement. To begin a statement costs more than to find a row by its id, by far where several tables are joined; so the
 * ids go in as one list, and what is made of it is looked through once.
 */
import type Database from 'better-sqlite3'

/** The ids of the list are `w.value`. Joined by CROSS JOIN, or the planner might look through the table for them. */
export const WANTED = 'json_each($ids) w'

/** Ids in one list: of rows that are joined, some milliseconds. */
const AT_ONCE = 1000

/** By what `idOf` says; those that are not there are not in the answer. The statement has `$ids` among its parameters. */
export function rowsById<Id extends number, Row>(
  statement: Database.Statement<unknown[], Row>,
  idOf: (row: Row) => Id,
  ids: readonly Id[],
  values: Record<string, unknown> = {},
): Map<Id, Row> {
  const rows = new Map<Id, Row>()
  for (let i = 0; i < ids.length; i += AT_ONCE) {
    const some = JSON.stringify(ids.slice(i, i + AT_ONCE))
    for (const row of statement.all({ ...values, ids: some })) rows.set(idOf(row), row)
  }
  return rows
}
