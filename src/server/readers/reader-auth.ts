/**
 * Authentication of feed readers. Each protocol sends its credentials in its own way: a header of Google's, one of Miniflux's, or Basic
 * authentication. A token is accepted wherever a password is. Cookies are not accepted, so pages in a browser cannot use them; without
 * login, requests from other sites are rejected, as in the API.
 */
import { createHash } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import {
  type AccessScope,
  type Credential,
  includesScope,
  setBounded,
  type User,
  type UserId,
} from '../../model/index.ts'
import { isCrossSite } from '../browser-security.ts'
import type { LoggedChange } from '../change-log.ts'
import {
  isLoginOptional,
  type PresentedCredential,
  type VerifiedCredential,
  verifyPresentedCredential,
} from '../credentials.ts'
import { Problem } from '../problem.ts'
import { rateLimit } from '../rate-limit.ts'
import type { AuthenticatedParts } from '../server-parts.ts'

interface Reader {
  userId: UserId
  /** Empty if no login is required. */
  name: string
  scope: AccessScope
}

/** The credentials of a request: a token, or a name with a password or token. */
export interface PresentedLogin extends PresentedCredential {
  name?: string
  /** For what is no stored credential itself. */
  verify?: (secret: string) => Promise<VerifiedCredential | undefined>
}

/** Checking a password takes a good part of a second of CPU, so recent results are cached. */
const MAX_CACHED = 1000

export interface ReaderAuth {
  /** Whether requests need no login. */
  isOptional(): Promise<boolean>
  /** `user` is undefined if no login is required and the request has no credentials. */
  authenticateUser(
    c: Context,
    presented: PresentedLogin | undefined,
  ): Promise<{ user?: User; credential?: Credential; reader: Reader }>
  /** Authenticates by what `proofIn` finds in the request, and only then reads the body. */
  authenticateReader(
    readCredential: (c: Context) => PresentedLogin | undefined | Promise<PresentedLogin | undefined>,
  ): MiddlewareHandler
}

export function currentReader(c: Context): Reader {
  return c.get('reader') as Reader
}

/** For requests that change something. */
export function requireWrite(c: Context): Reader {
  const reader = currentReader(c)
  if (!includesScope(reader.scope, 'write'))
    throw new Problem(
      403,
      `this needs write access, and you have ${reader.scope} access`,
      'ask the operator of this server',
    )
  return reader
}

export function requireAdmin(c: Context): Reader {
  const reader = currentReader(c)
  if (reader.scope !== 'admin') throw new Problem(403, 'this is for admins', 'ask the operator of this server')
  return reader
}

/** For the log of changes. */
export function changeMadeBy({ name }: Reader, operation: string, target?: string): LoggedChange {
  return { ...(name && { user: name }), operation, ...(target !== undefined && { target }) }
}

export function createReaderAuth(parts: AuthenticatedParts): ReaderAuth {
  const {
    users,
    clock,
    checkPassword,
    countInvalidToken,
    secondFactors,
    listenWithoutLogin = false,
    trustProxy,
    requiresAccount,
    readBody,
  } = parts
  const rate = rateLimit(clock, trustProxy)
  /** The stored password hash that was verified, by the hash of name and password. */
  const verifiedHashes = new Map<string, string>()

  async function verifyCachedPassword(c: Context, name: string, password: string): Promise<User> {
    const key = createHash('sha256').update(`${name.toLowerCase()}\n${password}`).digest('base64')
    const account = await users.userByName(name)
    if (account && verifiedHashes.get(key) === account.password) {
      const { password: _, ...user } = account // as it is now: the account may be allowed less
      return user
    }
    const user = await checkPassword(c, name, password)
    if (account) setBounded(verifiedHashes, key, account.password, MAX_CACHED)
    return user
  }

  const isOptional = () => isLoginOptional({ users, isLoginDisabled: listenWithoutLogin, requiresAccount })

  const verifyPresented = (presented: PresentedLogin) =>
    presented.verify ? presented.verify(presented.secret) : verifyPresentedCredential(presented, { users, clock })

  async function authenticateUser(c: Context, presented: PresentedLogin | undefined) {
    const found = presented && (await verifyPresented(presented))
    if (found && (presented.name === undefined || presented.name.toLowerCase() === found.user.name.toLowerCase())) {
      const { user, credential, scope } = found
      return { user, credential, reader: { userId: user.id, name: user.name, scope } }
    }
    if (await isOptional()) return { reader: { userId: await users.firstUser(), name: '', scope: 'admin' as const } }
    if (presented?.name !== undefined) {
      const user = await verifyCachedPassword(c, presented.name, presented.secret)
      // A password without the second factor manages no accounts and tokens.
      const isPartial = user.scope === 'admin' && (await secondFactors.status(user.id)) !== undefined
      return { user, reader: { userId: user.id, name: user.name, scope: isPartial ? 'write' : user.scope } }
    }
    // A wrong token counts as a failed attempt; a missing one does not.
    if (presented) countInvalidToken(c, presented.secret)
    throw new Problem(401, 'login required', 'log in with user name and password, or a token')
  }

  return {
    isOptional,
    authenticateUser,
    authenticateReader: (readCredential) => async (c, next) => {
      const { reader, user, credential } = await authenticateUser(c, await readCredential(c))
      c.set('reader', reader)
      c.set('caller', { scope: reader.scope, ...(user && { user }), ...(credential && { credential }) })
      await rate(c, async () => void (await readBody(c, next)))
    },
  }
}

/** Name and password of Basic authentication. */
export function basicCredential(c: Context): PresentedLogin | undefined {
  const [, encoded] = /^basic ([\w+/=-]{1,4000})$/i.exec(c.req.header('authorization') ?? '') ?? []
  if (encoded === undefined) return undefined
  const [, name = '', secret = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  return { name, secret, kinds: ['token'] }
}

/** A page of another site may send forms here; the browser names that site. */
export const rejectCrossSiteRequests: MiddlewareHandler = async (c, next) => {
  if (isCrossSite(c))
    throw new Problem(403, 'the request comes from another site', 'this API is for feed readers, not for pages')
  await next()
}
