/** A feed with its schedule and its hub subscription. */
import { z } from '@hono/zod-openapi'
import { entrySchema } from './entry.ts'
import { fetchSettingsSchema } from './fetch-settings.ts'
import { pollSchema } from './poll.ts'
import { wantsSchema } from './polling-goals.ts'
import { troubleSchema } from './trouble.ts'
import { countSchema, date, id } from './values.ts'

const pushSchema = z
  .strictObject({
    hub: z.string(),
    state: z
      .enum(['requested', 'active', 'trusted', 'broken', 'refused', 'ending'])
      .describe(
        'trusted: updates are pushed, and polls are a safety net. In all other states the feed is polled as usual.',
      ),
    pushes: countSchema.describe('Notifications received.'),
    pushedAt: date.optional().describe('When the last one arrived.'),
    leaseUntil: date.optional(),
    missedAt: date.optional().describe('When a poll last found an entry that should have been pushed.'),
    trouble: troubleSchema.optional(),
  })
  .openapi('HubSubscription')

export type PushShape = z.infer<typeof pushSchema>

const whySchema = z
  .strictObject({
    by: z.enum([
      'strategy',
      'min-interval',
      'max-interval',
      'server',
      'publisher',
      'failure',
      'push',
      'budget',
      'requested',
    ]),
    words: z.string(),
    expectation: z
      .strictObject({
        perDay: z.number(),
        between: z
          .tuple([z.number(), z.number()])
          .optional()
          .describe('Confidence interval of the rate, in entries per day.'),
        pending: z.number(),
        pollsPerDay: z.number(),
        decided: z.enum(['window', 'burst', 'silence', 'goal']).optional(),
        hours: z.array(z.number()).optional(),
        weekdays: z.array(z.number()).optional(),
      })
      .optional()
      .describe('What the strategy expects, if it can tell.'),
    figures: z
      .record(z.string(), z.number())
      .readonly()
      .optional()
      .describe('Inputs of the decision: M, T and ToE, a mean gap, a rate.'),
  })
  .openapi('Why')

export const feedSchema = z
  .strictObject({
    id,
    url: z.string(),
    hasLogin: z.literal(true).optional().describe('Fetched with user name and password, which are never returned.'),
    title: z.string(),
    description: z.string().optional(),
    siteUrl: z.string().optional(),
    language: z.string().optional(),
    category: z.string().optional().describe('Set by a user, else by the publisher.'),
    name: z.string().optional().describe('A unique short name set by a user.'),
    builtAt: date.optional().describe('When it was last built, as it states.'),
    foundBy: z
      .enum(['address', 'host-rule', 'link-header', 'link', 'anchor', 'body', 'probe', 'sitemap'])
      .optional()
      .describe('How its address was found. probe: by trying a likely path.'),
    entries: countSchema.optional().describe('Number of entries, up to 100,000.'),
    format: z.enum(['rss', 'atom', 'rdf', 'json', 'cdf', 'sitemap']).optional(),
    folder: z.string().optional(),
    titlePrefix: z.string().optional().describe('Removed from the start of entry titles.'),
    titleLabels: z
      .array(z.string())
      .optional()
      .describe(
        'Labels at the start or end of most entry titles, as learned from them; titles are shown without. Only when a single feed is requested.',
      ),
    articles: z
      .enum(['auto', 'always', 'never'])
      .optional()
      .describe('Whether the pages of its entries are fetched, if set by a user.'),
    wants: wantsSchema.optional(),
    state: z.enum(['active', 'paused', 'gone']),
    subscribers: countSchema,
    addedAt: date,
    gapAt: date.optional().describe('When entries may last have been missed: no entry of the window was known.'),
    successorUrl: z.string().optional().describe('A feed that may replace it, found on its site or by its redirects.'),
    schedule: z.strictObject({
      strategy: z.string(),
      dueAt: date.optional().describe('Absent if it is paused or gone.'),
      polledAt: date.optional(),
      succeededAt: date.optional(),
      failures: countSchema,
      why: whySchema.optional().describe('Why it is due then. Only when a single feed is requested.'),
    }),
    trouble: troubleSchema.optional(),
    push: pushSchema
      .optional()
      .describe('The subscription at its hub, if it names one and hubs can reach this server.'),
  })
  .openapi('Feed')

export type FeedShape = z.infer<typeof feedSchema>

export const feedDetailsSchema = z
  .strictObject({
    feed: feedSchema,
    fetching: fetchSettingsSchema.optional().describe('For users with permission to change them.'),
    polls: z.array(pollSchema),
    entries: z.array(entrySchema),
  })
  .openapi('FeedDetails')

export type FeedDetailsShape = z.infer<typeof feedDetailsSchema>
