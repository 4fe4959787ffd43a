/** How it stands: of a crawl that runs, and of a store that somebody looks into. */
import { z } from '@hono/zod-openapi'
import { feedSchema } from './feed.ts'
import { troubleSchema } from './trouble.ts'
import { countSchema, date } from './values.ts'

export const hostSchema = z
  .strictObject({ root: z.string(), notBeforeAt: date, strikes: countSchema, trouble: troubleSchema.optional() })
  .openapi('Host')

export type HostShape = z.infer<typeof hostSchema>

const bytes = z.number().min(0)

export const diskUsageSchema = z
  .strictObject({
    feeds: bytes,
    entries: bytes,
    polls: bytes,
    articles: bytes,
    pages: bytes,
    index: bytes,
    rest: z.number().describe('All else: what was freed and not given back, the log of changes.'),
  })
  .describe('What takes how much of the store, in bytes.')
  .openapi('DiskUsage')

export type DiskUsageShape = z.infer<typeof diskUsageSchema>

const countsSchema = z
  .strictObject({
    feeds: z.strictObject({ active: countSchema, paused: countSchema, gone: countSchema }),
    troubled: countSchema.describe('Active feeds whose last poll failed.'),
    unpolled: countSchema.describe('Active feeds never polled.'),
    looking: countSchema.describe('Sources whose feed is still to be found.'),
    entries: countSchema,
    polls: countSchema,
    articles: z.strictObject({
      waiting: countSchema,
      read: countSchema,
      failed: countSchema,
      refused: countSchema,
      pages: countSchema,
      textBytes: bytes,
      pageBytes: bytes,
    }),
    waiting: z
      .strictObject({ index: countSchema, groups: countSchema })
      .describe('Entries that wait for the search index, and for their place among copies and stories.'),
    bytes,
  })
  .openapi('Counts')

const activitySchema = z
  .strictObject({
    startedAt: date,
    underWay: countSchema,
    tasks: z
      .array(
        z.strictObject({ kind: z.enum(['poll', 'seek', 'discover', 'hub', 'article']), url: z.string(), since: date }),
      )
      .describe('The longest under way first; at most a few dozen.'),
    totals: z
      .strictObject({
        polls: countSchema,
        notModified: countSchema,
        failures: countSchema,
        fresh: countSchema,
        changed: countSchema,
        bytes,
        gaps: countSchema,
        articles: countSchema,
        articleFailures: countSchema,
        mistakes: countSchema,
      })
      .describe('Since the start.'),
    mistakes: z.array(z.strictObject({ at: date, words: z.string() })).describe('The latest of ours, newest first.'),
    refusals: z
      .array(z.strictObject({ of: z.enum(['store', 'queue']), since: date, words: z.string(), hint: z.string() }))
      .optional()
      .describe('What does not take what it is given at the moment; nothing is lost by that. Absent, if all is well.'),
  })
  .openapi('Activity')

export type ActivityShape = z.infer<typeof activitySchema>

export const statusSchema = z
  .strictObject({
    counts: countsSchema,
    next: z.array(feedSchema).describe('The feeds that are polled next.'),
    resting: z
      .array(hostSchema)
      .describe('Hosts that asked for patience and are left alone meanwhile, those that wake first before the others.'),
    restingCount: countSchema.describe('How many there are in all.'),
    library: z
      .strictObject({ summary: z.string(), isWell: z.boolean() })
      .optional()
      .describe('How the library beside the store is, where there is one.'),
    version: z.string(),
    now: date.describe('By the crawl’s clock, which in a demonstration is not the reader’s.'),
    activity: activitySchema,
    budget: z
      .strictObject({
        pollsPerDay: z.union([z.number(), z.literal('auto')]),
        priceMs: z.number().optional().describe('For how long one entry may wait before a poll is the lesser evil.'),
        spentToday: z.number().optional().describe('Polls since midnight, UTC.'),
      })
      .describe('What polls may cost, all feeds together.'),
  })
  .openapi('Status')

export type StatusShape = z.infer<typeof statusSchema>
