/**
 * Store migration: copies all rows of a store into another one of any kind, and then compares the number of rows of each kind and their
 * checksums. Only then can the target be used. An interrupted migration continues where it stopped. The source does not change.
 *
 * If one of them has a content store, the texts behind content addresses are copied, too: out of it, into it, or from one to the other.
 */
import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type FeedId, HintedError, type Instant } from '../model/index.ts'
import {
  type ContentStore,
  type ExportedRow,
  ROW_KINDS,
  type RowKind,
  StoreError,
  type StoreMigration,
} from '../ports/index.ts'
import type { MigratedContentRecords } from '../stores/external-content/migrate-content-records.ts'
import { openPostgres } from '../stores/open-postgres.ts'
import { InputError } from './addresses.ts'
import { formatContentStore, openConfiguredContentStore } from './content-store.ts'
import { contentStoreAddress, storeFile } from './options.ts'
import { formatStore, isServer, type StoreLocation } from './store-at.ts'

export interface MigrationResult {
  /** False if the migration was interrupted. */
  done: boolean
  /** Rows in the target. */
  rows: number
  of: number
  kinds: { kind: RowKind; rows: number }[]
  /** Records that only the content store had; copied if source and target both have one. */
  contentRecords?: { entries: number; polls: number }
  /** Number of texts that are missing in the content store of the source. Absent if there are none. */
  missingTexts?: number
}

export interface MigrationProgress {
  doing: 'copying' | 'comparing'
  rows: number
  of: number
}

/** Rows per chunk; fewer for kinds whose rows can be long. */
const CHUNK_ROWS = 1000
const CHUNK_ROWS_LONG = 100
const CHUNK_ROWS_PAGES = 20
const LONG_ROW_KINDS: ReadonlySet<RowKind> = new Set<RowKind>([
  'entries',
  'entry_versions',
  'article_texts',
  'page_patterns',
  'robots',
])

function chunkRowsOf(kind: RowKind): number {
  if (kind === 'pages') return CHUNK_ROWS_PAGES
  return LONG_ROW_KINDS.has(kind) ? CHUNK_ROWS_LONG : CHUNK_ROWS
}

export interface CopyOptions {
  signal: AbortSignal
  onProgress: (progress: MigrationProgress) => void
  /** Copies the records of the content store, before the target can be used. */
  copyContentRecords?: ((signal: AbortSignal) => Promise<MigratedContentRecords>) | undefined
}

export async function copyStore(
  from: StoreMigration,
  to: StoreMigration,
  { signal, onProgress, copyContentRecords }: CopyOptions,
): Promise<MigrationResult> {
  const positions = await to.begin(from.name)
  const sizes = new Map<RowKind, number>()
  for (const kind of ROW_KINDS) sizes.set(kind, await from.size(kind))
  const total = sum(sizes.values())
  let rows = 0
  for (const kind of positions.keys()) rows += await to.size(kind)

  for (const kind of ROW_KINDS) {
    let after = positions.get(kind)
    while (after !== null) {
      if (signal.aborted) return { done: false, rows, of: total, kinds: kindsOf(sizes) }
      const chunk = await from.readRows(kind, after, chunkRowsOf(kind))
      after = chunk.after ?? null
      await to.writeRows(kind, chunk.rows, after)
      rows += chunk.rows.length
      onProgress({ doing: 'copying', rows, of: total })
    }
  }

  let compared = 0
  for (const kind of ROW_KINDS) {
    const [sourceChecksum, targetChecksum] = [await checksumOf(from, kind, signal), await checksumOf(to, kind, signal)]
    if (signal.aborted) return { done: false, rows, of: total, kinds: kindsOf(sizes) }
    if (sourceChecksum.rows !== targetChecksum.rows || sourceChecksum.sum !== targetChecksum.sum)
      throw differenceError(from, to, kind, sourceChecksum, targetChecksum)
    compared += targetChecksum.rows
    onProgress({ doing: 'comparing', rows: compared, of: total })
  }
  const copiedRecords = await copyContentRecords?.(signal)
  if (copiedRecords && !copiedRecords.isDone) return { done: false, rows, of: total, kinds: kindsOf(sizes) }
  await to.finish(await from.lastIds())
  return {
    done: true,
    rows: compared,
    of: total,
    kinds: kindsOf(sizes),
    ...(copiedRecords && { contentRecords: { entries: copiedRecords.entries, polls: copiedRecords.polls } }),
  }
}

/** Source and target. An empty content store means none. */
export interface MigrationLocations {
  from: StoreLocation
  to: StoreLocation
}

/** Opens both stores, copies the source into the target, and closes them. Throws a StoreError. */
export async function migrateStore(
  { from, to }: MigrationLocations,
  { now, ...options }: Omit<CopyOptions, 'copyContentRecords'> & { now: () => Instant },
): Promise<MigrationResult & MigrationNames> {
  await using opened = new AsyncDisposableStack()
  const closeAtEnd = <T extends { close(): Promise<void> }>(resource: T) => opened.adopt(resource, (it) => it.close())
  const source = closeAtEnd(await openMigration(from.store, 'from', now))
  const target = closeAtEnd(await openMigration(to.store, 'to', now))
  const names = { from: source.name, to: target.name }
  const hasContentStore = from.contentStore !== '' || to.contentStore !== ''
  if (!hasContentStore) return { ...names, ...(await copyStore(source, target, options)) }
  const openContentStore = async (address: string) =>
    address === '' ? undefined : closeAtEnd(await openConfiguredContentStore(address))
  const sourceContent = await openContentStore(from.contentStore)
  const targetContent = await openContentStore(to.contentStore)
  return {
    ...names,
    ...(await copyStoreWithContent(
      { migration: source, contentStore: sourceContent },
      { migration: target, contentStore: targetContent },
      { now, ...options },
    )),
  }
}

