/** A hub, and how well it serves the subscriptions that there are at it. */
import { z } from '@hono/zod-openapi'
import { troubleSchema } from './trouble.ts'
import { date, howMany } from './values.ts'

export const hubSchema = z
  .strictObject({
    hub: z.string(),
    feeds: z
      .strictObject({
        asked: howMany,
        active: howMany,
        relied: howMany,
        broken: howMany,
        refused: howMany,
      })
      .describe(
        'Subscriptions, by how they stand; relied: they have brought news, broken: a poll found what they had not.',
      ),
    pushes: howMany.describe('Signed messages.'),
    fresh: howMany.describe('Entries that came by push before a poll found them.'),
    delay: z
      .strictObject({
        count: howMany.describe('Entries that have a date of publication.'),
        medianMs: howMany
          .optional()
          .describe('Half of them came within so long; absent: half came later than in six hours.'),
        within: z.array(z.strictObject({ ms: howMany, count: howMany })).describe('How many came within so long.'),
      })
      .describe('How long after their publication they came.'),
    missed: howMany.describe('Entries that a poll found and that should have been pushed.'),
    missedPolls: howMany.describe('Polls that found such.'),
    renewals: howMany.describe('How often the hub has confirmed a subscription anew.'),
    failures: howMany.describe('How often asking it led to nothing.'),
    empty: howMany.describe('Messages that were no feed.'),
    unsigned: howMany.describe('Messages that were not signed, and ignored.'),
    pushedAt: date.optional(),
    trouble: troubleSchema.optional().describe('Why the last asking led to nothing.'),
  })
  .openapi('Hub')

export type HubShape = z.infer<typeof hubSchema>
