/** A hub, and how well it serves the subscriptions that there are at it. */
import { z } from '@hono/zod-openapi'
import { troubleSchema } from './trouble.ts'
import { countSchema, date } from './values.ts'

export const hubSchema = z
  .strictObject({
    hub: z.string(),
    feeds: z
      .strictObject({
        asked: countSchema,
        active: countSchema,
        relied: countSchema,
        broken: countSchema,
        refused: countSchema,
      })
      .describe(
        'Subscriptions, by how they stand; relied: they have brought news, broken: a poll found what they had not.',
      ),
    pushes: countSchema.describe('Signed messages.'),
    fresh: countSchema.describe('Entries that came by push before a poll found them.'),
    delay: z
      .strictObject({
        count: countSchema.describe('Entries that have a date of publication.'),
        medianMs: countSchema
          .optional()
          .describe('Half of them came within so long; absent: half came later than in six hours.'),
        within: z
          .array(z.strictObject({ ms: countSchema, count: countSchema }))
          .describe('How many came within so long.'),
      })
      .describe('How long after their publication they came.'),
    missed: countSchema.describe('Entries that a poll found and that should have been pushed.'),
    missedPolls: countSchema.describe('Polls that found such.'),
    renewals: countSchema.describe('How often the hub has confirmed a subscription anew.'),
    failures: countSchema.describe('How often asking it led to nothing.'),
    empty: countSchema.describe('Messages that were no feed.'),
    unsigned: countSchema.describe('Messages that were not signed, and ignored.'),
    pushedAt: date.optional(),
    trouble: troubleSchema.optional().describe('Why the last asking led to nothing.'),
  })
  .openapi('Hub')

export type HubShape = z.infer<typeof hubSchema>
