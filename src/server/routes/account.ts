/** The account of the current user: how they can sign in, and the accounts at a provider that are linked to it. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import type { CredentialId } from '../../model/index.ts'
import { identityShape } from '../../views/index.ts'
import { notFound, Problem } from '../problem.ts'
import type { AuthenticatedParts } from '../server-parts.ts'
import { NO_PASSWORD } from '../sign-in/external-users.ts'
import { recentlySignedInUser, signedInUser } from '../sign-in/signed-in-user.ts'
import { validatedRoutes } from '../validation.ts'

export function accountRoutes({ users, clock, secondFactors, passkeys }: AuthenticatedParts): OpenAPIHono {
  const app = validatedRoutes()
  const hasPassword = async (name: string) => (await users.userByName(name))?.password !== NO_PASSWORD

  app.openapi(OPERATIONS.getAccount, async (c) => {
    const { user } = signedInUser(c)
    const identities = (await users.credentialsOf(user.id, clock.now())).filter(({ kind }) => kind === 'identity')
    const secondFactor = await secondFactors.status(user.id)
    return c.json(
      {
        hasPassword: await hasPassword(user.name),
        ...(secondFactor && {
          secondFactor: { ...secondFactor, addedAt: new Date(secondFactor.addedAt).toISOString() },
        }),
        passkeys: await passkeys.list(user),
        identities: identities.map(identityShape),
      },
      200,
    )
  })

  app.openapi(OPERATIONS.unlinkIdentity, async (c) => {
    const { user } = recentlySignedInUser(c, clock)
    const id = c.req.valid('param').id as CredentialId
    const identities = (await users.credentialsOf(user.id, clock.now())).filter(({ kind }) => kind === 'identity')
    if (!identities.some((one) => one.id === id)) throw notFound('linked account', id)
    if (identities.length === 1 && !(await hasPassword(user.name)))
      throw new Problem(409, 'you could not sign in anymore', 'ask the operator of this server to set a password first')
    await users.removeCredentials(user.id, { id })
    return c.body(null, 204)
  })
  return app
}
