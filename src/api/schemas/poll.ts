/** A poll in the poll log. */
import { z } from '@hono/zod-openapi'
import { troubleSchema } from './trouble.ts'
import { countSchema, date, id } from './values.ts'

export const pollSchema = z
  .strictObject({
    feedId: id,
    at: date,
    tookMs: z.number(),
    bytes: countSchema,
    conditional: z.boolean().describe('The request was conditional.'),
    unconditionalFor: z.enum(['no-validators', 'audit', 'lies']).optional().describe('Why it was not.'),
    occasion: z.enum(['manual', 'older', 'moved-feed']).optional().describe('Why an unscheduled poll was made.'),
    waitUntil: date.optional().describe('Until when the response asked us to wait.'),
    result: z.discriminatedUnion('kind', [
      z.strictObject({
        kind: z.literal('read'),
        fresh: countSchema,
        changed: countSchema,
        window: countSchema,
        gap: z.boolean(),
      }),
      z.strictObject({ kind: z.literal('not-modified'), by: z.enum(['server', 'hash', 'titles']) }),
      z.strictObject({ kind: z.literal('failed'), trouble: troubleSchema }),
    ]),
  })
  .openapi('Poll')

export type PollShape = z.infer<typeof pollSchema>
