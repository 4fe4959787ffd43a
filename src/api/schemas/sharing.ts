/** What a person keeps so as to pass it on: saved searches, feeds at secret addresses, webhooks. */
import { z } from '@hono/zod-openapi'
import { countSchema, date, id } from './values.ts'

export const label = z.string().trim().min(1).max(200).describe('a name of at most 200 characters')
const query = z.string().trim().min(1).max(1000).describe('what is searched for, as it is typed')
const level = z.enum(['copy', 'story']).describe('"copy" or "story": of each only one')
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
  .refine((edit) => Object.keys(edit).length > 0, 'there is nothing to change')

/** What a feed of one's own shows. */
export const feedOutOf = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.enum(['river', 'unread', 'starred']) }),
    z.strictObject({ kind: z.literal('feed'), feed: id }),
    z.strictObject({ kind: z.literal('folder'), folder: z.string().min(1).max(1000) }),
    z.strictObject({ kind: z.literal('category'), category: z.string().min(1).max(100) }),
    z.strictObject({ kind: z.literal('search'), search: id }),
  ])
  .describe(
    '{"kind": "river"} for all that you follow, "unread" or "starred", or {"kind": "feed", "feed": 3}, {"kind": "folder", "folder": "News"}, {"kind": "category", "category": "science"}, {"kind": "search", "search": 1}',
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
    usedAt: date.optional().describe('When somebody last read it, to the minute.'),
    paths: z
      .strictObject({ rss: z.string(), atom: z.string(), json: z.string() })
      .describe('Where it is, on this server. Whoever knows one of them reads the feed without logging in.'),
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
  .refine((edit) => Object.keys(edit).length > 0, 'there is nothing to change')

const hookUrl = z
  .string()
  .max(2000)
  .refine((text) => /^https?:\/\/[^\s@]+$/i.test(text) && URL.canParse(text))
  .describe('an address that begins with https:// or http://, without a login in it')

export const webhookSchema = z
  .strictObject({
    id,
    name: z.string(),
    url: z.string(),
    search: id.describe('The saved search whose finds it is told of.'),
    state: z.enum(['active', 'paused', 'failed']).describe('failed: it did not answer for long, and was given up.'),
    failures: countSchema.describe('Deliveries that failed since the last that did not.'),
    addedAt: date,
    dueAt: date.optional().describe('When it is told of news next, or tried again.'),
    last: z
      .strictObject({ at: date, status: z.int().optional(), trouble: z.string().optional() })
      .optional()
      .describe('What came of the last delivery.'),
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
  .refine((edit) => Object.keys(edit).length > 0, 'there is nothing to change')

export const secretOnce = z.string().describe('By which what it is told is signed. It is told this once.')
