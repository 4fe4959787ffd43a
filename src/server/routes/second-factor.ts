/** The second factor of the current user, and its removal by admins. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import type { UserId } from '../../model/index.ts'
import { Problem } from '../problem.ts'
import { publicBase } from '../public-address.ts'
import type { AuthenticatedParts } from '../server-parts.ts'
import { recentlySignedInUser } from '../sign-in/signed-in-user.ts'
import { validatedRoutes } from '../validation.ts'

export function secondFactorRoutes(parts: AuthenticatedParts): OpenAPIHono {
  const { users, clock, secondFactors, limitCodes } = parts
  const app = validatedRoutes()

  app.openapi(OPERATIONS.startSecondFactor, async (c) => {
    const { user } = recentlySignedInUser(c, clock)
    const { host } = new URL(publicBase(c, parts))
    return c.json(await secondFactors.begin(user, `Freshet (${host})`), 200)
  })

  app.openapi(OPERATIONS.confirmSecondFactor, async (c) => {
    const { user, session } = recentlySignedInUser(c, clock)
    const { code } = c.req.valid('json')
    const recoveryCodes = await limitCodes(c, user, () => secondFactors.confirm(user.id, code))
    const others = (await users.credentialsOf(user.id, clock.now())).filter(
      ({ id, kind }) => kind === 'session' && id !== session.id,
    )
    for (const { id } of others) await users.removeCredentials(user.id, { id }) // signed in without the second factor
    return c.json({ recoveryCodes }, 200)
  })

  app.openapi(OPERATIONS.removeSecondFactor, async (c) => {
    const { user } = recentlySignedInUser(c, clock)
    if (!(await secondFactors.remove(user.id))) throw none(user.name)
    return c.body(null, 204)
  })

  app.openapi(OPERATIONS.removeSecondFactorOf, async (c) => {
    const id = c.req.valid('param').id as UserId
    const user = (await users.allUsers()).find((one) => one.id === id)
    if (!user) throw new Problem(404, `there is no user ${id}`, 'it may have been removed meanwhile')
    if (!(await secondFactors.remove(id))) throw none(user.name)
    return c.body(null, 204)
  })
  return app
}

function none(name: string): Problem {
  return new Problem(404, `${name} has no second factor`, 'there is nothing to remove')
}
