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
