/**
 * All that is in the database, as plain rows: out of it, and into an empty one. Numbers that are carried over are kept: entries and polls
 * stand in the month that is in their number, which of a store that knows no months is the first of all. Texts and pages have no
 * numbers of their own elsewhere, and come into the months in which they were fetched.
 */
import { type Bucket, bucketOf, type FeedId } from '../../model/index.ts'
import {
  CARGO,
  type CargoKind,
  type CargoRow,
  type CargoValue,
  type Ferry,
  type LastIds,
  StoreError,
} from '../../ports/index.ts'
import {
  completed,
  DERIVED_WHERE_SHARED,
  FERRY_TABLE,
  filledByAnother,
  halfFilled,
  keysAt,
  keysOf,
  notEmpty,
  placeOf,
} from '../sql/cargo.ts'
import type { TypedColumn } from '../sql/dialect.ts'
import { manyRows } from './columns.ts'
import { FOLLOWING } from './ferry-following.ts'
import type { PostgresSession, RowAsker, Transaction } from './session.ts'

/** Where a kind is not a table. */
const FROM: { readonly [Kind in CargoKind]?: string } = {
  forgotten: `(SELECT feed_id, key_hash FROM entry_keys k WHERE NOT EXISTS (SELECT 1 FROM entries e WHERE e.id = k.entry_id))`,
  article_texts: `(SELECT t.* FROM article_texts t JOIN articles a ON a.id = t.article_id AND a.text_place = t.place)`,
  pages: `(SELECT p.* FROM pages p JOIN articles a ON a.id = p.article_id AND a.page_place = p.place)`,
}

const EMPTY: readonly CargoKind[] = ['feeds', 'sources', 'entries', 'polls', 'passes', 'folders']

/** The sequences of what is never given twice. */
const SEQUENCES: Record<keyof LastIds, string> = {
  feeds: 'feeds_id_seq',
  sources: 'sources_id_seq',
  entries: 'entry_ids',
  articles: 'articles_id_seq',
  groups: 'group_ids',
  people: 'people_id_seq',
  passes: 'passes_id_seq',
  saved_searches: 'saved_searches_id_seq',
  feeds_out: 'feeds_out_id_seq',
  webhooks: 'webhooks_id_seq',
  mark_changes: 'mark_changes',
}

/** Below them stands the month, in numbers of entries and polls. */
const MONTH = 2 ** 40

export function postgresFerry(session: PostgresSession, close: () => Promise<void>): Ferry {
  return {
    name: session.name,

    async size(kind) {
      const [row] = await session.rows<{ count: number }>(`SELECT count(*) AS count FROM ${FROM[kind] ?? kind} AS c`)
      return row!.count
    },

    async unload(kind, after, limit) {
      const keys = keysOf(kind)
      const columns = CARGO[kind].map((name) => (name === 'key_hash' ? 'c.key_hash::text AS key_hash' : `c.${name}`))
      const keyList = keys.map((key) => `c.${key}`).join(', ')
      const behind = after === undefined ? '' : `WHERE (${keyList}) > (${keys.map((_, i) => `$${i + 2}`).join(', ')})`
      const rows = await session.rows<Record<string, CargoValue>>(
        `SELECT ${columns.join(', ')} FROM ${FROM[kind] ?? kind} AS c ${behind} ORDER BY ${keyList} LIMIT $1`,
        [limit, ...(after === undefined ? [] : keysAt(after))],
      )
      const bite = rows.map((row): CargoRow => CARGO[kind].map((name) => row[name] ?? null))
      const last = bite.length === limit ? bite.at(-1) : undefined
      return { rows: bite, ...(last && { after: placeOf(kind, last) }) }
    },

    async lastIds() {
      const parts = Object.values(SEQUENCES).map(
        (name) => `(SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM ${name})`,
      )
      const [row] = await session.rows<{ ids: number[]; newest: number }>(
        `SELECT ARRAY[${parts.join(', ')}]::bigint[] AS ids, (SELECT coalesce(max(id), 0) FROM entries) AS newest`,
      )
      const given = Object.fromEntries(Object.keys(SEQUENCES).map((name, i) => [name, row!.ids[i]!])) as LastIds
      const [settled] = await session.rows<{ id: number }>('SELECT settled_entry_id() AS id')
      return { ...given, entries: Math.max(settled!.id, row!.newest) }
    },

    async begin(from) {
      return session.write(async (tx) => {
        const source = await begunFrom(tx)
        if (source !== undefined && source !== from) throw filledByAnother(session.name, source)
        if (source === undefined) {
          const parts = [...EMPTY, "people WHERE name <> ''"].map((some) => `EXISTS (SELECT 1 FROM ${some})`)
          const [found] = await tx.rows<{ any: boolean }>(`SELECT ${parts.join(' OR ')} AS any`)
          if (found!.any) throw notEmpty(session.name)
          await tx.run("DELETE FROM people WHERE name = ''") // who stands in for who runs it; he comes again, if he is there
          await tx.run(`CREATE TABLE ${FERRY_TABLE} (kind text PRIMARY KEY, after text, source text NOT NULL)`)
          await tx.run(`INSERT INTO ${FERRY_TABLE} VALUES ('', NULL, $1)`, [from])
        }
        const rows = await tx.rows<{ kind: CargoKind; after: string | null }>(
          `SELECT kind, after FROM ${FERRY_TABLE} WHERE kind <> ''`,
        )
        return new Map(rows.map(({ kind, after }) => [kind, after]))
      })
    },

    load(kind, rows, after) {
      return session.write(async (tx) => {
        await makeMonths(tx, kind, rows)
        const { names, rows: whole } = completed(kind, rows, DERIVED_WHERE_SHARED[kind])
        await loadRows(tx, kind, names, whole)
        await tx.run(
          `INSERT INTO ${FERRY_TABLE} SELECT $1, $2, source FROM ${FERRY_TABLE} WHERE kind = ''
           ON CONFLICT (kind) DO UPDATE SET after = excluded.after`,
          [kind, after],
        )
      })
    },

    async finish(lastIds) {
      await session.write(async (tx) => {
        for (const sql of FOLLOWING) await tx.run(sql)
        for (const [name, sequence] of Object.entries(SEQUENCES) as [keyof LastIds, string][]) {
          const last = name === 'entries' ? lastIds.entries % MONTH : lastIds[name]
          if (last > 0) await tx.rows(`SELECT setval($1::regclass, $2)`, [sequence, last])
        }
        for (const [sequence, table] of PLACES)
          await tx.rows(
            `SELECT setval($1::regclass, max(place % ${MONTH})) FROM ${table} HAVING max(place % ${MONTH}) > 0`,
            [sequence],
          )
        await tx.run(`DROP TABLE ${FERRY_TABLE}`)
      })
      await session.rows('ANALYZE') // or nothing is known of what has come until somebody happens to look
    },

    close,
  }
}

