/** Accounts, and the tokens of their programs. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { OPERATIONS } from '../../api/index.ts'
import type { PassId, PersonId } from '../../model/index.ts'
import { tokenShape, userShape } from '../../views/index.ts'
import { AccountError, createAccounts } from '../accounts.ts'
import { callerOf } from '../authorize.ts'
import { Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

export function userRoutes(parts: ServerParts): OpenAPIHono {
  const accounts = createAccounts(parts)
  const app = validatedRoutes()

  app.openapi(OPERATIONS.listUsers, async (c) => c.json({ people: (await accounts.list()).map(userShape) }, 200))

  app.openapi(OPERATIONS.addUser, async (c) => {
    const { name, password, allows } = c.req.valid('json')
    return c.json(userShape(await accounts.add(name, password, allows).catch(accountProblem)), 201)
  })

  app.openapi(OPERATIONS.editUser, async (c) => {
    const { allows, password } = c.req.valid('json')
    const change = { ...(allows && { allows }), ...(password !== undefined && { password }) }
    await accounts.change(c.req.valid('param').id as PersonId, change).catch(accountProblem)
    return c.body(null, 204)
  })

  app.openapi(OPERATIONS.removeUser, async (c) => {
    await accounts.remove(c.req.valid('param').id as PersonId).catch(accountProblem)
    return c.body(null, 204)
  })

  app.openapi(OPERATIONS.listTokens, async (c) => {
    const tokens = await accounts.tokens(ownOrAny(c, c.req.valid('param').id)).catch(accountProblem)
    return c.json({ tokens: tokens.map(tokenShape) }, 200)
  })

  app.openapi(OPERATIONS.addToken, async (c) => {
    const given = c.req.valid('json')
    if (given.for === 'corpus' && callerOf(c).allows !== 'admin')
      throw new Problem(403, 'only admins create corpus tokens', 'ask the operator of this server')
    const { token, secret } = await accounts.addToken(ownOrAny(c, c.req.valid('param').id), given).catch(accountProblem)
    return c.json({ token: tokenShape(token), secret }, 201)
  })

  app.openapi(OPERATIONS.revokeToken, async (c) => {
    const { id, token } = c.req.valid('param')
    await accounts.revoke(ownOrAny(c, id), token as PassId).catch(accountProblem)
    return c.body(null, 204)
  })
  return app
}

/** A token makes no other tokens that could do more, or outlive it: only who is logged in, or an admin, looks after tokens. */
function ownOrAny(c: Context, id: number): PersonId {
  const { allows, person, pass } = callerOf(c)
  const isOwn = person?.id === id && pass?.kind === 'session'
  if (allows === 'admin' || isOwn) return id as PersonId
  throw new Problem(403, 'users manage their own tokens', 'log in, or ask the operator of this server')
}

export function accountProblem(error: unknown): never {
  if (!(error instanceof AccountError)) throw error
  const status = { wrong: 400, taken: 409, gone: 404 } as const
  throw new Problem(status[error.kind], error.message, error.hint)
}
