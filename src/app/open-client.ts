/**
 * Opens what the command line asks: the server that `--server` names; else the local store, by a server in this process; or, where another
 * process owns that store and something is to be changed, that process.
 */
import { type Client, ClientError } from '../client/index.ts'
import type { Crawler } from '../crawl/index.ts'
import { StoreError } from '../ports/index.ts'
import { InputError } from './addresses.ts'
import type { Config } from './config.ts'
import { localClient } from './local-key.ts'
import { remoteServer } from './server-client.ts'
import { shownStore } from './store-at.ts'
import { type OpenStore, openForReading, openStore, openStoreThere } from './wire.ts'

export interface OpenedClient {
  client: Client
  /** The path or address of a store, or the URL of a server. */
  place: string
  /** A client of the running crawl; undefined if none is known. */
  runningCrawl(): Promise<Client | undefined>
  /** Throws what the command line should report instead of an error of the client. */
  explain(error: unknown): never
  close(): Promise<void>
}

const OPENERS = { read: openForReading, write: openStoreThere, create: openStore }

/** `read` works beside a running crawl; `create` makes the store if it is missing. */
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

/** The process that owns the store, where that is why it could not be opened. */
export async function openOwner(config: Config, error: unknown): Promise<OpenedClient> {
  if (!(error instanceof StoreError) || error.trouble !== 'in-use' || !error.ownerUrl) throw error
  return connected(await localClient(config, error.ownerUrl), error.ownerUrl)
}

type Opened = OpenStore & { crawler?: Crawler; ownerUrl?(): string | undefined }

/** Closing the client closes the store. */
export async function openInProcess(config: Config, opened: Opened): Promise<OpenedClient> {
  const { createInProcessClient } = await import('./in-process-client.ts') // which loads the whole server
  const client = await createInProcessClient(config, opened)
  return {
    client,
    place: shownStore(config.store),
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

/** Of statuses that say that the input is wrong. Others say that the server does not do it now, or not for this user. */
const WRONG_INPUT: readonly (number | undefined)[] = [400, 404, 409]

function connected(client: Client, url: string): OpenedClient {
  return {
    client,
    place: url,
    runningCrawl: async () => client,
    explain(error) {
      if (error instanceof ClientError && error.problem !== undefined && WRONG_INPUT.includes(error.status))
        throw new InputError(error.problem, error.hint)
      throw error
    },
    close: async () => {},
  }
}
