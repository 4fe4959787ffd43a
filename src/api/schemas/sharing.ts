/** Saved searches, outgoing feeds at secret addresses, and webhooks. */
import { z } from '@hono/zod-openapi'
import { countSchema, date, id } from './values.ts'

export const label = z.string().trim().min(1).max(200).describe('a name of at most 200 characters')
const query = z.string().trim().min(1).max(1000).describe('a search query')
const level = z.enum(['copy', 'story']).describe('"copy" or "story": only one entry of each')
const order = z.enum(['relevance', 'date']).describe('"relevance" or "date"')

export const savedSearchSchema = z
  .strictObject({
    id,
    name: z.string(),
    query: z.string(),
    order: order.optional(),
    unique: level.optional(),
    addedAt: date,
  })
  .openapi('SavedSearch')

export type SavedSearchShape = z.infer<typeof savedSearchSchema>

export const savedSearchInput = z.strictObject({
  name: label,
  query,
  order: order.optional(),
  unique: level.optional(),
})

export const savedSearchEdit = z
  .strictObject({
    name: label.optional(),
    query: query.optional(),
    order: order.nullable().describe('"relevance", "date", or null').optional(),
    unique: level.nullable().describe('"copy", "story", or null').optional(),
  })
  .refine((edit) => Object.keys(edit).length > 0, 'nothing to change')

/** What an outgoing feed contains. */
export const feedOutOf = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.enum(['all', 'unread', 'starred', 'for-you', 'digest']) }),
    z.strictObject({ kind: z.literal('feed'), feed: id }),
    z.strictObject({ kind: z.literal('folder'), folder: z.string().min(1).max(1000) }),
    z.strictObject({ kind: z.literal('category'), category: z.string().min(1).max(100) }),
    z.strictObject({ kind: z.literal('search'), search: id }),
  ])
  .describe(
    '{"kind": "all"} for all that you follow, "unread" or "starred", "for-you" for the unread entries that you probably want to read, "digest" for your digests, or {"kind": "feed", "feed": 3}, {"kind": "folder", "folder": "News"}, {"kind": "category", "category": "science"}, {"kind": "search", "search": 1}',
  )
  .openapi('FeedOutOf')

export type FeedOutOfShape = z.infer<typeof feedOutOf>

const text = z.enum(['full', 'summary']).describe('"full" or "summary"')

export const feedOutSchema = z
  .strictObject({
    id,
    name: z.string(),
    of: feedOutOf,
    text,
    unique: level.optional(),
    addedAt: date,
    usedAt: date.optional().describe('When it was last fetched, to the minute.'),
    paths: z
      .strictObject({ rss: z.string(), atom: z.string(), json: z.string() })
      .describe('Its paths on this server. Anyone who knows one can read the feed without logging in.'),
  })
  .openapi('FeedOut')

export type FeedOutShape = z.infer<typeof feedOutSchema>

export const feedOutInput = z.strictObject({
  name: label,
  of: feedOutOf,
  text: text.default('full'),
  unique: level.optional(),
})

export const feedOutEdit = z
  .strictObject({
    name: label.optional(),
    of: feedOutOf.optional(),
    text: text.optional(),
    unique: level.nullable().describe('"copy", "story", or null').optional(),
  })
  .refine((edit) => Object.keys(edit).length > 0, 'nothing to change')

const hookUrl = z
  .string()
  .max(2000)
  .refine((text) => /^https?:\/\/[^\s@]+$/i.test(text) && URL.canParse(text))
  .describe('an address that starts with https:// or http://, without credentials')

export const webhookSchema = z
  .strictObject({
    id,
    name: z.string(),
    url: z.string(),
    search: id.describe('The saved search whose results it receives.'),
    state: z.enum(['active', 'paused', 'failed']).describe('failed: disabled after failing for too long.'),
    failures: countSchema.describe('Consecutive failed deliveries.'),
    addedAt: date,
    dueAt: date.optional().describe('The next delivery or retry.'),
    last: z
      .strictObject({ at: date, status: z.int().optional(), trouble: z.string().optional() })
      .optional()
      .describe('Result of the last delivery.'),
  })
  .openapi('Webhook')

export type WebhookShape = z.infer<typeof webhookSchema>

export const webhookInput = z.strictObject({ name: label, url: hookUrl, search: id })

export const webhookEdit = z
  .strictObject({
    name: label.optional(),
    url: hookUrl.optional(),
    search: id.optional(),
    state: z.enum(['active', 'paused']).describe('"active" or "paused"').optional(),
  })
  .refine((edit) => Object.keys(edit).length > 0, 'nothing to change')

export const secretOnce = z.string().describe('The key with which deliveries are signed. Only returned here.')
