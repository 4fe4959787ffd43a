/** How SQLite spells what PostgreSQL spells otherwise; arrays arrive as JSON. */
import type { Dialect } from '../sql/dialect.ts'

export const SQLITE: Dialect = {
  isOneOf: (column, parameter) => `${column} IN (SELECT value FROM json_each(${parameter}))`,
  forUpdate: '',
  bytewise: '',
  bucketColumn: [],
  textKey: (column) => ({ column, typed: `${column} text`, written: [], of: (text) => text }),
  owned: () => ({ sql: 'true', values: [] }),
}
