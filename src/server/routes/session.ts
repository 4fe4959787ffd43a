/** Logging in and out, and the current user. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { deleteCookie, setCookie } from 'hono/cookie'
import { OPERATIONS } from '../../api/index.ts'
import { hashOfSecret, newSecret } from '../../credentials/index.ts'
import { DAY, SECOND } from '../../model/index.ts'
import { removeDevicesOfSession } from '../../notifications/index.ts'
import { tokenShape, userShape } from '../../views/index.ts'
import { createAccounts } from '../accounts.ts'
import { type Caller, callerOf, SESSION_COOKIE } from '../authorize.ts'
import { isSecure } from '../client-address.ts'
import { Problem } from '../problem.ts'
import type { AuthenticatedParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'
import { accountProblem } from './users.ts'

const SESSION_MS = 30 * DAY
const MAX_NAME_LENGTH = 100

export function sessionRoutes(parts: AuthenticatedParts): OpenAPIHono {
  const { users, clock, trustProxy, checkPassword } = parts
  const accounts = createAccounts(parts)
  const shapeOf = (caller: Caller) => ({
    ...callerShape(caller),
    ...(parts.proxyMedia && { proxiesMedia: true as const }),
  })
  const app = validatedRoutes()

  app.openapi(OPERATIONS.getSession, (c) => c.json(shapeOf(callerOf(c)), 200))

  app.openapi(OPERATIONS.logIn, async (c) => {
    const { name, password } = c.req.valid('json')
    const user = await checkPassword(c, name, password)
    const [secret, now] = [newSecret(), clock.now()]
    const browser = (c.req.header('user-agent') ?? 'a browser').slice(0, MAX_NAME_LENGTH)
    const session = { kind: 'session', name: browser, addedAt: now, usedAt: now, endsAt: now + SESSION_MS } as const
    await users.addCredential({ ...session, userId: user.id, scope: user.scope }, hashOfSecret(secret))
    const secure = isSecure(c, trustProxy)
    setCookie(c, SESSION_COOKIE, secret, {
      path: '/',
      httpOnly: true,
      sameSite: 'Strict',
      secure,
      maxAge: SESSION_MS / SECOND,
    })
    return c.json(shapeOf({ user, scope: user.scope }), 200)
  })

  app.openapi(OPERATIONS.logInProgram, async (c) => {
    const { name, password, token: program, scope } = c.req.valid('json')
    const user = await checkPassword(c, name, password)
    const { token, secret } = await accounts
      .addToken(user.id, { name: program, scope: scope ?? user.scope })
      .catch(accountProblem)
    return c.json({ token: tokenShape(token), secret }, 201)
  })

  app.openapi(OPERATIONS.logOut, async (c) => {
    const { credential } = callerOf(c)
    if (credential) {
      await users.removeCredentials(credential.userId, { id: credential.id })
      await removeDevicesOfSession(parts, credential.userId, credential.id)
    }
    deleteCookie(c, SESSION_COOKIE, { path: '/' })
    return c.body(null, 204)
  })

  app.openapi(OPERATIONS.changePassword, async (c) => {
    const { user, credential } = callerOf(c)
    if (!user) throw new Problem(400, 'not logged in', 'create an account with freshet user add NAME')
    const { old, new: password } = c.req.valid('json')
    await checkPassword(c, user.name, old)
    await accounts.change(user.id, { password }, credential?.id).catch(accountProblem)
    return c.body(null, 204)
  })
  return app
}

function callerShape({ user, scope }: Caller) {
  return { ...(user && { user: userShape(user) }), ...(scope && { scope }) }
}
