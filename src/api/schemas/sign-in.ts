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
    hasPasskeys: z.boolean().describe('Whether passkeys work at this address.'),
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

const passkeySchema = z
  .strictObject({
    id: z.string().describe('The id of the credential, in base64url.'),
    name: z.string().describe('Chosen by its owner.'),
    addedAt: date,
    usedAt: date.optional(),
  })
  .openapi('Passkey')

export type PasskeyShape = z.infer<typeof passkeySchema>

export const passkeyNameInput = z.string().trim().min(1).max(100).describe('a name for the passkey, such as its device')

/** Members that the WebAuthn standard adds are passed on. */
export const credentialOptionsSchema = z
  .looseObject({ challenge: z.string() })
  .describe('Options for navigator.credentials, as JSON of the WebAuthn standard.')

export type CredentialOptionsShape = z.infer<typeof credentialOptionsSchema>

export const credentialInput = z
  .looseObject({
    id: z.string().max(1400),
    rawId: z.string().max(1400),
    type: z.literal('public-key'),
    response: z.looseObject({ clientDataJSON: z.string(), userHandle: z.string().nullish() }),
    clientExtensionResults: z.looseObject({}),
  })
  .describe('a credential as the JSON of the WebAuthn standard')

export const accountSchema = z
  .strictObject({
    hasPassword: z.boolean(),
    secondFactor: z
      .strictObject({ addedAt: date, recoveryCodes: z.int().describe('How many are left.') })
      .optional()
      .describe('Absent if password logins need no code.'),
    passkeys: z.array(passkeySchema),
    identities: z.array(identitySchema).describe('Linked accounts at the OpenID Connect provider.'),
  })
  .openapi('Account')

export type AccountShape = z.infer<typeof accountSchema>
