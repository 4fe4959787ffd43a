/**
 * Which driver a store has, by its address: a path is a file of SQLite, `postgres://…` a database of PostgreSQL. What is the same for
 * both is handed out; a file has one owner, who tells others where his API listens, and a database has none. Either may have a library
 * beside it, `cassandra://…`.
 */
import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Instant, type ThreadStatus, withoutCredentials } from '../model/index.ts'
import type { Library, Search, Store } from '../ports/index.ts'
import { openPostgres } from '../stores/open-postgres.ts'
import { openThreadedSqliteStore } from '../stores/sqlite/threaded.ts'
import { encryptedStore, type SecretKeyPlace } from './encrypted-store.ts'
import { besideLibrary } from './library.ts'

/** As the settings name them. */
export interface StorePlace {
  store: string
  /** Empty: none. */
  contentStore: string
}

export interface EncryptedStorePlace extends StorePlace {
  /** Empty: beside a file, and none for a server. */
  secretKeyFile: string
  forgetSecrets: boolean
}

export interface StoreAt {
  store: Store
  /** The same for users, where their reads do not wait for the crawl. Closed with it. */
  serving?: Store
  /** Of the store, where it has any. */
  threads?: () => ThreadStatus[]
  /** Beside the store, where there is one; closed together with it. */
  library?: Library
  /** Closed together with the store. */
  search: Search
  /** Tells others who find the store in use where its owner listens. */
  announce(url: string): void | Promise<void>
  /** Calls when there may be entries that another process wrote, until the answer is called; only where there can be others. */
  onNews?: (heard: () => void) => () => void
  /** Where it listens, or did: he may be gone. */
  ownerUrl(): string | undefined
}

export interface OpeningStore {
  mode: 'write' | 'read'
  now: () => Instant
  /** By a process that lives long: a file is used in threads of its own. */
  lasting?: boolean
  /** Encrypts what is stored in plain text before the store is used. */
  encryptExisting?: boolean
}

/** Throws a StoreError if it cannot be used. */
export async function openStoreAt(place: EncryptedStorePlace, opening: OpeningStore): Promise<StoreAt> {
  const { store: address, contentStore } = place
  const opened = await openLedgerAt(address, opening)
  const encrypted = await encryptedStore(opened.store, secretKeyPlace(place, opening))
  const beside = await besideLibrary(encrypted(opened.store), shownStore(address), contentStore, opening)
  const { serving, ...rest } = opened
  return {
    ...rest,
    store: beside.with(encrypted(opened.store)),
    ...(serving && { serving: beside.with(encrypted(serving)) }),
    ...(beside.library && { library: beside.library }),
  }
}

function secretKeyPlace(place: EncryptedStorePlace, { mode, encryptExisting = false }: OpeningStore): SecretKeyPlace {
  const { store, secretKeyFile, forgetSecrets: forget } = place
  const own = isServer(store) || store === ':memory:' ? undefined : fileOfStore(store, '.secret-key')
  return { file: secretKeyFile || own, isNamed: secretKeyFile !== '', forget, mode, encryptExisting }
}

/** The store itself, without what stands beside it. */
export async function openLedgerAt(address: string, { mode, now, lasting }: OpeningStore): Promise<StoreAt> {
  if (!isServer(address)) {
    if (!lasting || address === ':memory:') {
      const { openSqliteStore } = await import('../stores/sqlite/index.ts')
      return openSqliteStore({ file: address, mode, now })
    }
    return { ...(await openThreadedSqliteStore({ file: address, now })), ownerUrl: () => undefined }
  }
  const { store, search, onNews } = await openPostgres({ address, mode })
  return { store, search, onNews, announce: () => {}, ownerUrl: () => undefined }
}

/** For people and logs: never with a password, which may stand in two places of an address. */
export function shownStore(address: string): string {
  return isServer(address) ? withoutCredentials(address).replace(/[?#].*$/s, '') : address
}

/** A file that belongs to the store and to this user: beside the store, or, where that is on a server, in his home. */
export function fileOfStore(address: string, ending: string): string {
  if (!isServer(address)) return `${address}${ending}`
  const name = createHash('sha256').update(shownStore(address)).digest('hex').slice(0, 16)
  return join(homedir(), '.freshet', `${name}${ending}`)
}

export function isServer(address: string): boolean {
  return /^postgres(ql)?:\/\//i.test(address)
}
