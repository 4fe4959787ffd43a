/** How users sign in, and the sessions that they have. */
import { z } from '@hono/zod-openapi'
import { SIGN_IN_METHODS } from '../../model/index.ts'
import { date, id } from './values.ts'

export const userSessionSchema = z
  .strictObject({
    id,
    name: z.string().describe('The browser or program, as it named itself.'),
    kind: z.enum(['browser', 'reader']).describe('reader: a client of the Google Reader API.'),
    method: z
      .enum(SIGN_IN_METHODS)
      .optional()
      .describe('How the user signed in. Absent for sessions of earlier versions.'),
    address: z.string().optional().describe('The network address of the client when it signed in.'),
    addedAt: date,
    usedAt: date.optional().describe('When it was last used, to the minute.'),
    endsAt: date.optional(),
    isCurrent: z.literal(true).optional().describe('The session of this request.'),
  })
  .openapi('UserSession')

export type UserSessionShape = z.infer<typeof userSessionSchema>

export const signInWaysSchema = z
  .strictObject({
    hasPasswords: z.boolean().describe('False if the operator has turned passwords and passkeys off.'),
    oidc: z
      .strictObject({ label: z.string().describe('The name of the provider.') })
      .optional()
      .describe('An OpenID Connect provider is configured.'),
  })
  .openapi('SignInWays')

export type SignInWaysShape = z.infer<typeof signInWaysSchema>

const identitySchema = z
  .strictObject({ id, name: z.string().describe('Its e-mail address or name there.'), addedAt: date })
  .openapi('Identity')

export type IdentityShape = z.infer<typeof identitySchema>

export const accountSchema = z
  .strictObject({
    hasPassword: z.boolean(),
    secondFactor: z
      .strictObject({ addedAt: date, recoveryCodes: z.int().describe('How many are left.') })
      .optional()
      .describe('Absent if password logins need no code.'),
    identities: z.array(identitySchema).describe('Linked accounts at the OpenID Connect provider.'),
  })
  .openapi('Account')

export type AccountShape = z.infer<typeof accountSchema>
