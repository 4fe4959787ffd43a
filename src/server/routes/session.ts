/** Logging in and out, and the current user. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { deleteCookie } from 'hono/cookie'
import { type CallerShape, OPERATIONS } from '../../api/index.ts'
import { removeDevicesOfSession } from '../../notifications/index.ts'
import { tokenShape, userShape } from '../../views/index.ts'
import { createAccounts } from '../accounts.ts'
import { type Caller, callerOf, SESSION_COOKIE } from '../authorize.ts'
import { Problem } from '../problem.ts'
import type { AuthenticatedParts, ServerParts } from '../server-parts.ts'
import { startSession } from '../sign-in/start-session.ts'
import { validatedRoutes } from '../validation.ts'
import { accountProblem } from './users.ts'

export function sessionRoutes(parts: AuthenticatedParts): OpenAPIHono {
  const { users, checkPassword, checkLogin } = parts
  const accounts = createAccounts(parts)
  const shapeOf = (caller: Caller) => sessionShape(caller, parts)
  const app = validatedRoutes()

  app.openapi(OPERATIONS.getSession, (c) => c.json(shapeOf(callerOf(c)), 200))

  app.openapi(OPERATIONS.logIn, async (c) => {
    const user = await checkLogin(c, c.req.valid('json'))
    await startSession(c, { user, method: 'password' }, parts)
    return c.json(shapeOf({ user, scope: user.scope }), 200)
  })

  app.openapi(OPERATIONS.logInProgram, async (c) => {
    const { token: program, scope, ...login } = c.req.valid('json')
    const user = await checkLogin(c, login)
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

export function sessionShape(
  { user, scope, credential, isProxied }: Caller,
  { proxyMedia }: Pick<ServerParts, 'proxyMedia'>,
): CallerShape {
  const method = isProxied ? ('proxy' as const) : credential?.method
  return {
    ...(user && { user: userShape(user) }),
    ...(scope && { scope }),
    ...(method && { method }),
    ...(proxyMedia && { proxiesMedia: true as const }),
  }
}
