/** SQL dialect of PostgreSQL. */
import { columnNames, type Dialect, insertRowsSql, type TypedColumn } from '../sql/dialect.ts'
import { keyHash } from '../sql/rows.ts'
import { ownedSql } from './rows.ts'

/** "Frsh": the class of all our advisory locks (migrate.ts, migrations/000001.sql). */
const OUR_LOCKS = 0x46727368
const GROUPING = 2

export const POSTGRES: Dialect = {
  isOneOf: (column, parameter, type) => `${column} = ANY (${parameter}::${type}[])`,
  list: (parameter) => `unnest(${parameter}::bigint[]) WITH ORDINALITY AS w (value, key)`,
  contains: (column, parameter) => `strpos(${column}, ${parameter}) > 0`,
  startsWith: (column, parameter) => `starts_with(${column}, ${parameter})`,
  jsonField: (column, name) => `${column}::json ->> '${name}'`,
  rowsAsJson: (columns, select) =>
    `CAST((SELECT json_agg(json_build_array(${columns})) FROM (${select}) AS listed) AS text)`,
  indexedBy: () => '',
  newReadStateChange: "SELECT nextval('read_state_changes') AS id",
  forUpdate: 'FOR UPDATE',
  lockFor: (how) => `FOR ${how}`,
  lockGroups: `SELECT pg_advisory_xact_lock(${OUR_LOCKS}, ${GROUPING})`,
  lastGroupId: {
    ask: 'SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS id FROM group_ids',
    set: "SELECT setval('group_ids', $1)",
  },
  contents: {
    key: 'place',
    text: 'text_place',
    page: 'page_place',
    positionColumns: ['text_place bigint', 'page_place bigint'],
    insert(table, columns) {
      const names = columnNames(columns)
      const sequence = table === 'pages' ? 'page_places' : 'text_places'
      return `INSERT INTO ${table} (place, ${names.join(', ')})
        SELECT (g.month << 40) | nextval('${sequence}'), ${names.map((name) => `g.${name}`).join(', ')} FROM given g ORDER BY g.n
        RETURNING article_id, place`
    },
  },
  onConflictLock: (key) => `ON CONFLICT (${key}) DO UPDATE SET ${key} = excluded.${key}`,
  articleQueues: {
    expireLeases: '',
    isFree: '(leased_until IS NULL OR leased_until <= $1)',
    leaseDetails: ['leased_at bigint', 'leased_id bigint'],
  },
  digest: (text) => `md5(${text})`,
  newPollPositions: `SELECT ($1::bigint << 40) | nextval('poll_places') AS place FROM generate_series(1, $2::integer) ORDER BY 1`,
  arrivalMonth: 'SELECT arrival_month($1::bigint) AS month',
  settledEntryId: 'SELECT settled_entry_id() AS id',
  greatest: 'greatest',
  least: 'least',
  moveToEnd(table, key, columns) {
    const others = columnNames(columns).filter((name) => name !== key)
    const changes = ['place = DEFAULT', ...others.map((name) => `${name} = excluded.${name}`)]
    return `${insertRowsSql(table, 'n', columns)} ON CONFLICT (${key}) DO UPDATE SET ${changes.join(', ')}`
  },
  bytewise: 'COLLATE "C"',
  bucketColumn: ['bucket smallint'],
  textKey(column) {
    const hashed = `${column}_hash`
    const typed: TypedColumn = `${hashed} bigint`
    return { column: hashed, typed, extraColumns: [typed], keyOf: keyHash }
  },
  ownedBuckets(owned, first, column = 'bucket') {
    const { sql, values } = ownedSql(owned, first)
    return { sql: sql(column), values }
  },
}
