/** How PostgreSQL spells what SQLite spells otherwise. */
import type { Dialect, TypedColumn } from '../sql/dialect.ts'
import { keyHash } from '../sql/rows.ts'
import { ownedSql } from './rows.ts'

export const POSTGRES: Dialect = {
  isOneOf: (column, parameter, type) => `${column} = ANY (${parameter}::${type}[])`,
  list: (parameter) => `unnest(${parameter}::bigint[]) WITH ORDINALITY AS w (value, key)`,
  startsWith: (column, parameter) => `starts_with(${column}, ${parameter})`,
  jsonField: (column, name) => `${column}::json ->> '${name}'`,
  rowsAsJson: (columns, select) =>
    `CAST((SELECT json_agg(json_build_array(${columns})) FROM (${select}) AS listed) AS text)`,
  indexedBy: () => '',
  newMarkChange: "SELECT nextval('mark_changes') AS id",
  forUpdate: 'FOR UPDATE',
  bytewise: 'COLLATE "C"',
  bucketColumn: ['bucket smallint'],
  textKey(column) {
    const hashed = `${column}_hash`
    const typed: TypedColumn = `${hashed} bigint`
    return { column: hashed, typed, written: [typed], of: keyHash }
  },
  owned(owned, first) {
    const { sql, values } = ownedSql(owned, first)
    return { sql: sql('bucket'), values }
  },
}
