/** Status of the crawl, its store and its hosts. */
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
    rest: z
      .number()
      .describe('Everything else: freed space that was not returned to the file system, the write-ahead log.'),
  })
  .describe('Size of the store by kind of data, in bytes.')
  .openapi('DiskUsage')

export type DiskUsageShape = z.infer<typeof diskUsageSchema>

const countsSchema = z
  .strictObject({
    feeds: z.strictObject({ active: countSchema, paused: countSchema, gone: countSchema }),
    failing: countSchema.describe('Active feeds whose last poll failed.'),
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
      .describe('Entries waiting for the search index and for grouping.'),
    bytes,
  })
  .openapi('Counts')

const activitySchema = z
  .strictObject({
    startedAt: date,
    inFlight: countSchema,
    tasks: z
      .array(
        z.strictObject({
          kind: z.enum(['poll', 'moved-feed', 'discover', 'hub', 'article']),
          url: z.string(),
          since: date,
        }),
      )
      .describe('Tasks in flight, longest first; at most a few dozen.'),
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
        internalErrors: countSchema,
      })
      .describe('Since the start.'),
    internalErrors: z
      .array(z.strictObject({ at: date, words: z.string() }))
      .describe('The latest internal errors, newest first.'),
    refusals: z
      .array(z.strictObject({ of: z.enum(['store', 'queue']), since: date, words: z.string(), hint: z.string() }))
      .optional()
      .describe('Stores and queues that reject writes at the moment. No data is lost. Absent if there are none.'),
  })
  .openapi('Activity')

export type ActivityShape = z.infer<typeof activitySchema>

export const statusSchema = z
  .strictObject({
    counts: countsSchema,
    next: z.array(feedSchema).describe('The feeds polled next.'),
    backingOff: z.array(hostSchema).describe('Hosts that are backing off, next one first.'),
    backingOffCount: countSchema.describe('Total number of hosts that are backing off.'),
    contentStore: z
      .strictObject({ summary: z.string(), isHealthy: z.boolean() })
      .optional()
      .describe('Health of the content store, if there is one.'),
    version: z.string(),
    now: date.describe('The clock of the crawl, which is simulated in a demo.'),
    activity: activitySchema,
    budget: z
      .strictObject({
        pollsPerDay: z.union([z.number(), z.literal('auto')]),
        priceMs: z
          .number()
          .optional()
          .describe('The price of a poll: how long one entry may wait before a poll is cheaper.'),
        spentToday: z.number().optional().describe('Polls since midnight, UTC.'),
      })
      .describe('The poll budget of all feeds together.'),
  })
  .openapi('Status')

export type StatusShape = z.infer<typeof statusSchema>
