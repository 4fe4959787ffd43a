/** The sessions of the current user. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import type { Credential, CredentialId } from '../../model/index.ts'
import { userSessionShape } from '../../views/index.ts'
import { notFound } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'
import { signedInUser } from '../sign-in/signed-in-user.ts'
import { validatedRoutes } from '../validation.ts'

const isSession = ({ kind }: Credential) => kind === 'session' || kind === 'google-reader'
const lastUse = ({ usedAt, addedAt }: Credential) => usedAt ?? addedAt

export function userSessionRoutes({ users, clock }: ServerParts): OpenAPIHono {
  const app = validatedRoutes()

  app.openapi(OPERATIONS.listSessions, async (c) => {
    const { user, session } = signedInUser(c)
    const sessions = (await users.credentialsOf(user.id, clock.now())).filter(isSession)
    sessions.sort((a, b) => lastUse(b) - lastUse(a))
    return c.json({ sessions: sessions.map((one) => userSessionShape(one, session.id)) }, 200)
  })

  app.openapi(OPERATIONS.endSession, async (c) => {
    const { user } = signedInUser(c)
    const id = c.req.valid('param').id as CredentialId
    const found = (await users.credentialsOf(user.id, clock.now())).some((one) => one.id === id && isSession(one))
    if (!found || (await users.removeCredentials(user.id, { id })) === 0) throw notFound('session', id)
    return c.body(null, 204)
  })

  app.openapi(OPERATIONS.endOtherSessions, async (c) => {
    const { user, session } = signedInUser(c)
    const others = (await users.credentialsOf(user.id, clock.now())).filter(
      (one) => isSession(one) && one.id !== session.id,
    )
    for (const { id } of others) await users.removeCredentials(user.id, { id })
    return c.body(null, 204)
  })
  return app
}
