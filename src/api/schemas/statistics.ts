/** What was said, and how much of it had been said before. */
import { z } from '@hono/zod-openapi'
import { troubleSchema } from './trouble.ts'
import { countSchema, date, id, share } from './values.ts'

const hourOfSeries = z.strictObject({
  at: date,
  entries: countSchema,
  copies: countSchema,
  polls: countSchema,
  failed: countSchema,
  bytes: countSchema,
})

export const hourSchema = hourOfSeries
  .partial({ polls: true, failed: true, bytes: true })
  .describe('An hour, by its beginning. Polls, and what they cost, are told of all feeds together only.')
  .openapi('Hour')

export type HourShape = z.infer<typeof hourSchema>

export const statisticsSchema = z
  .strictObject({
    since: date,
    entries: countSchema,
    copies: countSchema,
    share: share.describe('Of copies among entries.'),
    stories: countSchema,
    byFeed: z.array(
      z.strictObject({
        feedId: id,
        feedTitle: z.string().optional(),
        entries: countSchema,
        copies: countSchema,
        share,
      }),
    ),
    byHour: z.array(z.strictObject({ entries: countSchema, copies: countSchema, share })).describe('24 of them, UTC.'),
    polls: z.strictObject({ count: countSchema, failed: countSchema, tookMs: z.number(), bytes: countSchema }),
    failures: z
      .array(z.strictObject({ ...troubleSchema.shape, count: countSchema }))
      .describe('What polls failed for, the most frequent first.'),
    failureTexts: z
      .array(z.strictObject({ ...troubleSchema.shape, count: countSchema }))
      .describe('The same by what exactly was said; the most frequent.'),
    series: z.array(hourOfSeries).describe('Hour by hour, each by its beginning, the quiet ones included.'),
    runs: z
      .strictObject({ count: countSchema, ms: z.number() })
      .describe('Crawls that were begun, and how long they ran.'),
    discovery: z
      .strictObject({
        foundBy: z.record(z.string(), countSchema).describe('Feeds by how they were found; probe: in a likely place.'),
        fragments: z
          .strictObject({ shared: countSchema, apart: countSchema })
          .describe('Feeds whose links all had one fragment, which was taken off; and those in which they differ.'),
      })
      .describe('Of all feeds that there are.'),
  })
  .openapi('Statistics')

export type StatisticsShape = z.infer<typeof statisticsSchema>
