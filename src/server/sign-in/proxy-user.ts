/**
 * Users whom a trusted proxy has signed in, by the headers that the operator has named. The headers are only believed from the addresses of
 * --trust-proxy: anybody else could send them. They are read with each request, so there is no session that could outlive that of the proxy.
 */
import type { BlockList } from 'node:net'
import type { Context } from 'hono'
import type { User } from '../../model/index.ts'
import type { Clock, Users } from '../../ports/index.ts'
import { isTrustedPeer } from '../client-address.ts'
import { Problem } from '../problem.ts'
import { createExternalUsers } from './external-users.ts'
import { groupsInHeader } from './group-roles.ts'
import type { SignInSettings } from './settings.ts'

/** Undefined if the request has no header that is believed. Throws a Problem if the user has no account and gets none. */
export type FindProxyUser = (c: Context) => Promise<User | undefined>

export function createFindProxyUser({
  users,
  clock,
  trustProxy,
  signIn,
}: {
  users: Users
  clock: Clock
  trustProxy?: BlockList | undefined
  signIn?: SignInSettings | undefined
}): FindProxyUser {
  const headers = signIn?.proxyHeaders
  if (!headers) return async () => undefined
  const external = createExternalUsers({ users, clock, settings: signIn })
  /** A page sends several requests at once: the others find the account that the first has created. */
  const createOnce = (name: string, groups: string[]) =>
    external.create(name, groups).catch(async (error: unknown) => {
      const created = error instanceof Problem && error.status === 409 && (await users.userByName(name))
      if (!created) throw error
      return created
    })
  return async (c) => {
    const name = c.req.header(headers.user)?.trim()
    if (!name || !isTrustedPeer(c, trustProxy)) return undefined
    const groups = headers.groups === '' ? [] : groupsInHeader(c.req.header(headers.groups))
    const account = (await users.userByName(name)) ?? (await createOnce(name, groups))
    if (!('password' in account)) return account
    const { password: _, ...user } = account
    return external.applyRole(user, groups)
  }
}
