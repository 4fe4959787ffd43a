/** How users can sign in here, and signing in through an OpenID Connect provider. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { OPERATIONS } from '../../api/index.ts'
import { SECOND } from '../../model/index.ts'
import { callerOf } from '../authorize.ts'
import { isSecure } from '../client-address.ts'
import { Problem } from '../problem.ts'
import { publicBase } from '../public-address.ts'
import type { AuthenticatedParts } from '../server-parts.ts'
import { createOidcSignIn, type OidcSignIn, SIGN_IN_MS } from '../sign-in/oidc-sign-in.ts'
import { relyingPartyAt } from '../sign-in/passkeys.ts'
import { ownPath } from '../sign-in/return-path.ts'
import { recentlySignedInUser } from '../sign-in/signed-in-user.ts'
import { startSession } from '../sign-in/start-session.ts'
import { validatedRoutes } from '../validation.ts'
import { sessionShape } from './session.ts'

const STATE_COOKIE = 'freshet_sign_in'
const COOKIE_PATH = '/api/v1/sign-in'

export function signInRoutes(parts: AuthenticatedParts): OpenAPIHono {
  const { users, clock, trustProxy, signIn: settings, onWarning = () => {} } = parts
  const oidc = settings?.oidc && createOidcSignIn({ users, clock, onWarning }, settings.oidc, settings)
  const redirectUri = (c: Context) => `${new URL(publicBase(c, parts)).origin}/sign-in`
  const app = validatedRoutes()

  function configured(): OidcSignIn {
    if (oidc) return oidc
    throw new Problem(404, 'no sign-in provider is configured', 'set --oidc-issuer')
  }

  app.openapi(OPERATIONS.getSignInWays, (c) => {
    const hasPasswords = settings?.oidc?.isOnly !== true
    const label = settings?.oidc && { oidc: { label: settings.oidc.label } }
    const hasPasskeys = hasPasswords && relyingPartyAt(publicBase(c, parts)) !== undefined
    return c.json({ hasPasswords, hasPasskeys, ...label }, 200)
  })

  app.openapi(OPERATIONS.startOidc, async (c) => {
    const { returnTo, link } = c.req.valid('json')
    const linkTo = link ? recentlySignedInUser(c, clock).user.id : undefined
    const { url, state } = await configured().start(redirectUri(c), { returnTo: ownPath(returnTo), linkTo })
    setCookie(c, STATE_COOKIE, state, {
      path: COOKIE_PATH,
      httpOnly: true,
      sameSite: 'Strict',
      secure: isSecure(c, trustProxy),
      maxAge: SIGN_IN_MS / SECOND,
    })
    return c.json({ url }, 200)
  })

  app.openapi(OPERATIONS.finishOidc, async (c) => {
    const { answer } = c.req.valid('json')
    const { user: current } = callerOf(c)
    const { user, returnTo, isLinked } = await configured().finish(answer, getCookie(c, STATE_COOKIE), current)
    deleteCookie(c, STATE_COOKIE, { path: COOKIE_PATH })
    if (!isLinked) await startSession(c, { user, method: 'oidc' }, parts)
    return c.json({ session: sessionShape({ user, scope: user.scope }, parts), returnTo }, 200)
  })

  app.openapi(OPERATIONS.endOidcSession, async (c) => {
    const url = await configured().endSessionUrl(`${new URL(publicBase(c, parts)).origin}/`)
    return c.json({ ...(url !== undefined && { url }) }, 200)
  })
  return app
}
