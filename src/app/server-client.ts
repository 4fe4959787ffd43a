/** A client of the server in `--server`, with the token of a saved login or of --token. */
import { type Client, ClientError, createClient } from '../client/index.ts'
import { InputError } from './addresses.ts'
import { openForReading } from './composition.ts'
import type { Config } from './config.ts'
import { localClient } from './local-key.ts'
import { mapErrors } from './map-errors.ts'
import { findProfile, normalizeServerUrl, readProfiles } from './profiles.ts'

export interface RemoteServer {
  url: string
  client: Client
}

/** The server in `--server`, if any. */
export async function remoteServer(config: Config): Promise<RemoteServer | undefined> {
  const { server: nameOrUrl, token: configuredToken } = config
  if (nameOrUrl === '') return undefined
  if (config.user !== '')
    throw new InputError(
      `--user selects a user of a local store, and ${nameOrUrl} is a remote server`,
      'log in as that user instead: freshet login',
    )
  const profile = findProfile(await readProfiles(config), nameOrUrl)
  const url = profile?.url ?? normalizeServerUrl(nameOrUrl)
  if (url === undefined)
    throw new InputError(`there is no login "${nameOrUrl}"`, `log in first: freshet login https://… --as ${nameOrUrl}`)
  const token = configuredToken || profile?.token
  return { url, client: withLoginHint(createClient({ url, ...(token && { token }) }), url) }
}

/** The running crawl: the server in `--server`, or the owner of the local store. */
export async function runningCrawl(config: Config): Promise<RemoteServer> {
  const remote = await remoteServer(config)
  if (remote) return remote
  const opened = await openForReading(config)
  const url = opened.ownerUrl()
  await opened.close()
  if (url !== undefined) return { url, client: await localClient(config, url) }
  throw new InputError(
    `no crawl has run on ${config.store}`,
    'start one with freshet run, or name a remote server with --server',
  )
}

/** Tells users who are not logged in how to log in. */
function withLoginHint(client: Client, url: string): Client {
  return mapErrors(client, (error) => {
    if (error instanceof ClientError && error.status === 401)
      throw new ClientError(error.message, `freshet login ${url}, or set FRESHET_TOKEN`, {
        status: 401,
        ...(error.problem !== undefined && { problem: error.problem }),
        cause: error,
      })
    throw error
  })
}
