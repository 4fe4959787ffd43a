/**
 * Authentication and authorization of API requests. Callers authenticate by a token (`Authorization: Bearer`, or as the password of `Basic`)
 * by a session cookie, or by the headers of a trusted proxy. Without accounts, every caller who can reach the server is an admin: that is a single user on their own machine,
 * or a server whose operator disabled logins. The command line on the same machine has a key of its own, stored beside the store.
 */
import { timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie } from 'hono/cookie'
import type { TokenScope } from '../api/index.ts'
import { hashOfSecret } from '../credentials/index.ts'
import { type AccessScope, type Credential, includesScope, type User, type UserId } from '../model/index.ts'
import type { Clock, Users } from '../ports/index.ts'
import type { SubscribingUser } from './address-subscriber.ts'
import { isLoginOptional, type PresentedCredential, verifyPresentedCredential } from './credentials.ts'
import { decodeIfPossible } from './percent-decoding.ts'
import { Problem } from './problem.ts'
import type { FindProxyUser } from './sign-in/proxy-user.ts'
import { requestedOperation } from './validation.ts'

export interface Caller {
  /** Undefined if the caller is not authenticated. */
  scope: AccessScope | undefined
  user?: User
  credential?: Credential
  /** The caller has the local key and may act as any user. */
  isLocal?: true
  /** A trusted proxy has signed in the user. */
  isProxied?: true
}

export interface IdentifyParts {
  users: Users
  clock: Clock
  /** Every caller is an admin, even if there are accounts. */
  isLoginDisabled: boolean
  localKey?: string | undefined
  /** Login is required even without accounts: other machines can reach the server. */
  requiresAccount: () => boolean
  /** Called for credentials that are unknown or not valid here. */
  onInvalidCredential: (c: Context) => void
  findProxyUser: FindProxyUser
}

export const SESSION_COOKIE = 'freshet_session'

export function callerOf(c: Context): Caller {
  return c.get('caller') as Caller
}

/** The user that the request is about. Callers without an account, or with the local key, act as the first user. */
export function userIdOf(c: Context): Promise<UserId> {
  return (c.get('resolveUserId') as () => Promise<UserId>)()
}

/** The user for whom addresses are added. */
export async function subscribingUserOf(c: Context): Promise<SubscribingUser> {
  return { userId: await userIdOf(c), signal: c.req.raw.signal, isLocal: callerOf(c).isLocal }
}

/** Whether the caller would still be authenticated now. */
export async function isStillAllowed(c: Context): Promise<boolean> {
  const { scope } = await (c.get('identifyAgain') as () => Promise<Caller>)()
  return scope !== undefined
}

export function identifyCaller(parts: IdentifyParts): MiddlewareHandler {
  return async (c, next) => {
    const caller = await identify(parts, c)
    if (caller.scope === undefined && credentialIn(c)) parts.onInvalidCredential(c)
    c.set('identifyAgain', () => identify(parts, c))
    c.set('caller', caller)
    c.set('resolveUserId', () => selectUser(caller, parts.users, c.req.header('freshet-user')))
    await next()
  }
}

async function selectUser({ user, isLocal }: Caller, users: Users, header: string | undefined): Promise<UserId> {
  if (user) return user.id
  if (!isLocal || !header) return users.firstUser()
  const name = decodeIfPossible(header)
  const found = await users.userByName(name)
  if (found) return found.id
  throw new Problem(404, `there is no user "${name}"`, 'freshet user list shows all users')
}

async function identify(
  { users, clock, isLoginDisabled, localKey, requiresAccount, findProxyUser }: IdentifyParts,
  c: Context,
): Promise<Caller> {
  // A token says for whom a program acts; a cookie may be left from another user.
  const proxied = c.req.header('authorization') === undefined ? await findProxyUser(c) : undefined
  if (proxied) return { scope: proxied.scope, user: proxied, isProxied: true }
  const credential = credentialIn(c)
  if (credential) {
    if (localKey !== undefined && isBearer(c) && isEqualSecret(credential.secret, localKey))
      return { scope: 'admin', isLocal: true }
    const found = await verifyPresentedCredential(credential, { users, clock })
    if (found) return found
  }
  if (await isLoginOptional({ users, isLoginDisabled, requiresAccount })) return { scope: 'admin' }
  return { scope: undefined }
}

function credentialIn(c: Context): PresentedCredential | undefined {
  const [, scheme = '', encodedSecret = ''] = /^(bearer|basic) (\S+)$/i.exec(c.req.header('authorization') ?? '') ?? []
  if (/^bearer$/i.test(scheme)) return { secret: encodedSecret, kinds: ['token', 'corpus'] }
  if (/^basic$/i.test(scheme))
    return {
      secret: Buffer.from(encodedSecret, 'base64')
        .toString()
        .replace(/^[^:]*:/, ''),
      kinds: ['token', 'corpus'],
    }
  const cookie = getCookie(c, SESSION_COOKIE)
  return cookie === undefined ? undefined : { secret: cookie, kinds: ['session'] }
}

function isBearer(c: Context): boolean {
  return /^bearer /i.test(c.req.header('authorization') ?? '')
}

function isEqualSecret(a: string, b: string): boolean {
  return timingSafeEqual(hashOfSecret(a), hashOfSecret(b))
}

/** Paths that are no API operation, such as feeds and metrics, require the read scope. */
export const requireScope: MiddlewareHandler = async (c, next) => {
  const [caller, operation] = [callerOf(c), requestedOperation(c)]
  assertScope(caller, operation?.['x-scope'] ?? 'read')
  if (
    caller.credential?.kind === 'corpus' &&
    (operation?.tags.some((tag) => PERSONAL_TAGS.has(tag)) || c.req.path === SUBSCRIPTIONS_PATH)
  )
    throw new Problem(403, 'a corpus token reads the crawl, not user data', 'use another token')
  await next()
}

/** Tags of operations on user data. */
const PERSONAL_TAGS: ReadonlySet<string> = new Set([
  'subscriptions',
  'reading',
  'labels',
  'rules',
  'searches',
  'feeds out',
  'webhooks',
  'destinations',
  'notifications',
  'users',
])
const SUBSCRIPTIONS_PATH = '/subscriptions.opml'

function assertScope({ scope }: Caller, needed: TokenScope): void {
  if (needed === 'none') return
  if (scope === undefined) throw new Problem(401, 'login required', 'log in, or send a token: Authorization: Bearer …')
  if (!includesScope(scope, needed))
    throw new Problem(
      403,
      `this needs ${needed} access, and you have ${scope} access`,
      'ask the operator of this server',
    )
}
