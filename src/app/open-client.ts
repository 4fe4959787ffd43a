/**
 * Opens the API client for a command: of the server in `--server`, or of the local store through a server in this process. If another
 * process owns the store and the command changes something, the client is connected to that process.
 */
import { type Client, ClientError } from '../client/index.ts'
import type { Crawler } from '../crawl/index.ts'
import { StoreError } from '../ports/index.ts'
import { InputError } from './addresses.ts'
import { type OpenStore, openExistingStore, openForReading, openStore } from './composition.ts'
import type { Config } from './config.ts'
import { localClient } from './local-key.ts'
import { remoteServer } from './server-client.ts'
import { formatStore } from './store-at.ts'

export interface OpenedClient {
  client: Client
  /** The path or address of a store, or the URL of a server. */
  location: string
  /** A client of the running crawl; undefined if none is known. */
  runningCrawl(): Promise<Client | undefined>
  /** Throws the error that the command line reports for an error of the client. */
  explain(error: unknown): never
  close(): Promise<void>
}

const OPENERS = { read: openForReading, write: openExistingStore, create: openStore }

/** `read` works while a crawl is running; `create` creates the store if it does not exist. */
export async function openClient(config: Config, mode: keyof typeof OPENERS): Promise<OpenedClient> {
  const remote = await openRemote(config)
  if (remote) return remote
  try {
    return await openInProcess(config, await OPENERS[mode](config))
  } catch (error) {
    return openOwner(config, error)
  }
}

export async function openRemote(config: Config): Promise<OpenedClient | undefined> {
  const remote = await remoteServer(config)
  return remote && connected(remote.client, remote.url)
}

/** Connects to the owner of the store if the store could not be opened because it is in use. Throws other errors. */
export async function openOwner(config: Config, error: unknown): Promise<OpenedClient> {
  if (!(error instanceof StoreError) || error.kind !== 'in-use' || !error.ownerUrl) throw error
  return connected(await localClient(config, error.ownerUrl), error.ownerUrl)
}

type Opened = OpenStore & { crawler?: Crawler; ownerUrl?(): string | undefined }

/** Closing the client closes the store. */
export async function openInProcess(config: Config, opened: Opened): Promise<OpenedClient> {
  const { createInProcessClient } = await import('./in-process-client.ts') // imported here because it loads the whole server
  const client = await createInProcessClient(config, opened)
  return {
    client,
    location: formatStore(config.store),
    async runningCrawl() {
      const url = opened.ownerUrl?.()
      return url === undefined ? undefined : localClient(config, url)
    },
    explain(error) {
      if (!(error instanceof ClientError)) throw error
      if (error.problem !== undefined) throw new InputError(error.problem, error.hint)
      throw error.cause ?? error
    },
    close: () => opened.close(),
  }
}

/** Statuses for invalid input. Other statuses mean that the server cannot do it now, or not for this user. */
const WRONG_INPUT: readonly (number | undefined)[] = [400, 404, 409]

function connected(client: Client, url: string): OpenedClient {
  return {
    client,
    location: url,
    runningCrawl: async () => client,
    explain(error) {
      if (error instanceof ClientError && error.problem !== undefined && WRONG_INPUT.includes(error.status))
        throw new InputError(error.problem, error.hint)
      throw error
    },
    close: async () => {},
  }
}
