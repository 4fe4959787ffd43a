/** People, the tokens of their programs, and who is asking. */
import { z } from '@hono/zod-openapi'
import { date, id } from './values.ts'

export const allowanceSchema = z
  .enum(['read', 'write', 'admin'])
  .describe('"read", "write" or "admin"; each includes those before it')

export const personSchema = z
  .strictObject({ id, name: z.string(), allows: allowanceSchema, addedAt: date })
  .openapi('Person')

export type UserShape = z.infer<typeof personSchema>

export const tokenSchema = z
  .strictObject({
    id,
    name: z.string().describe('What its owner calls it.'),
    allows: allowanceSchema,
    for: z
      .enum(['fever', 'corpus'])
      .optional()
      .describe(
        'The one thing that it is for: a protocol, or to read the whole crawl; absent: the API and other protocols.',
      ),
    addedAt: date,
    usedAt: date.optional().describe('When it was last used, to the minute.'),
  })
  .openapi('Token')

export type TokenShape = z.infer<typeof tokenSchema>

export const callerSchema = z
  .strictObject({
    person: personSchema.optional().describe('Absent where nobody is logged in, or nobody has to be.'),
    allows: allowanceSchema.optional().describe('What may be done. Absent: nothing, until somebody logs in.'),
  })
  .openapi('Asker')

export const passwordInput = z.string().max(500).describe('a password of 10 to 500 characters')
export const userNameInput = z.string().max(64).describe('a name of 1 to 64 letters and digits')
