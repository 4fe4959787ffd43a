/** Runs inside a thread of the SQLite store (threaded.ts): opens the file, which the process already owns. */
import type { Instant } from '../../model/index.ts'
import { openSqliteStore } from './index.ts'

export interface StoreThreadData {
  file: string
  mode: 'write' | 'read'
  now: Instant
  /** Where the owner's API listens. */
  url?: string
}

export function openStoreThread({ file, mode, now, url }: StoreThreadData): Record<string, object> {
  const { store, search, announce } = openSqliteStore({
    file,
    mode,
    now: () => now,
    isOwned: true,
    ...(url && { owner: { url } }),
  })
  return { store, search, owner: { announce } }
}
