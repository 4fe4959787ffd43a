/**
 * How the command line proves itself to a crawl on the same machine that has accounts: by a key in a file beside the store (or in the
 * home of its user, where the store is on a server), which only who may write the store can read. It is another one for each run.
 */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Client, createClient } from '../client/index.ts'
import { newSecret } from '../credentials/index.ts'
import type { Config } from './config.ts'
import { fileOfStore, isServer } from './store-at.ts'

const OWNER_ONLY = 0o600

export async function writeLocalKey(storeFile: string): Promise<string> {
  const key = newSecret()
  try {
    if (isServer(storeFile)) await mkdir(dirname(keyFile(storeFile)), { recursive: true, mode: 0o700 })
    await writeFile(keyFile(storeFile), `${key}\n`, { mode: OWNER_ONLY })
    await chmod(keyFile(storeFile), OWNER_ONLY) // one that was there keeps its mode
  } catch (error) {
    if (!isServer(storeFile)) throw error // a machine without a home of ours does without
  }
  return key
}

/** A client of the crawl that owns this store. Whoever cannot read the key is treated like anybody else. */
export async function localClient({ store, user }: Pick<Config, 'store' | 'user'>, url: string): Promise<Client> {
  const key = await readFile(keyFile(store), 'utf8').catch(() => '')
  return createClient({ url, ...(key && { token: key.trim() }), ...(user && { person: user }) })
}

function keyFile(storeFile: string): string {
  return fileOfStore(storeFile, '.key')
}
