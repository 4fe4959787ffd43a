/** Accounts, for the command line: on the store itself, or through the API of the crawl that owns it. Whoever asks need not know which. */
import { type Client, ClientError } from '../client/index.ts'
import type { Pass, PassId, Person, PersonId } from '../model/index.ts'
import { StoreError } from '../ports/index.ts'
import { AccountError, type Accounts, createAccounts } from '../server/index.ts'
import { InputError } from './addresses.ts'
import type { Config } from './config.ts'
import { localClient } from './local-key.ts'
import { serverMeant } from './server-client.ts'
import { openForReading, openStore, openStoreThere } from './wire.ts'

export interface OpenAccounts extends Accounts {
  close(): Promise<void>
}

const OPENING = { look: openForReading, change: openStoreThere, add: openStore }

/** `look`: nothing will be changed; `add`: the first account may come before the store. */
export async function openAccounts(config: Config, how: keyof typeof OPENING): Promise<OpenAccounts> {
  const far = await serverMeant(config)
  if (far) return { ...explained(remoteAccounts(far.client)), close: async () => {} }
  try {
    const { people, clock, close } = await OPENING[how](config)
    return { ...explained(createAccounts({ people, clock })), close }
  } catch (error) {
    if (error instanceof StoreError && error.trouble === 'in-use' && error.ownerUrl)
      return { ...explained(remoteAccounts(await localClient(config, error.ownerUrl))), close: async () => {} }
    throw error
  }
}

/** What cannot be done is told like any other input that makes no sense. */
function explained(accounts: Accounts): Accounts {
  const told = Object.entries(accounts).map(([name, method]: [string, (...given: never[]) => Promise<unknown>]) => [
    name,
    (...given: never[]) =>
      method(...given).catch((error: unknown) => {
        const isOurs = error instanceof AccountError
        const isTheirs = error instanceof ClientError && error.problem !== undefined && (error.status ?? 500) < 500
        if (isOurs || isTheirs) throw new InputError(isOurs ? error.message : (error.problem ?? ''), error.hint)
        throw error
      }),
  ])
  return Object.fromEntries(told) as Accounts
}

function remoteAccounts(client: Client): Accounts {
  const personOf = ({
    id,
    name,
    allows,
    addedAt,
  }: {
    id: number
    name: string
    allows: Person['allows']
    addedAt: string
  }): Person => ({
    id: id as PersonId,
    name,
    allows,
    addedAt: Date.parse(addedAt),
  })
  const passOf = (
    personId: PersonId,
    {
      id,
      name,
      allows,
      for: protocol,
      addedAt,
      usedAt,
    }: {
      id: number
      name: string
      allows: Pass['allows']
      addedAt: string
      usedAt?: string | undefined
      for?: 'fever' | 'corpus' | undefined
    },
  ): Pass => ({
    id: id as PassId,
    personId,
    kind: protocol ?? 'token',
    name,
    allows,
    addedAt: Date.parse(addedAt),
    ...(usedAt !== undefined && { usedAt: Date.parse(usedAt) }),
  })
  return {
    list: async () => (await client.listPeople()).people.map(personOf),
    add: async (name, password, allows) =>
      personOf(await client.addPerson({ body: { name, password, ...(allows && { allows }) } })),
    change: async (id, change) => void (await client.editPerson({ params: { id }, body: change })),
    remove: async (id) => void (await client.removePerson({ params: { id } })),
    tokens: async (id) => (await client.listTokens({ params: { id } })).tokens.map((token) => passOf(id, token)),
    async addToken(id, token) {
      const made = await client.addToken({ params: { id }, body: token })
      return { token: passOf(id, made.token), secret: made.secret }
    },
    revoke: async (id, token) => void (await client.revokeToken({ params: { id, token } })),
  }
}
