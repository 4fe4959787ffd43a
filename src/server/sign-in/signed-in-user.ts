/**
 * The sign-in of a user is managed only by that user, in a browser session: a token could otherwise outlive its revocation.
 * Changes of passwords, second factors and passkeys also need a recent sign-in, so that a browser that somebody left open is not enough.
 */
import type { Context } from 'hono'
import { type Credential, MINUTE, type Millis, type User } from '../../model/index.ts'
import type { Clock } from '../../ports/index.ts'
import { callerOf } from '../authorize.ts'
import { Problem } from '../problem.ts'

export const RECENT_SIGN_IN_MS: Millis = 15 * MINUTE

export function signedInUser(c: Context): { user: User; session: Credential } {
  const { user, credential } = callerOf(c)
  if (user && credential?.kind === 'session') return { user, session: credential }
  throw new Problem(403, 'this needs a browser session', 'sign in on the page; tokens do not manage sign-ins')
}

export function recentlySignedInUser(c: Context, clock: Clock): { user: User; session: Credential } {
  const found = signedInUser(c)
  if (clock.now() - found.session.addedAt <= RECENT_SIGN_IN_MS) return found
  throw new Problem(403, 'this needs a recent sign-in', 'sign in again', undefined, { needs: 'sign-in' })
}
