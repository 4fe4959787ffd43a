/** Starts the session of a browser that has signed in. The session that it had before ends. */
import type { BlockList } from 'node:net'
import type { Context } from 'hono'
import { setCookie } from 'hono/cookie'
import { hashOfSecret, newSecret } from '../../credentials/index.ts'
import { DAY, type Millis, SECOND, type SignInMethod, type User } from '../../model/index.ts'
import type { Clock, Users } from '../../ports/index.ts'
import { callerOf, SESSION_COOKIE } from '../authorize.ts'
import { addressOfClient, isSecure } from '../client-address.ts'

const SESSION_MS: Millis = 30 * DAY
const MAX_NAME_LENGTH = 200

export async function startSession(
  c: Context,
  { user, method }: { user: User; method: SignInMethod },
  { users, clock, trustProxy }: { users: Users; clock: Clock; trustProxy?: BlockList },
): Promise<void> {
  const [secret, now] = [newSecret(), clock.now()]
  const { credential: previous } = callerOf(c)
  const session = {
    userId: user.id,
    kind: 'session',
    name: (c.req.header('user-agent') ?? 'a browser').slice(0, MAX_NAME_LENGTH),
    scope: user.scope,
    addedAt: now,
    usedAt: now,
    endsAt: now + SESSION_MS,
    method,
    address: addressOfClient(c, trustProxy),
  } as const
  await users.addCredential(session, hashOfSecret(secret))
  if (previous?.kind === 'session') await users.removeCredentials(previous.userId, { id: previous.id })
  setCookie(c, SESSION_COOKIE, secret, {
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    secure: isSecure(c, trustProxy),
    maxAge: SESSION_MS / SECOND,
  })
}
