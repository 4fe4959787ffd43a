/** SQL dialect of SQLite. Arrays are bound as JSON. */
import { type Dialect, insertRowsSql } from '../sql/dialect.ts'

export const SQLITE: Dialect = {
  isOneOf: (column, parameter) => `${column} IN (SELECT value FROM json_each(${parameter}))`,
  list: (parameter) => `json_each(${parameter}) w`,
  contains: (column, parameter) => `instr(${column}, ${parameter}) > 0`,
  startsWith: (column, parameter) => `${column} >= ${parameter} AND ${column} < ${parameter} || char(1114111)`,
  jsonField: (column, name) => `json_extract(${column}, '$.${name}')`,
  rowsAsJson: (columns, select) => `(SELECT json_group_array(json_array(${columns})) FROM (${select}))`,
  indexedBy: (index) => `INDEXED BY ${index}`,
  newReadStateChange: 'UPDATE read_state_changes SET last = last + 1 RETURNING last AS id',
  forUpdate: '',
  lockFor: () => '',
  lockGroups: '',
  lastGroupId: { ask: "SELECT seq AS id FROM sqlite_sequence WHERE name = 'groups'", set: '' },
  contents: {
    key: 'article_id',
    text: 'id',
    page: 'id',
    positionColumns: [],
    insert: (table, columns) => `${insertRowsSql(table, 'n', columns)} RETURNING article_id, article_id AS place`,
  },
  onConflictLock: (key) => `ON CONFLICT (${key}) DO NOTHING`,
  articleQueues: {
    expireLeases: 'UPDATE article_queues SET leased_until = NULL, lease = NULL WHERE leased_until <= $1',
    isFree: 'leased_until IS NULL',
    leaseDetails: [],
  },
  digest: (text) => text,
  newPollPositions: `WITH RECURSIVE new (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM new WHERE n < $2)
    SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'polls'), 0) + n AS place FROM new`,
  arrivalMonth: '',
  settledEntryId: 'SELECT coalesce(max(id), 0) AS id FROM entries',
  greatest: 'max',
  least: 'min',
  moveToEnd: (table, _key, columns) => insertRowsSql(table, 'n', columns).replace('INSERT', 'INSERT OR REPLACE'),
  bytewise: '',
  bucketColumn: [],
  textKey: (column) => ({ column, typed: `${column} text`, extraColumns: [], keyOf: (text) => text }),
  ownedBuckets: () => ({ sql: 'true', values: [] }),
}
