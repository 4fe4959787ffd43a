/** A client of the server that `--server` names, with the token of the login that is kept for it, or the one that is given. */
import { type Client, ClientError, createClient } from '../client/index.ts'
import { InputError } from './addresses.ts'
import type { Config } from './config.ts'
import { localClient } from './local-key.ts'
import { profileMeant, readProfiles, serverAddress } from './profiles.ts'
import { openForReading } from './wire.ts'

export interface FarServer {
  url: string
  client: Client
}

/** Undefined where no server is named: then it is the store that is meant. */
export async function serverMeant(config: Config): Promise<FarServer | undefined> {
  const { server: word, token: given } = config
  if (word === '') return undefined
  if (config.person !== '')
    throw new InputError(
      `--person says whose things in a store are meant, and ${word} is a server elsewhere`,
      'there they are of who logged in: freshet login as somebody else',
    )
  const profile = profileMeant(await readProfiles(config), word)
  const url = profile?.url ?? serverAddress(word)
  if (url === undefined)
    throw new InputError(`no login is called "${word}"`, `freshet login https://… --as ${word} makes one`)
  const token = given || profile?.token
  return { url, client: withHints(createClient({ url, ...(token && { token }) }), url) }
}

/** The crawl that runs: at the server that is named, else on the store that lies here. */
export async function crawlMeant(config: Config): Promise<FarServer> {
  const far = await serverMeant(config)
  if (far) return far
  const opened = await openForReading(config)
  const url = opened.ownerUrl()
  await opened.close()
  if (url !== undefined) return { url, client: await localClient(config, url) }
  throw new InputError(`no crawl has run on ${config.store}`, 'freshet run begins one; --server names one elsewhere')
}

/** Who is not known there should hear how to become known. */
function withHints(client: Client, url: string): Client {
  const explain = (error: unknown): never => {
    if (error instanceof ClientError && error.status === 401)
      throw new ClientError(error.message, `freshet login ${url}, or set FRESHET_TOKEN`, {
        status: 401,
        ...(error.problem !== undefined && { problem: error.problem }),
        cause: error,
      })
    throw error
  }
  async function* explained(parts: AsyncIterable<unknown>) {
    try {
      yield* parts
    } catch (error) {
      explain(error)
    }
  }
  const calls = Object.entries(client).map(([name, call]) => [
    name,
    (...given: never[]) => {
      const answer: unknown = (call as (...given: never[]) => unknown)(...given)
      return answer instanceof Promise ? answer.catch(explain) : explained(answer as AsyncIterable<unknown>)
    },
  ])
  return Object.fromEntries(calls) as Client
}
