/** Users, API tokens, and the current session. */
import { z } from '@hono/zod-openapi'
import { SIGN_IN_METHODS } from '../../model/index.ts'
import { date, id } from './values.ts'

export const scopeSchema = z
  .enum(['read', 'write', 'admin'])
  .describe('"read", "write" or "admin"; each includes the previous ones')

export const userSchema = z
  .strictObject({
    id,
    name: z.string(),
    scope: scopeSchema,
    addedAt: date,
    hasSecondFactor: z
      .literal(true)
      .optional()
      .describe('In the list of accounts: logins with a password need a code.'),
  })
  .openapi('User')

export type UserShape = z.infer<typeof userSchema>

export const tokenSchema = z
  .strictObject({
    id,
    name: z.string().describe('A name chosen by its owner.'),
    scope: scopeSchema,
    for: z
      .enum(['fever', 'corpus'])
      .optional()
      .describe(
        'fever: only for the Fever API. corpus: reads the whole crawl. Absent: for the API and all other protocols.',
      ),
    addedAt: date,
    usedAt: date.optional().describe('When it was last used, to the minute.'),
  })
  .openapi('Token')

export type TokenShape = z.infer<typeof tokenSchema>

export const callerSchema = z
  .strictObject({
    user: userSchema.optional().describe('Absent if nobody is logged in, or if there are no accounts.'),
    scope: scopeSchema.optional().describe('The scope of the current request. Absent: login required.'),
    method: z
      .enum([...SIGN_IN_METHODS, 'proxy'])
      .optional()
      .describe('How the user signed in. proxy: by headers of a trusted proxy. Absent for tokens.'),
    proxiesMedia: z
      .literal(true)
      .optional()
      .describe('Audio and video are loaded through this server (--proxy-media).'),
  })
  .openapi('Session')

export type CallerShape = z.infer<typeof callerSchema>

export const passwordInput = z.string().max(500).describe('a password of 10 to 500 characters')
export const userNameInput = z.string().max(64).describe('a name of 1 to 64 letters and digits')
export const codeInput = z
  .string()
  .min(6)
  .max(40)
  .describe('a code of the second factor: six digits of an app, or a recovery code')
