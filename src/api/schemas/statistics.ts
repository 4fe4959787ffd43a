/** Statistics of entries, copies and polls. */
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
  .describe('One hour; `at` is its start. Polls and bytes are only given for all feeds together.')
  .openapi('Hour')

export type HourShape = z.infer<typeof hourSchema>

export const statisticsSchema = z
  .strictObject({
    since: date,
    entries: countSchema,
    copies: countSchema,
    share: share.describe('Share of copies among entries.'),
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
    byHour: z
      .array(z.strictObject({ entries: countSchema, copies: countSchema, share }))
      .describe('24 hours of the day, UTC.'),
    polls: z.strictObject({ count: countSchema, failed: countSchema, tookMs: z.number(), bytes: countSchema }),
    failures: z
      .array(z.strictObject({ ...troubleSchema.shape, count: countSchema }))
      .describe('Failed polls by cause, most frequent first.'),
    failureTexts: z
      .array(z.strictObject({ ...troubleSchema.shape, count: countSchema }))
      .describe('Failed polls by exact message, most frequent first.'),
    series: z.array(hourOfSeries).describe('By hour, including empty ones; `at` is the start of the hour.'),
    runs: z.strictObject({ count: countSchema, ms: z.number() }).describe('Crawls started, and their running time.'),
    discovery: z
      .strictObject({
        foundBy: z
          .record(z.string(), countSchema)
          .describe('Feeds by how they were found. probe: by trying a likely path.'),
        fragments: z
          .strictObject({ shared: countSchema, apart: countSchema })
          .describe(
            'Feeds whose links all have the same fragment, which was removed, and feeds whose fragments differ.',
          ),
      })
      .describe('Of all feeds.'),
  })
  .openapi('Statistics')

export type StatisticsShape = z.infer<typeof statisticsSchema>
