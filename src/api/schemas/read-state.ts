/** What belongs to a person: what he follows, has read and starred. */
import { z } from '@hono/zod-openapi'
import { countSchema, date, id } from './values.ts'

export const followedFeedSchema = z
  .strictObject({
    feedId: id,
    title: z.string().describe('One’s own, else the feed’s, else its address.'),
    ownTitle: z.string().optional(),
    folder: z.string().optional().describe('One’s own; nested ones are joined by " / ".'),
    unread: countSchema,
    addedAt: date,
    url: z.string(),
    siteUrl: z.string().optional(),
    language: z.string().optional(),
    state: z.enum(['active', 'paused', 'gone']),
    troubled: z.literal(true).optional().describe('Its last poll failed.'),
    readers: countSchema.describe('How many people follow it here.'),
  })
  .openapi('Followed')

export type FollowedFeedShape = z.infer<typeof followedFeedSchema>

export const pendingSubscriptionSchema = z
  .strictObject({
    sourceId: id,
    url: z.string(),
    title: z.string().optional(),
    folder: z.string().optional(),
    addedAt: date,
  })
  .openapi('WaitingSubscription')

export type PendingSubscriptionShape = z.infer<typeof pendingSubscriptionSchema>

export const readStateSchema = z
  .strictObject({
    feeds: countSchema,
    unread: countSchema,
    starred: countSchema,
    folders: z
      .array(z.strictObject({ folder: z.string().optional(), feeds: countSchema, unread: countSchema }))
      .describe('Each by its very name, those below others apart from them; first, without a name, what is in none.'),
  })
  .openapi('Standing')

export const change = z
  .int()
  .min(1)
  .max(Number.MAX_SAFE_INTEGER)
  .describe('the number of a change, by which it can be taken back')

export const entryIds = z.array(id).min(1).max(10_000).describe('a list of ids of entries, at most 10,000')
