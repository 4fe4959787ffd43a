/** User accounts and API tokens. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { OPERATIONS } from '../../api/index.ts'
import type { CredentialId, UserId } from '../../model/index.ts'
import { tokenShape, userShape } from '../../views/index.ts'
import { AccountError, createAccounts } from '../accounts.ts'
import { callerOf } from '../authorize.ts'
import { Problem } from '../problem.ts'
import type { AuthenticatedParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

export function userRoutes(parts: AuthenticatedParts): OpenAPIHono {
  const accounts = createAccounts(parts)
  const app = validatedRoutes()

  app.openapi(OPERATIONS.listUsers, async (c) => {
    const [users, secured] = await Promise.all([accounts.list(), parts.secondFactors.usersWithOne()])
    const shapes = users.map((user) => ({
      ...userShape(user),
      ...(secured.has(user.id) && { hasSecondFactor: true as const }),
    }))
    return c.json({ users: shapes }, 200)
  })

  app.openapi(OPERATIONS.addUser, async (c) => {
    const { name, password, scope } = c.req.valid('json')
    return c.json(userShape(await accounts.add(name, password, scope).catch(accountProblem)), 201)
  })

  app.openapi(OPERATIONS.editUser, async (c) => {
    const { scope, password } = c.req.valid('json')
    const change = { ...(scope && { scope }), ...(password !== undefined && { password }) }
    await accounts.change(c.req.valid('param').id as UserId, change).catch(accountProblem)
    return c.body(null, 204)
  })

  app.openapi(OPERATIONS.removeUser, async (c) => {
    await accounts.remove(c.req.valid('param').id as UserId).catch(accountProblem)
    return c.body(null, 204)
  })

  app.openapi(OPERATIONS.listTokens, async (c) => {
    const tokens = await accounts.listTokens(assertOwnOrAdmin(c, c.req.valid('param').id)).catch(accountProblem)
    return c.json({ tokens: tokens.map(tokenShape) }, 200)
  })

  app.openapi(OPERATIONS.addToken, async (c) => {
    const newToken = c.req.valid('json')
    if (newToken.for === 'corpus' && callerOf(c).scope !== 'admin')
      throw new Problem(403, 'only admins create corpus tokens', 'ask the operator of this server')
    const { token, secret } = await accounts
      .addToken(assertOwnOrAdmin(c, c.req.valid('param').id), newToken)
      .catch(accountProblem)
    return c.json({ token: tokenShape(token), secret }, 201)
  })

  app.openapi(OPERATIONS.revokeToken, async (c) => {
    const { id, token } = c.req.valid('param')
    await accounts.revokeToken(assertOwnOrAdmin(c, id), token as CredentialId).catch(accountProblem)
    return c.body(null, 204)
  })
  return app
}

/** Tokens cannot create tokens, which could have more rights or outlive them: only users who are logged in, and admins, manage tokens. */
function assertOwnOrAdmin(c: Context, id: number): UserId {
  const { scope, user, credential, isProxied } = callerOf(c)
  const isOwn = user?.id === id && (credential?.kind === 'session' || isProxied)
  if (scope === 'admin' || isOwn) return id as UserId
  throw new Problem(403, 'users manage their own tokens', 'log in, or ask the operator of this server')
}

export function accountProblem(error: unknown): never {
  if (!(error instanceof AccountError)) throw error
  const status = { wrong: 400, taken: 409, gone: 404 } as const
  throw new Problem(status[error.kind], error.message, error.hint)
}
