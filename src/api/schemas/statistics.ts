/** What was said, and how much of it had been said before. */
import { z } from '@hono/zod-openapi'
import { troubleSchema } from './trouble.ts'
import { date, howMany, id, share } from './values.ts'

export const statisticsSchema = z
  .strictObject({
    since: date,
    entries: howMany,
    copies: howMany,
    share: share.describe('Of copies among entries.'),
    stories: howMany,
    byFeed: z.array(
      z.strictObject({ feedId: id, feedTitle: z.string().optional(), entries: howMany, copies: howMany, share }),
    ),
    byHour: z.array(z.strictObject({ entries: howMany, copies: howMany, share })).describe('24 of them, UTC.'),
    polls: z.strictObject({ count: howMany, failed: howMany, tookMs: z.number(), bytes: howMany }),
    failures: z
      .array(troubleSchema.extend({ count: howMany }))
      .describe('What polls failed for, the most frequent first.'),
  })
  .openapi('Statistics')

export type StatisticsShape = z.infer<typeof statisticsSchema>
