/**
 * Store migration for PostgreSQL: exports the database as plain rows, and loads such rows into an empty one. Ids are kept: entries and
 * polls go into the monthly partition that their id encodes, which is the first one for a store without months. Texts and article pages
 * have no such id in other stores, and go into the month in which they were fetched.
 */
import { type Bucket, bucketOf, type FeedId } from '../../model/index.ts'
import {
  type ColumnValue,
  EXPORT_COLUMNS,
  type ExportedRow,
  type LastIds,
  type RowKind,
  StoreError,
  type StoreMigration,
} from '../../ports/index.ts'
import type { TypedColumn } from '../sql/dialect.ts'
import {
  keyColumnsOf,
  keysAtPosition,
  MIGRATION_TABLE,
  otherMigrationError,
  positionOf,
  SHARED_STORE_DERIVED_COLUMNS,
  targetNotEmptyError,
  unfinishedMigrationError,
  withDerivedColumns,
} from '../sql/exported-rows.ts'
import { manyRows } from './columns.ts'
import { DERIVE_ROWS } from './derived-rows.ts'
import type { PostgresSession, RowReader, Transaction } from './session.ts'

/** Queries for kinds of rows that are not a table. */
const SOURCE_QUERIES: { readonly [Kind in RowKind]?: string } = {
  forgotten: `(SELECT feed_id, key_hash FROM entry_keys k WHERE NOT EXISTS (SELECT 1 FROM entries e WHERE e.id = k.entry_id))`,
  article_texts: `(SELECT t.* FROM article_texts t JOIN articles a ON a.id = t.article_id AND a.text_place = t.place)`,
  pages: `(SELECT p.* FROM pages p JOIN articles a ON a.id = p.article_id AND a.page_place = p.place)`,
}

const MUST_BE_EMPTY: readonly RowKind[] = ['feeds', 'sources', 'entries', 'polls', 'credentials', 'folders']

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

