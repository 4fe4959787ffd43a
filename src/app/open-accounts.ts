/** Accounts, for the command line: of the local store, or of a remote server. */
import type { Client } from '../client/index.ts'
import type { Pass, PassId, Person, PersonId } from '../model/index.ts'
import type { Accounts } from '../server/index.ts'
import type { Config } from './config.ts'
import { mapErrors } from './map-errors.ts'
import { openClient } from './open-client.ts'

export interface OpenAccounts extends Accounts {
  close(): Promise<void>
}

/** With `create`, the first account may come before the store. */
export async function openAccounts(config: Config, mode: Parameters<typeof openClient>[1]): Promise<OpenAccounts> {
  const { client, explain, close } = await openClient(config, mode)
  return mapErrors({ ...accountsOf(client), close }, explain)
}

function accountsOf(client: Client): Accounts {
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
    list: async () => (await client.listUsers()).people.map(personOf),
    add: async (name, password, allows) =>
      personOf(await client.addUser({ body: { name, password, ...(allows && { allows }) } })),
    change: async (id, change) => void (await client.editUser({ params: { id }, body: change })),
    remove: async (id) => void (await client.removeUser({ params: { id } })),
    tokens: async (id) => (await client.listTokens({ params: { id } })).tokens.map((token) => passOf(id, token)),
    async addToken(id, token) {
      const made = await client.addToken({ params: { id }, body: token })
      return { token: passOf(id, made.token), secret: made.secret }
    },
    revoke: async (id, token) => void (await client.revokeToken({ params: { id, token } })),
  }
}
