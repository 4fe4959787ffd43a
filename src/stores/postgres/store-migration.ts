/**
 * What store migration does differently in PostgreSQL, see ../sql/store-migration.ts. Ids are kept: entries and
 * polls go into the monthly partition that their id encodes, which is the first one for a store without months. Texts and article pages
 * have no such id in other stores, and go into the month in which they were fetched.
 */
import { type Bucket, bucketOf, type FeedId } from '../../model/index.ts'
import { type LastIds, type RowKind, StoreError } from '../../ports/index.ts'
import { insertRowsSql, type TypedColumn } from '../sql/dialect.ts'
import { SHARED_STORE_DERIVED_COLUMNS, unfinishedMigrationError } from '../sql/exported-rows.ts'
import type { SqlReader, SqlSession, SqlTransaction, SqlWork } from '../sql/session.ts'
import { type MigrationParts, sourceOfMigration } from '../sql/store-migration.ts'
import type { PostgresSession } from './session.ts'

/** Queries for kinds of rows that are not a table. */
const SOURCE_QUERIES: { readonly [Kind in RowKind]?: string } = {
  forgotten: `(SELECT feed_id, key_hash FROM entry_keys k WHERE NOT EXISTS (SELECT 1 FROM entries e WHERE e.id = k.entry_id))`,
  article_texts: `(SELECT t.* FROM article_texts t JOIN articles a ON a.id = t.article_id AND a.text_place = t.place)`,
  pages: `(SELECT p.* FROM pages p JOIN articles a ON a.id = p.article_id AND a.page_place = p.place)`,
}

const TABLE_EXISTS = (name: string) => `to_regclass(${name}) IS NOT NULL`

/** Sequences of ids that are never reused. */
const SEQUENCES: Record<keyof LastIds, string> = {
  feeds: 'feeds_id_seq',
  sources: 'sources_id_seq',
  entries: 'entry_ids',
  articles: 'articles_id_seq',
  groups: 'group_ids',
  users: 'users_id_seq',
  credentials: 'credentials_id_seq',
  saved_searches: 'saved_searches_id_seq',
  outgoing_feeds: 'outgoing_feeds_id_seq',
  webhooks: 'webhooks_id_seq',
  read_state_changes: 'read_state_changes',
}

/** Ids of entries and polls are month * MONTH + sequence number. */
const MONTH = 2 ** 40

export function postgresMigrationParts(session: PostgresSession, close: () => Promise<void>): MigrationParts {
  return {
    name: session.name,
    close,
    tableExists: TABLE_EXISTS,
    sources: SOURCE_QUERIES,
    derivedColumns: SHARED_STORE_DERIVED_COLUMNS,
    firstByte: (column) => `get_byte(${column}, 0)`,
    counterColumns: { names: 'slot,', values: '0,' },

    *load(tx, kind, names, rows) {
      yield* makeMonths(tx, kind, rows)
      yield* loadRows(tx, kind, names, rows)
    },

    *lastIds(query) {
      const parts = Object.values(SEQUENCES).map(
        (name) => `(SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM ${name})`,
      )
      const row = yield* query.row<{ ids: number[]; newest: number; settled: number }>(
        `SELECT ARRAY[${parts.join(', ')}]::bigint[] AS ids, (SELECT coalesce(max(id), 0) FROM entries) AS newest,
         settled_entry_id() AS settled`,
      )
      const lastIds = Object.fromEntries(Object.keys(SEQUENCES).map((name, i) => [name, row!.ids[i]!])) as LastIds
      return { ...lastIds, entries: Math.max(row!.settled, row!.newest) }
    },

    *setLastIds(tx, ids) {
      for (const [name, sequence] of Object.entries(SEQUENCES) as [keyof LastIds, string][]) {
        const last = name === 'entries' ? ids.entries % MONTH : ids[name]
        if (last > 0) yield* tx.rows('SELECT setval($1::regclass, $2)', [sequence, last])
      }
      for (const [sequence, table] of PLACE_SEQUENCES)
        yield* tx.rows(
          `SELECT setval($1::regclass, max(place % ${MONTH})) FROM ${table} HAVING max(place % ${MONTH}) > 0`,
          [sequence],
        )
    },

    async loaded() {
      await session.rows('ANALYZE') // otherwise the planner has no statistics until autovacuum runs
    },
  }
}

/** Sequences whose last value is not exported, with their tables. */
const PLACE_SEQUENCES = [
  ['entry_version_places', 'entry_versions'],
  ['poll_places', 'polls'],
  ['ungrouped_places', 'ungrouped'],
  ['signature_places', 'signatures'],
  ['group_move_places', 'group_moves'],
] as const

/** Throws if a migration into this store was started and not finished. */
export async function refuseIncompletePostgresMigration(session: SqlSession, name: string): Promise<void> {
  const source = await session.read((query) => sourceOfMigration(query, { tableExists: TABLE_EXISTS }))
  if (source !== undefined) throw unfinishedMigrationError(name, source)
}