/** Sequences of places, which are carried over without what was given last. */
const PLACES = [
  ['entry_version_places', 'entry_versions'],
  ['poll_places', 'polls'],
  ['unplaced_places', 'unplaced'],
  ['signature_places', 'signatures'],
  ['group_move_places', 'group_moves'],
] as const

async function begunFrom(query: RowAsker): Promise<string | undefined> {
  const [found] = await query.rows<{ there: boolean }>(`SELECT to_regclass('${FERRY_TABLE}') IS NOT NULL AS there`)
  if (!found!.there) return undefined
  const [row] = await query.rows<{ source: string }>(`SELECT source FROM ${FERRY_TABLE} LIMIT 1`)
  return row?.source ?? ''
}

/** Throws if somebody has begun to fill it, and not yet ended. */
export async function refuseHalfFilledDatabase(session: PostgresSession): Promise<void> {
  const source = await begunFrom(session)
  if (source !== undefined) throw halfFilled(session.name, source)
}

/** Throws if somebody crawls on it. */
export async function refuseInUse(session: PostgresSession): Promise<void> {
  const [owner] = await session.rows<{ name: string }>(
    'SELECT name FROM owners WHERE until > extract(epoch FROM now()) * 1000 ORDER BY name LIMIT 1',
  )
  if (!owner) return
  throw new StoreError(
    'in-use',
    `could not carry over ${session.name}: ${owner.name} crawls on it`,
    'Stop whatever crawls on it, then try again a minute later.',
  )
}

/** Numbers of entries and polls say in which month they stand; texts and pages are numbered here, by their dates. */
async function makeMonths(tx: Transaction, kind: CargoKind, rows: readonly CargoRow[]): Promise<void> {
  const months =
    kind === 'entries' || kind === 'polls'
      ? await monthsOf(tx, 'm / (1::bigint << 40)', rows, 0)
      : kind === 'article_texts' || kind === 'pages'
        ? await monthsOf(tx, 'month_of(m)', rows, 1)
        : []
  for (const month of months) await tx.rows('SELECT make_month($1::integer)', [month])
}

async function monthsOf(tx: Transaction, month: string, rows: readonly CargoRow[], column: number): Promise<number[]> {
  const found = await tx.rows<{ month: number }>(
    `SELECT DISTINCT (${month})::integer AS month FROM unnest($1::bigint[]) AS t (m) ORDER BY 1`,
    [rows.map((row) => row[column])],
  )
  return found.map((row) => row.month)
}

async function loadRows(tx: Transaction, kind: CargoKind, names: string[], rows: unknown[][]): Promise<void> {
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
  const { sql, values } = manyRows('n', await typed(tx, table, names), rows)
  await tx.run(
    `INSERT INTO ${table} (${names.join(', ')}) SELECT ${names.map((name) => `n.${name}`).join(', ')} FROM ${sql}`,
    values,
  )
}

/** Gives each row a place in the month of its date, and tells its article of it. */
async function insertNumbered(
  tx: Transaction,
  table: string,
  names: string[],
  rows: unknown[][],
  { sequence, at, place }: { sequence: string; at: string; place: string },
): Promise<void> {
  const { sql, values } = manyRows('n', await typed(tx, table, names), rows)
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

/** With the types that the table has. */
async function typed(query: RowAsker, table: string, names: string[]): Promise<TypedColumn[]> {
  const rows = await query.rows<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0`,
    [table],
  )
  const types = new Map(rows.map(({ name, type }) => [name, type]))
  return names.map((name): TypedColumn => `${name} ${types.get(name)!}`)
}
