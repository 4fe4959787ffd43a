/** How SQLite spells what PostgreSQL spells otherwise; arrays arrive as JSON. */
import { type Dialect, insertGiven } from '../sql/dialect.ts'

export const SQLITE: Dialect = {
  isOneOf: (column, parameter) => `${column} IN (SELECT value FROM json_each(${parameter}))`,
  list: (parameter) => `json_each(${parameter}) w`,
  startsWith: (column, parameter) => `${column} >= ${parameter} AND ${column} < ${parameter} || char(1114111)`,
  jsonField: (column, name) => `json_extract(${column}, '$.${name}')`,
  rowsAsJson: (columns, select) => `(SELECT json_group_array(json_array(${columns})) FROM (${select}))`,
  indexedBy: (index) => `INDEXED BY ${index}`,
  newMarkChange: 'UPDATE mark_changes SET last = last + 1 RETURNING last AS id',
  forUpdate: '',
  locked: () => '',
  groupsAlone: '',
  lastGroupId: { ask: "SELECT seq AS id FROM sqlite_sequence WHERE name = 'groups'", set: '' },
  contents: {
    key: 'article_id',
    text: 'id',
    page: 'id',
    placed: [],
    insert: (table, columns) => `${insertGiven(table, 'n', columns)} RETURNING article_id, article_id AS place`,
  },
  orLocked: (key) => `ON CONFLICT (${key}) DO NOTHING`,
  articleLines: {
    endLeases: 'UPDATE article_lines SET leased_until = NULL, lease = NULL WHERE leased_until <= $1',
    isFree: 'leased_until IS NULL',
    noted: [],
  },
  digest: (text) => text,
  newPollPlaces: `WITH RECURSIVE new (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM new WHERE n < $2)
    SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'polls'), 0) + n AS place FROM new`,
  arrivalMonth: '',
  greatest: 'max',
  least: 'min',
  toEnd: (table, _key, columns) => insertGiven(table, 'n', columns).replace('INSERT', 'INSERT OR REPLACE'),
  bytewise: '',
  bucketColumn: [],
  textKey: (column) => ({ column, typed: `${column} text`, written: [], of: (text) => text }),
  owned: () => ({ sql: 'true', values: [] }),
}
