/** Store migration: columns that are derived on import instead of exported, positions to resume at, and errors. */
import { bucketOf, type FetchSettings, type HubSubscription, isPrivateFeed } from '../../model/index.ts'
import {
  type ColumnValue,
  EXPORT_COLUMNS,
  type ExportedRow,
  KEY_COLUMN_COUNTS,
  type RowKind,
  StoreError,
} from '../../ports/index.ts'
import { parseJsonColumn } from './columns.ts'
import { entryKeyOf, haystackOf, keyHash } from './rows.ts'

type NamedRow = Record<string, ColumnValue>

/** Columns that are not exported, with a function that computes the value from a row. */
export type DerivedColumns = Record<string, (row: NamedRow) => ColumnValue | bigint>

const text = (value: ColumnValue | undefined) => String(value ?? '')
const hashOf = (name: string) => (row: NamedRow) => keyHash(text(row[name]))
const bucketOfRoot = ({ root }: NamedRow) => bucketOf(text(root))

const privateFlagOf = ({ url, credentials, fetching }: NamedRow) => {
  const settings = fetching == null ? undefined : (JSON.parse(text(fetching)) as FetchSettings)
  return credentials != null || isPrivateFeed({ url: text(url), fetching: settings }) ? 1 : null
}

/** Columns derived in every SQL store. */
export const DERIVED_COLUMNS: { readonly [Kind in RowKind]?: DerivedColumns } = {
  feeds: {
    haystack: ({ title, url }) => haystackOf(text(title), text(url)),
    private: privateFlagOf,
  },
  entries: { key_hash: (row) => keyHash(entryKeyOf(row as { key: string; url: string | null })) },
  articles: { url_hash: hashOf('url'), page_hash: pageHash },
  article_queues: { due_at: () => 0 },
}

/** Also those of a store that several processes share and whose indexes cannot hold long texts (PostgreSQL). */
export const SHARED_STORE_DERIVED_COLUMNS: { readonly [Kind in RowKind]?: DerivedColumns } = {
  ...DERIVED_COLUMNS,
  feeds: { ...DERIVED_COLUMNS.feeds, url_hash: hashOf('url') },
  sources: { url_hash: hashOf('url'), bucket: bucketOfRoot },
  hosts: { bucket: bucketOfRoot },
  failed_probes: { url_hash: hashOf('url') },
  hub_subscriptions: { bucket: bucketOfHubSubscription },
  folders: { name_hash: hashOf('name') },
  article_queues: { bucket: bucketOfRoot, due_at: () => 0 },
}

function pageHash({ state, url, page_url }: NamedRow): bigint | null {
  if (state !== 'read' || page_url === null || page_url === undefined) return null
  return keyHash(text(page_url === '' ? url : page_url))
}

/** The subscription's own bucket if it has one, else that of its hub. */
function bucketOfHubSubscription({ facts }: NamedRow): number {
  const { bucket, hub } = parseJsonColumn<Partial<HubSubscription>>(text(facts)) ?? {}
  return bucket ?? bucketOf(URL.parse(hub ?? '')?.hostname ?? '')
}

/** Column names and rows, including derived columns. */
export function withDerivedColumns(
  kind: RowKind,
  rows: readonly ExportedRow[],
  derived: DerivedColumns = {},
): { names: string[]; rows: unknown[][] } {
  const exportedColumns = EXPORT_COLUMNS[kind]
  return {
    names: [...exportedColumns, ...Object.keys(derived)],
    rows: rows.map((row) => {
      const namedRow = Object.fromEntries(exportedColumns.map((name, i) => [name, row[i] ?? null]))
      return [...row, ...Object.values(derived).map((derive) => derive(namedRow))]
    }),
  }
}

export function keyColumnsOf(kind: RowKind): string[] {
  return EXPORT_COLUMNS[kind].slice(0, KEY_COLUMN_COUNTS[kind] ?? 1)
}

/** Position after a row, at which an interrupted export continues. */
export function positionOf(kind: RowKind, row: ExportedRow): string {
  return JSON.stringify(row.slice(0, KEY_COLUMN_COUNTS[kind] ?? 1))
}

export function keysAtPosition(position: string): (string | number)[] {
  return JSON.parse(position)
}

/** Holds the progress of a migration; exists only while one is unfinished. */
export const MIGRATION_TABLE = 'freshet_migration'

export function targetNotEmptyError(name: string): StoreError {
  return new StoreError(
    'in-use',
    `could not migrate to ${name}: the store is not empty`,
    'Choose a new or empty store. This one was not changed.',
  )
}

export function otherMigrationError(name: string, from: string): StoreError {
  return new StoreError(
    'in-use',
    `could not migrate to ${name}: it holds an unfinished migration from ${from}`,
    'Resume that migration, or choose another target store.',
  )
}

/** Thrown when a store with an unfinished migration is opened. */
export function unfinishedMigrationError(name: string, from: string): StoreError {
  return new StoreError(
    'in-use',
    `could not open ${name}: a migration from ${from} is unfinished`,
    'Run freshet migrate again to resume it.',
  )
}
