/**
 * Authenticates the command line at a crawl on the same machine: by a key in a file beside the store, or in the home directory if the
 * store is on a server. Only the owner of the store can read it, and each run creates a new one.
 */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Client, createClient } from '../client/index.ts'
import { newSecret } from '../credentials/index.ts'
import type { Config } from './config.ts'
import { fileBesideStore, isServer } from './store-at.ts'

const OWNER_ONLY = 0o600

export async function writeLocalKey(storeFile: string): Promise<string> {
  const key = newSecret()
  try {
    if (isServer(storeFile)) await mkdir(dirname(localKeyFile(storeFile)), { recursive: true, mode: 0o700 })
    await writeFile(localKeyFile(storeFile), `${key}\n`, { mode: OWNER_ONLY })
    await chmod(localKeyFile(storeFile), OWNER_ONLY) // an existing file keeps its mode
  } catch (error) {
    if (!isServer(storeFile)) throw error // without a home directory, there is no local key
  }
  return key
}

/** A client of the crawl that owns this store. Without the key it has no login. */
export async function localClient({ store, user }: Pick<Config, 'store' | 'user'>, url: string): Promise<Client> {
  const key = await readFile(localKeyFile(store), 'utf8').catch(() => '')
  return createClient({ url, ...(key && { token: key.trim() }), ...(user && { user: user }) })
}

function localKeyFile(storeFile: string): string {
  return fileBesideStore(storeFile, '.key')
}
