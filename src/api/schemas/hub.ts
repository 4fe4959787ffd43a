/** A WebSub hub and its performance. */
import { z } from '@hono/zod-openapi'
import { troubleSchema } from './trouble.ts'
import { countSchema, date } from './values.ts'

export const hubSchema = z
  .strictObject({
    hub: z.string(),
    feeds: z
      .strictObject({
        requested: countSchema,
        active: countSchema,
        trusted: countSchema,
        broken: countSchema,
        refused: countSchema,
      })
      .describe(
        'Subscriptions by state. trusted: has pushed new entries. broken: a poll found entries that were not pushed.',
      ),
    pushes: countSchema.describe('Signed notifications.'),
    fresh: countSchema.describe('Entries that were pushed before a poll found them.'),
    delay: z
      .strictObject({
        count: countSchema.describe('Entries with a publication date.'),
        medianMs: countSchema.optional().describe('Median delay. Absent if above six hours.'),
        within: z
          .array(z.strictObject({ ms: countSchema, count: countSchema }))
          .describe('Number of entries with at most this delay.'),
      })
      .describe('Delay from publication to push.'),
    missed: countSchema.describe('Entries found by polls that should have been pushed.'),
    missedPolls: countSchema.describe('Polls that found such entries.'),
    renewals: countSchema.describe('Renewals confirmed by the hub.'),
    failures: countSchema.describe('Failed requests to the hub.'),
    empty: countSchema.describe('Notifications without a feed.'),
    unsigned: countSchema.describe('Notifications without a valid signature, which were ignored.'),
    pushedAt: date.optional(),
    trouble: troubleSchema.optional().describe('Why the last request failed.'),
  })
  .openapi('Hub')

export type HubShape = z.infer<typeof hubSchema>
