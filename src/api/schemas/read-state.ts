/** Subscriptions, and read and starred counts of a user. */
import { z } from '@hono/zod-openapi'
import { troubleSchema } from './trouble.ts'
import { countSchema, date, id } from './values.ts'

/** For managing many feeds at once. */
const followedFeedDetailsSchema = z
  .strictObject({
    lastEntryAt: date.optional().describe('The date of its newest entry.'),
    perWeek: z
      .number()
      .describe('Entries per week, counted over four weeks, or the time for which its entries are known.'),
    usualGapMs: countSchema.optional().describe('The longest usual time between two entries.'),
    silent: z.literal(true).optional().describe('It has published nothing for much longer than usual.'),
    strategy: z.string(),
    dueAt: date.optional().describe('Absent if it is paused or gone.'),
    polledAt: date.optional(),
    succeededAt: date.optional().describe('The last successful poll.'),
    failures: countSchema.describe('Consecutive failed polls.'),
    trouble: troubleSchema.optional(),
    successorUrl: z.string().optional().describe('A feed that may replace it, found on its site or by its redirects.'),
    editable: z.boolean().describe('Whether you may change the settings that its followers share.'),
  })
  .openapi('FollowedFeedDetails')

export type FollowedFeedDetailsShape = z.infer<typeof followedFeedDetailsSchema>

export const followedFeedSchema = z
  .strictObject({
    feedId: id,
    title: z.string().describe('Your own title, else the feed’s, else its address.'),
    ownTitle: z.string().optional(),
    folder: z.string().optional().describe('Your own folder; nested folders are joined by " / ".'),
    unread: countSchema,
    addedAt: date,
    url: z.string(),
    siteUrl: z.string().optional(),
    language: z.string().optional(),
    state: z.enum(['active', 'paused', 'gone']),
    failing: z.literal(true).optional().describe('Its last poll failed.'),
    readers: countSchema.describe('Number of followers on this server.'),
    details: followedFeedDetailsSchema.optional().describe('Only if requested.'),
  })
  .openapi('FollowedFeed')

export type FollowedFeedShape = z.infer<typeof followedFeedSchema>

export const pendingSubscriptionSchema = z
  .strictObject({
    sourceId: id,
    url: z.string(),
    title: z.string().optional(),
    folder: z.string().optional(),
    addedAt: date,
  })
  .openapi('PendingSubscription')

export type PendingSubscriptionShape = z.infer<typeof pendingSubscriptionSchema>

export const readStateSchema = z
  .strictObject({
    feeds: countSchema,
    unread: countSchema,
    starred: countSchema,
    folders: z
      .array(z.strictObject({ folder: z.string().optional(), feeds: countSchema, unread: countSchema }))
      .describe('One item per folder name, nested folders separately. First, without a name: feeds without a folder.'),
  })
  .openapi('ReadState')

export const change = z.int().min(1).max(Number.MAX_SAFE_INTEGER).describe('the id of a change, for undo')

export const entryIds = z.array(id).min(1).max(10_000).describe('a list of ids of entries, at most 10,000')