export interface MigrationNames {
  from: string
  to: string
}

interface MigrationSide {
  migration: StoreMigration
  contentStore?: ContentStore | undefined
}

/** Copies a store together with its content store. Both stay open. */
export async function copyStoreWithContent(
  from: MigrationSide,
  to: MigrationSide,
  { now, ...options }: Omit<CopyOptions, 'copyContentRecords'> & { now: () => Instant },
): Promise<MigrationResult> {
  const { migrateContentRecords } = await import('../stores/external-content/migrate-content-records.ts')
  const { createHydratedMigration } = await import('../stores/external-content/store-migration.ts')
  const source = createHydratedMigration(from.migration, from)
  const target = createHydratedMigration(to.migration, to)
  const [sourceContent, targetContent] = [from.contentStore, to.contentStore]
  const copyContentRecords =
    sourceContent && targetContent
      ? (signal: AbortSignal) =>
          migrateContentRecords(sourceContent, targetContent, { feedIds: feedIdsOf(from.migration), now, signal })
      : undefined
  const result = await copyStore(source, target, { ...options, copyContentRecords })
  return { ...result, ...(source.missingTexts > 0 && { missingTexts: source.missingTexts }) }
}

async function* feedIdsOf(migration: StoreMigration): AsyncIterable<FeedId> {
  for (let after: string | undefined; ; ) {
    const chunk = await migration.readRows('feeds', after, CHUNK_ROWS)
    for (const [id] of chunk.rows) yield id as FeedId
    after = chunk.after
    if (after === undefined) return
  }
}

interface Checksum {
  rows: number
  /** The sum of the hashes of all rows. It does not depend on their order. */
  sum: bigint
}

async function checksumOf(migration: StoreMigration, kind: RowKind, signal: AbortSignal): Promise<Checksum> {
  const content: Checksum = { rows: 0, sum: 0n }
  for (let after: string | undefined; !signal.aborted; ) {
    const chunk = await migration.readRows(kind, after, chunkRowsOf(kind))
    for (const row of chunk.rows) content.sum = BigInt.asUintN(128, content.sum + hashOf(row))
    content.rows += chunk.rows.length
    after = chunk.after
    if (after === undefined) break
  }
  return content
}

function hashOf(row: ExportedRow): bigint {
  const text = JSON.stringify(row.map((value) => (value instanceof Uint8Array ? [hash('sha256', value)] : value)))
  return BigInt(`0x${hash('sha256', text).slice(0, 32)}`)
}

function differenceError(
  from: StoreMigration,
  to: StoreMigration,
  kind: RowKind,
  sourceChecksum: Checksum,
  targetChecksum: Checksum,
): HintedError {
  const difference =
    sourceChecksum.rows === targetChecksum.rows
      ? `the values of the ${sourceChecksum.rows} rows of ${kind}`
      : `the number of rows of ${kind}: ${sourceChecksum.rows} in the source, ${targetChecksum.rows} in the target`
  return new HintedError(
    `${to.name} differs from ${from.name} in ${difference}`,
    'Something was probably written to the source meanwhile. Stop all crawls and copy into another, empty store.',
  )
}

function kindsOf(sizes: ReadonlyMap<RowKind, number>): MigrationResult['kinds'] {
  return [...sizes].flatMap(([kind, rows]) => (rows > 0 ? [{ kind, rows }] : []))
}

function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const source of numbers) total += source
  return total
}

/** Opens one side of a migration. The source must exist, and no other process may write to either store. Throws a StoreError. */
export async function openMigration(address: string, side: 'from' | 'to', now: () => Instant): Promise<StoreMigration> {
  if (isServer(address)) {
    const mode = side === 'from' ? 'read' : 'write'
    return (await openPostgres({ address, mode, isMigrating: true })).migration
  }
  if (side === 'from' && !existsSync(address)) {
    const message = `could not open ${resolve(address)}: there is no such file`
    throw new StoreError('missing', message, 'Set --from to the store to copy: a file, or postgres://…')
  }
  const { openSqliteStore } = await import('../stores/sqlite/index.ts')
  return openSqliteStore({ file: address, mode: 'write', now, isMigrating: true }).migration
}

/** Parses a store address from a flag. */
export function parseStoreFlag(flag: string, value: string | boolean | undefined): string {
  const address = typeof value === 'string' ? storeFile.parse(value) : undefined
  if (address !== undefined) return address
  throw new InputError(`${flag} cannot be "${formatStore(String(value ?? ''))}"`, `expected ${storeFile.expected}`)
}

/** Parses a content store address from a flag. Returns an empty string if the flag is not set. */
export function parseContentStoreFlag(flag: string, value: string | boolean | undefined): string {
  const address = value === undefined ? '' : contentStoreAddress.parse(String(value))
  if (address !== undefined) return address
  throw new InputError(
    `${flag} cannot be "${formatContentStore(String(value))}"`,
    `expected ${contentStoreAddress.expected}`,
  )
}