export function createPostgresMigration(session: PostgresSession, close: () => Promise<void>): StoreMigration {
  return {
    name: session.name,

    async size(kind) {
      const [row] = await session.rows<{ count: number }>(
        `SELECT count(*) AS count FROM ${SOURCE_QUERIES[kind] ?? kind} AS c`,
      )
      return row!.count
    },

    async readRows(kind, after, limit) {
      const keys = keyColumnsOf(kind)
      const columns = EXPORT_COLUMNS[kind].map((name) =>
        name === 'key_hash' ? 'c.key_hash::text AS key_hash' : `c.${name}`,
      )
      const keyList = keys.map((key) => `c.${key}`).join(', ')
      const condition =
        after === undefined ? '' : `WHERE (${keyList}) > (${keys.map((_, i) => `$${i + 2}`).join(', ')})`
      const rows = await session.rows<Record<string, ColumnValue>>(
        `SELECT ${columns.join(', ')} FROM ${SOURCE_QUERIES[kind] ?? kind} AS c ${condition} ORDER BY ${keyList} LIMIT $1`,
        [limit, ...(after === undefined ? [] : keysAtPosition(after))],
      )
      const chunk = rows.map((row): ExportedRow => EXPORT_COLUMNS[kind].map((name) => row[name] ?? null))
      const last = chunk.length === limit ? chunk.at(-1) : undefined
      return { rows: chunk, ...(last && { after: positionOf(kind, last) }) }
    },

    async lastIds() {
      const parts = Object.values(SEQUENCES).map(
        (name) => `(SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM ${name})`,
      )
      const [row] = await session.rows<{ ids: number[]; newest: number }>(
        `SELECT ARRAY[${parts.join(', ')}]::bigint[] AS ids, (SELECT coalesce(max(id), 0) FROM entries) AS newest`,
      )
      const lastIdsByName = Object.fromEntries(Object.keys(SEQUENCES).map((name, i) => [name, row!.ids[i]!])) as LastIds
      const [settled] = await session.rows<{ id: number }>('SELECT settled_entry_id() AS id')
      return { ...lastIdsByName, entries: Math.max(settled!.id, row!.newest) }
    },

    async begin(from) {
      return session.write(async (tx) => {
        const source = await sourceOfMigration(tx)
        if (source !== undefined && source !== from) throw otherMigrationError(session.name, source)
        if (source === undefined) {
          const parts = [...MUST_BE_EMPTY, "users WHERE name <> ''"].map((some) => `EXISTS (SELECT 1 FROM ${some})`)
          const [result] = await tx.rows<{ any: boolean }>(`SELECT ${parts.join(' OR ')} AS any`)
          if (result!.any) throw targetNotEmptyError(session.name)
          await tx.run("DELETE FROM users WHERE name = ''") // the user without a name, who exists until the first account is created
          await tx.run(`CREATE TABLE ${MIGRATION_TABLE} (kind text PRIMARY KEY, after text, source text NOT NULL)`)
          await tx.run(`INSERT INTO ${MIGRATION_TABLE} VALUES ('', NULL, $1)`, [from])
        }
        const rows = await tx.rows<{ kind: RowKind; after: string | null }>(
          `SELECT kind, after FROM ${MIGRATION_TABLE} WHERE kind <> ''`,
        )
        return new Map(rows.map(({ kind, after }) => [kind, after]))
      })
    },

    writeRows(kind, rows, after) {
      return session.write(async (tx) => {
        await makeMonths(tx, kind, rows)
        const { names, rows: completeRows } = withDerivedColumns(kind, rows, SHARED_STORE_DERIVED_COLUMNS[kind])
        await loadRows(tx, kind, names, completeRows)
        await tx.run(
          `INSERT INTO ${MIGRATION_TABLE} SELECT $1, $2, source FROM ${MIGRATION_TABLE} WHERE kind = ''
           ON CONFLICT (kind) DO UPDATE SET after = excluded.after`,
          [kind, after],
        )
      })
    },

    async finish(lastIds) {
      await session.write(async (tx) => {
        for (const sql of DERIVE_ROWS) await tx.run(sql)
        for (const [name, sequence] of Object.entries(SEQUENCES) as [keyof LastIds, string][]) {
          const last = name === 'entries' ? lastIds.entries % MONTH : lastIds[name]
          if (last > 0) await tx.rows(`SELECT setval($1::regclass, $2)`, [sequence, last])
        }
        for (const [sequence, table] of PLACE_SEQUENCES)
          await tx.rows(
            `SELECT setval($1::regclass, max(place % ${MONTH})) FROM ${table} HAVING max(place % ${MONTH}) > 0`,
            [sequence],
          )
        await tx.run(`DROP TABLE ${MIGRATION_TABLE}`)
      })
      await session.rows('ANALYZE') // otherwise the planner has no statistics until autovacuum runs
    },

    close,
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

async function sourceOfMigration(query: RowReader): Promise<string | undefined> {
  const [result] = await query.rows<{ there: boolean }>(`SELECT to_regclass('${MIGRATION_TABLE}') IS NOT NULL AS there`)
  if (!result!.there) return undefined
  const [row] = await query.rows<{ source: string }>(`SELECT source FROM ${MIGRATION_TABLE} LIMIT 1`)
  return row?.source ?? ''
}

/** Throws if a migration into this store was started and not finished. */
export async function refuseIncompletePostgresMigration(session: PostgresSession): Promise<void> {
  const source = await sourceOfMigration(session)
  if (source !== undefined) throw unfinishedMigrationError(session.name, source)
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
async function makeMonths(tx: Transaction, kind: RowKind, rows: readonly ExportedRow[]): Promise<void> {
  const months =
    kind === 'entries' || kind === 'polls'
      ? await monthsOf(tx, 'm / (1::bigint << 40)', rows, 0)
      : kind === 'article_texts' || kind === 'pages'
        ? await monthsOf(tx, 'month_of(m)', rows, 1)
        : []
  for (const month of months) await tx.rows('SELECT make_month($1::integer)', [month])
}

async function monthsOf(
  tx: Transaction,
  month: string,
  rows: readonly ExportedRow[],
  column: number,
): Promise<number[]> {
  const result = await tx.rows<{ month: number }>(
    `SELECT DISTINCT (${month})::integer AS month FROM unnest($1::bigint[]) AS t (m) ORDER BY 1`,
    [rows.map((row) => row[column])],
  )
  return result.map((row) => row.month)
}

async function loadRows(tx: Transaction, kind: RowKind, names: string[], rows: unknown[][]): Promise<void> {
  if (rows.length === 0) return
  switch (kind) {
    case 'forgotten':
      return insert(
        tx,
        'entry_keys',
        [...names, 'entry_id'],
        rows.map((row) => [...row, 0]),
      )
    case 'schedules':
      return insert(tx, kind, [...names, 'bucket'], await withBuckets(tx, rows))
    case 'entries': {
      const [feed, key, id] = ['feed_id', 'key_hash', 'id'].map((name) => names.indexOf(name))
      await insert(
        tx,
        'entry_keys',
        ['feed_id', 'key_hash', 'entry_id'],
        rows.map((row) => [row[feed!], row[key!], row[id!]]),
      )
      return insert(tx, kind, names, rows)
    }
    case 'article_texts':
      return insertNumbered(tx, kind, names, rows, { sequence: 'text_places', at: 'fetched_at', place: 'text_place' })
    case 'pages':
      return insertNumbered(tx, kind, names, rows, { sequence: 'page_places', at: 'at', place: 'page_place' })
    default:
      return insert(tx, kind, names, rows)
  }
}

async function withBuckets(tx: Transaction, rows: unknown[][]): Promise<unknown[][]> {
  const feeds = await tx.rows<{ id: FeedId; bucket: Bucket | null; root: string }>(
    'SELECT id, bucket, root FROM feeds WHERE id = ANY ($1::bigint[])',
    [rows.map(([id]) => id)],
  )
  const byId = new Map(feeds.map(({ id, bucket, root }) => [id, bucket ?? bucketOf(root)]))
  return rows.map((row) => [...row, byId.get(row[0] as FeedId) ?? 0])
}

async function insert(tx: Transaction, table: string, names: string[], rows: unknown[][]): Promise<void> {
  const { sql, values } = manyRows('n', await withTypes(tx, table, names), rows)
  await tx.run(
    `INSERT INTO ${table} (${names.join(', ')}) SELECT ${names.map((name) => `n.${name}`).join(', ')} FROM ${sql}`,
    values,
  )
}

/** Assigns each row a place in the month of its date, and stores the place in its article. */
async function insertNumbered(
  tx: Transaction,
  table: string,
  names: string[],
  rows: unknown[][],
  { sequence, at, place }: { sequence: string; at: string; place: string },
): Promise<void> {
  const { sql, values } = manyRows('n', await withTypes(tx, table, names), rows)
  await tx.run(
    `WITH added AS (
       INSERT INTO ${table} (place, ${names.join(', ')})
       SELECT (month_of(n.${at})::bigint << 40) | nextval('${sequence}'), ${names.map((name) => `n.${name}`).join(', ')} FROM ${sql}
       RETURNING place, article_id
     )
     UPDATE articles SET ${place} = added.place FROM added WHERE articles.id = added.article_id`,
    values,
  )
}

/** Adds the column types of the table. */
async function withTypes(query: RowReader, table: string, names: string[]): Promise<TypedColumn[]> {
  const rows = await query.rows<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0`,
    [table],
  )
  const types = new Map(rows.map(({ name, type }) => [name, type]))
  return names.map((name): TypedColumn => `${name} ${types.get(name)!}`)
}
