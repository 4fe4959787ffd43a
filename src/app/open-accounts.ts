/** Accounts of the local store or of a remote server, for the command line. */
import type { Client } from '../client/index.ts'
import type { Credential, CredentialId, User, UserId } from '../model/index.ts'
import type { Accounts } from '../server/index.ts'
import type { Config } from './config.ts'
import { mapErrors } from './map-errors.ts'
import { openClient } from './open-client.ts'

export interface OpenAccounts extends Accounts {
  removeSecondFactor(id: UserId): Promise<void>
  close(): Promise<void>
}

/** The mode `create` also creates the store, so that an account can be added before the first crawl. */
export async function openAccounts(config: Config, mode: Parameters<typeof openClient>[1]): Promise<OpenAccounts> {
  const { client, explain, close } = await openClient(config, mode)
  return mapErrors({ ...accountsOf(client), close }, explain)
}

function accountsOf(client: Client): Omit<OpenAccounts, 'close'> {
  const toUser = ({
    id,
    name,
    scope,
    addedAt,
  }: {
    id: number
    name: string
    scope: User['scope']
    addedAt: string
  }): User => ({
    id: id as UserId,
    name,
    scope,
    addedAt: Date.parse(addedAt),
  })
  const toCredential = (
    userId: UserId,
    {
      id,
      name,
      scope,
      for: protocol,
      addedAt,
      usedAt,
    }: {
      id: number
      name: string
      scope: Credential['scope']
      addedAt: string
      usedAt?: string | undefined
      for?: 'fever' | 'corpus' | undefined
    },
  ): Credential => ({
    id: id as CredentialId,
    userId,
    kind: protocol ?? 'token',
    name,
    scope,
    addedAt: Date.parse(addedAt),
    ...(usedAt !== undefined && { usedAt: Date.parse(usedAt) }),
  })
  return {
    list: async () => (await client.listUsers()).users.map(toUser),
    add: async (name, password, scope) =>
      toUser(await client.addUser({ body: { name, password, ...(scope && { scope }) } })),
    change: async (id, change) => void (await client.editUser({ params: { id }, body: change })),
    remove: async (id) => void (await client.removeUser({ params: { id } })),
    listTokens: async (id) =>
      (await client.listTokens({ params: { id } })).tokens.map((token) => toCredential(id, token)),
    async addToken(id, token) {
      const created = await client.addToken({ params: { id }, body: token })
      return { token: toCredential(id, created.token), secret: created.secret }
    },
    removeSecondFactor: async (id) => void (await client.removeSecondFactorOf({ params: { id } })),
    revokeToken: async (id, token) => void (await client.revokeToken({ params: { id, token } })),
  }
}
