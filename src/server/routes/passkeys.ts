/** Passkeys of the current user, and signing in with one. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { OPERATIONS } from '../../api/index.ts'
import { Problem } from '../problem.ts'
import { publicBase } from '../public-address.ts'
import type { AuthenticatedParts } from '../server-parts.ts'
import { type RelyingParty, relyingPartyAt } from '../sign-in/passkeys.ts'
import { recentlySignedInUser } from '../sign-in/signed-in-user.ts'
import { startSession } from '../sign-in/start-session.ts'
import { validatedRoutes } from '../validation.ts'
import { sessionShape } from './session.ts'

export function passkeyRoutes(parts: AuthenticatedParts): OpenAPIHono {
  const { clock, passkeys, signIn } = parts
  const app = validatedRoutes()

  function partyOf(c: Context): RelyingParty {
    if (signIn?.oidc?.isOnly)
      throw new Problem(403, 'passkeys are turned off on this server', `sign in with ${signIn.oidc.label}`)
    const party = relyingPartyAt(publicBase(c, parts))
    if (party) return party
    throw new Problem(
      409,
      'passkeys need a host name, and https unless it is localhost',
      'open the page at such an address; the operator sets it with --public-url',
    )
  }

  app.openapi(OPERATIONS.startPasskey, async (c) => {
    const { user } = recentlySignedInUser(c, clock)
    return c.json({ options: await passkeys.startAdding(user, partyOf(c)) }, 200)
  })

  app.openapi(OPERATIONS.addPasskey, async (c) => {
    const { user } = recentlySignedInUser(c, clock)
    const { name, credential } = c.req.valid('json')
    await passkeys.add(user, partyOf(c), name, credential)
    return c.body(null, 204)
  })

  app.openapi(OPERATIONS.renamePasskey, async (c) => {
    const { user } = recentlySignedInUser(c, clock)
    if (!(await passkeys.rename(user, c.req.valid('param').passkey, c.req.valid('json').name))) throw unknown()
    return c.body(null, 204)
  })

  app.openapi(OPERATIONS.removePasskey, async (c) => {
    const { user } = recentlySignedInUser(c, clock)
    if (!(await passkeys.remove(user, c.req.valid('param').passkey))) throw unknown()
    return c.body(null, 204)
  })

  app.openapi(OPERATIONS.startPasskeySignIn, async (c) =>
    c.json({ options: await passkeys.startSignIn(partyOf(c)) }, 200),
  )

  app.openapi(OPERATIONS.signInWithPasskey, async (c) => {
    const user = await passkeys.signIn(partyOf(c), c.req.valid('json').credential)
    await startSession(c, { user, method: 'passkey' }, parts)
    return c.json(sessionShape({ user, scope: user.scope }, parts), 200)
  })
  return app
}

function unknown(): Problem {
  return new Problem(404, 'there is no such passkey', 'it may have been removed meanwhile')
}
