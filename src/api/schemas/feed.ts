/** A feed, with its schedule and the hub that tells of its news. */
import { z } from '@hono/zod-openapi'
import { entrySchema } from './entry.ts'
import { pollSchema } from './poll.ts'
import { wantsSchema } from './polling-goals.ts'
import { troubleSchema } from './trouble.ts'
import { countSchema, date, id } from './values.ts'

const pushSchema = z
  .strictObject({
    hub: z.string(),
    state: z
      .enum(['asked', 'active', 'relied', 'broken', 'refused', 'ending'])
      .describe('relied: its news is pushed, and it is polled only to be safe. All others are polled as usual.'),
    pushes: countSchema.describe('How many came.'),
    pushedAt: date.optional().describe('When the last of them did.'),
    leaseUntil: date.optional(),
    missedAt: date.optional().describe('When a poll last found something that should have been pushed.'),
    trouble: troubleSchema.optional(),
  })
  .openapi('Push')

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
      'asked',
    ]),
    words: z.string(),
    expectation: z
      .strictObject({
        perDay: z.number(),
        between: z
          .tuple([z.number(), z.number()])
          .optional()
          .describe('Between which numbers of entries a day the rate lies, by what was seen so far.'),
        pending: z.number(),
        pollsPerDay: z.number(),
        decided: z.enum(['window', 'burst', 'silence', 'goal']).optional(),
        hours: z.array(z.number()).optional(),
        weekdays: z.array(z.number()).optional(),
      })
      .optional()
      .describe('What the strategy expects, where it can say so.'),
    figures: z
      .record(z.string(), z.number())
      .readonly()
      .optional()
      .describe('What it went by: M, T and ToE, a mean gap, a rate.'),
  })
  .openapi('Why')

export const feedSchema = z
  .strictObject({
    id,
    url: z.string(),
    hasLogin: z.literal(true).optional().describe('It is read with a name and password, which are never told.'),
    title: z.string(),
    description: z.string().optional(),
    siteUrl: z.string().optional(),
    language: z.string().optional(),
    category: z.string().optional().describe('By a person’s word, else by its publisher’s.'),
    name: z.string().optional().describe('By which a person knows it; no other feed has the same.'),
    builtAt: date.optional().describe('When it was last built, by its own word.'),
    foundBy: z
      .enum(['address', 'host-rule', 'link-header', 'link', 'anchor', 'body', 'probe'])
      .optional()
      .describe('How its address was found; probe: in a likely place that nobody named.'),
    entries: countSchema.optional().describe('How many it has; 100,000 at most. In lists and on its own.'),
    format: z.enum(['rss', 'atom', 'rdf', 'json', 'cdf']).optional(),
    folder: z.string().optional(),
    titlePrefix: z.string().optional().describe('Taken off the front of its entries’ titles.'),
    titleLabels: z
      .array(z.string())
      .optional()
      .describe(
        'What it puts before or behind most of its headlines, as was learnt from them; shown without it. On its own only.',
      ),
    articles: z
      .enum(['auto', 'always', 'never'])
      .optional()
      .describe('Whether its entries’ pages are fetched, where a person said so.'),
    wants: wantsSchema.optional(),
    state: z.enum(['active', 'paused', 'gone']),
    subscribers: countSchema,
    addedAt: date,
    gapAt: date.optional().describe('When entries may last have been missed: nothing in the feed was known.'),
    successorUrl: z
      .string()
      .optional()
      .describe(
        'This may be its successor: its site has it, or its redirects lead there, where another feed is, or another site with no known entry.',
      ),
    schedule: z.strictObject({
      strategy: z.string(),
      dueAt: date.optional().describe('Absent when it will not be polled: it is paused or gone.'),
      polledAt: date.optional(),
      succeededAt: date.optional(),
      failures: countSchema,
      why: whySchema.optional().describe('Why then; where one feed is asked for.'),
    }),
    trouble: troubleSchema.optional(),
    push: pushSchema.optional().describe('The hub that tells us of its news, if it names one and hubs can reach us.'),
  })
  .openapi('Feed')

export type FeedShape = z.infer<typeof feedSchema>

export const feedDetailsSchema = z
  .strictObject({ feed: feedSchema, polls: z.array(pollSchema), entries: z.array(entrySchema) })
  .openapi('WholeFeed')

export type FeedDetailsShape = z.infer<typeof feedDetailsSchema>
