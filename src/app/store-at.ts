/**
 * Opens a store by its address: a path is a SQLite file, `postgres://…` a PostgreSQL database. A file has one owner, which announces the
 * address of its API; a database has none. Either can have a content store, `cassandra://…`.
 */
import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Instant, type ThreadStatus, withoutCredentials } from '../model/index.ts'
import type { ContentStore, Search, Store } from '../ports/index.ts'
import { openPostgres } from '../stores/open-postgres.ts'
import { openThreadedSqliteStore } from '../stores/sqlite/threaded.ts'
import { attachContentStore } from './content-store.ts'
import { openEncryption, type SecretKeyLocation } from './encrypted-store.ts'

/** Addresses, as in the settings. */
export interface StoreLocation {
  store: string
  /** Empty: none. */
  contentStore: string
}

export interface EncryptedStoreLocation extends StoreLocation {
  /** Empty: a file beside a SQLite store, and none for a server. */
  secretKeyFile: string
  forgetSecrets: boolean
}

export interface OpenedStore {
  store: Store
  /** The same store for reads of users, which do not wait for the crawl. Closed together with it. */
  serving?: Store
  /** Threads of the store, if it has any. */
  threads?: () => ThreadStatus[]
  /** The content store, if there is one. Closed together with the store. */
  contentStore?: ContentStore
  /** Closed together with the store. */
  search: Search
  /** Stores the URL of this process, for others that find the store in use. */
  announce(url: string): void | Promise<void>
  /** Calls the listener when another process may have written entries. Returns a function that ends it. Absent if there can be no other. */
  onNewEntries?: (listener: () => void) => () => void
  /** The URL of the last owner, which may have stopped. */
  ownerUrl(): string | undefined
}

export interface OpenStoreOptions {
  mode: 'write' | 'read'
  now: () => Instant
  /** Opens a SQLite file in worker threads. */
  isLongRunning?: boolean
  /** Encrypts secrets that are stored in plain text before the store is used. */
  encryptExisting?: boolean
}

/** Throws a StoreError if it cannot be used. */
export async function openStoreAt(location: EncryptedStoreLocation, options: OpenStoreOptions): Promise<OpenedStore> {
  const { store: address, contentStore } = location
  const opened = await openPlainStoreAt(address, options)
  const encrypted = await openEncryption(opened.store, secretKeyLocation(location, options))
  const attached = await attachContentStore(encrypted(opened.store), formatStore(address), contentStore, options)
  const { serving, ...rest } = opened
  return {
    ...rest,
    store: attached.with(encrypted(opened.store)),
    ...(serving && { serving: attached.with(encrypted(serving)) }),
    ...(attached.contentStore && { contentStore: attached.contentStore }),
  }
}

function secretKeyLocation(
  location: EncryptedStoreLocation,
  { mode, encryptExisting = false }: OpenStoreOptions,
): SecretKeyLocation {
  const { store, secretKeyFile, forgetSecrets: forget } = location
  const defaultKeyFile = isServer(store) || store === ':memory:' ? undefined : fileBesideStore(store, '.secret-key')
  return { file: secretKeyFile || defaultKeyFile, isConfigured: secretKeyFile !== '', forget, mode, encryptExisting }
}

/** Opens the store without encryption and content store. */
export async function openPlainStoreAt(
  address: string,
  { mode, now, isLongRunning }: OpenStoreOptions,
): Promise<OpenedStore> {
  if (!isServer(address)) {
    if (!isLongRunning || address === ':memory:') {
      const { openSqliteStore } = await import('../stores/sqlite/index.ts')
      return openSqliteStore({ file: address, mode, now })
    }
    return { ...(await openThreadedSqliteStore({ file: address, now })), ownerUrl: () => undefined }
  }
  const { store, search, onNewEntries } = await openPostgres({ address, mode })
  return { store, search, onNewEntries, announce: () => {}, ownerUrl: () => undefined }
}

/** For users and logs, without a password, which can be in the login or in the query. */
export function formatStore(address: string): string {
  return isServer(address) ? withoutCredentials(address).replace(/[?#].*$/s, '') : address
}

/** Path of a file that belongs to the store: beside a SQLite file, or in the home directory for a server. */
export function fileBesideStore(address: string, ending: string): string {
  if (!isServer(address)) return `${address}${ending}`
  const name = createHash('sha256').update(formatStore(address)).digest('hex').slice(0, 16)
  return join(homedir(), '.freshet', `${name}${ending}`)
}

export function isServer(address: string): boolean {
  return /^postgres(ql)?:\/\//i.test(address)
}
