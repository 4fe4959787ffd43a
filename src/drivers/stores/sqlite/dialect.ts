/** How SQLite spells what PostgreSQL spells otherwise; arrays arrive as JSON. */
import type { Dialect } from '../sql/dialect.ts'

export const SQLITE: Dialect = {
  isOneOf: (column, parameter) => `${column} IN (SELECT value FROM json_each(${parameter}))`,
  list: (parameter) => `json_each(${parameter}) w`,
  startsWith: (column, parameter) => `${column} >= ${parameter} AND ${column} < ${parameter} || char(1114111)`,
  jsonField: (column, name) => `json_extract(${column}, '$.${name}')`,
  rowsAsJson: (columns, select) => `(SELECT json_group_array(json_array(${columns})) FROM (${select}))`,
  indexedBy: (index) => `INDEXED BY ${index}`,
  newMarkChange: 'UPDATE mark_changes SET last = last + 1 RETURNING last AS id',
  forUpdate: '',
  bytewise: '',
  bucketColumn: [],
  textKey: (column) => ({ column, typed: `${column} text`, written: [], of: (text) => text }),
  owned: () => ({ sql: 'true', values: [] }),
}
