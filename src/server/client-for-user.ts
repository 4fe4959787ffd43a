/** The API as a user sees it, for parts of the server that compose it: requests go to the app itself, with the local key. */
import { type Client, createClient } from '../client/index.ts'
import type { UserId } from '../model/index.ts'
import type { Users } from '../ports/index.ts'

export type ClientFor = (userId: UserId) => Promise<Client | undefined>

export function createClientForUser(parts: {
  users: Pick<Users, 'allUsers'>
  localKey: string
  request: (url: string, init: RequestInit) => Response | Promise<Response>
}): ClientFor {
  const { users, localKey: token, request: fetch } = parts
  return async (userId) => {
    const all = await users.allUsers()
    const user = all.find(({ id }) => id === userId)
    if (!user && all.length > 0) return undefined
    return createClient({ url: 'http://localhost', token, fetch, ...(user && { user: user.name }) })
  }
}