/** Throws if a process crawls with this store. */
export async function refuseInUse(session: PostgresSession): Promise<void> {
  const [owner] = await session.rows<{ name: string }>(
    'SELECT name FROM owners WHERE until > extract(epoch FROM now()) * 1000 ORDER BY name LIMIT 1',
  )
  if (!owner) return
  throw new StoreError(
    'in-use',
    `could not migrate ${session.name}: ${owner.name} is crawling with it`,
    'Stop every process that crawls with it, then try again a minute later.',
  )
}

/** Creates the partitions that rows need. Ids of entries and polls encode the month; texts and article pages go by date. */
function* makeMonths(tx: SqlTransaction, kind: RowKind, rows: readonly unknown[][]): SqlWork<void> {
  const months =
    kind === 'entries' || kind === 'polls'
      ? yield* monthsOf(tx, 'm / (1::bigint << 40)', rows, 0)
      : kind === 'article_texts' || kind === 'pages'
        ? yield* monthsOf(tx, 'month_of(m)', rows, 1)
        : []
  for (const month of months) yield* tx.rows('SELECT make_month($1::integer)', [month])
}

function* monthsOf(tx: SqlTransaction, month: string, rows: readonly unknown[][], column: number): SqlWork<number[]> {
  const result = yield* tx.rows<{ month: number }>(
    `SELECT DISTINCT (${month})::integer AS month FROM unnest($1::bigint[]) AS t (m) ORDER BY 1`,
    [rows.map((row) => row[column])],
  )
  return result.map((row) => row.month)
}

function* loadRows(tx: SqlTransaction, kind: RowKind, names: string[], rows: unknown[][]): SqlWork<void> {
  switch (kind) {
    case 'forgotten':
      return yield* insert(
        tx,
        'entry_keys',
        [...names, 'entry_id'],
        rows.map((row) => [...row, 0]),
      )
    case 'schedules':
      return yield* insert(tx, kind, [...names, 'bucket'], yield* withBuckets(tx, rows))
    case 'entries': {
      const [feed, key, id] = ['feed_id', 'key_hash', 'id'].map((name) => names.indexOf(name))
      yield* insert(
        tx,
        'entry_keys',
        ['feed_id', 'key_hash', 'entry_id'],
        rows.map((row) => [row[feed!], row[key!], row[id!]]),
      )
      return yield* insert(tx, kind, names, rows)
    }
    case 'article_texts':
      return yield* insertNumbered(tx, kind, names, rows, {
        sequence: 'text_places',
        at: 'fetched_at',
        place: 'text_place',
      })
    case 'pages':
      return yield* insertNumbered(tx, kind, names, rows, { sequence: 'page_places', at: 'at', place: 'page_place' })
    default:
      return yield* insert(tx, kind, names, rows)
  }
}

function* withBuckets(tx: SqlTransaction, rows: unknown[][]): SqlWork<unknown[][]> {
  const feeds = yield* tx.rows<{ id: FeedId; bucket: Bucket | null; root: string }>(
    'SELECT id, bucket, root FROM feeds WHERE id = ANY ($1::bigint[])',
    [rows.map(([id]) => id)],
  )
  const byId = new Map(feeds.map(({ id, bucket, root }) => [id, bucket ?? bucketOf(root)]))
  return rows.map((row) => [...row, byId.get(row[0] as FeedId) ?? 0])
}

function* insert(tx: SqlTransaction, table: string, names: string[], rows: unknown[][]): SqlWork<void> {
  const columns = yield* withTypes(tx, table, names)
  yield* tx.runEach(insertRowsSql(table, 'n', columns), columns, rows)
}

/** Assigns each row a place in the month of its date, and stores the place in its article. */
function* insertNumbered(
  tx: SqlTransaction,
  table: string,
  names: string[],
  rows: unknown[][],
  { sequence, at, place }: { sequence: string; at: string; place: string },
): SqlWork<void> {
  yield* tx.runEach(
    `WITH added AS (
       INSERT INTO ${table} (place, ${names.join(', ')})
       SELECT (month_of(g.${at})::bigint << 40) | nextval('${sequence}'), ${names.map((name) => `g.${name}`).join(', ')} FROM given g
       RETURNING place, article_id
     )
     UPDATE articles SET ${place} = added.place FROM added WHERE articles.id = added.article_id`,
    yield* withTypes(tx, table, names),
    rows,
  )
}

/** Adds the column types of the table. */
function* withTypes(query: SqlReader, table: string, names: string[]): SqlWork<TypedColumn[]> {
  const rows = yield* query.rows<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0`,
    [table],
  )
  const types = new Map(rows.map(({ name, type }) => [name, type]))
  return names.map((name): TypedColumn => `${name} ${types.get(name)!}`)
}
