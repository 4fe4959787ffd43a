/** Subscriptions of users, who each have their own titles and folders. One crawl serves all users. */
import { createRoute, z } from '@hono/zod-openapi'
import {
  answer,
  body,
  COMMON_ERRORS,
  CONFLICT,
  NO_CONTENT,
  READ_ERRORS,
  requiresScope,
  WRITE_ERRORS,
  WRITE_ERRORS_WITH_404,
} from '../operation.ts'
import { followedFeedSchema, pendingSubscriptionSchema } from '../schemas/read-state.ts'
import { readerImportSchema } from '../schemas/reader-import.ts'
import { addressesInput, subscriptionSchema } from '../schemas/source.ts'
import { suggestionsSchema } from '../schemas/suggestions.ts'
import { countSchema, cursorParam, id, idParams, next, shortText, trueOrFalse, wholeNumber } from '../schemas/values.ts'

const text = z.string().max(1000)

const MAX_FEEDS_AT_ONCE = 500
const feedsInput = z
  .array(id)
  .min(1)
  .max(MAX_FEEDS_AT_ONCE)
  .describe(`a list of ids of feeds, at most ${MAX_FEEDS_AT_ONCE}`)

export const listSubscriptions = createRoute({
  operationId: 'listSubscriptions',
  method: 'get',
  path: '/api/v1/subscriptions',
  tags: ['subscriptions'],
  summary: 'List your subscriptions with unread counts',
  ...requiresScope('read'),
  request: {
    query: z.strictObject({
      folder: shortText.optional().describe('a folder, including folders below it; empty: feeds without a folder'),
      details: trueOrFalse.optional().describe('with the posting rate, the schedule and the trouble of each feed'),
      cursor: cursorParam.optional(),
      limit: wholeNumber(1, 1000).optional(),
    }),
  },
  responses: {
    200: answer(z.strictObject({ subscriptions: z.array(followedFeedSchema), next }), 'Ordered by feed id.'),
    ...READ_ERRORS,
  },
})

export const addSubscriptions = createRoute({
  operationId: 'addSubscriptions',
  method: 'post',
  path: '/api/v1/subscriptions',
  tags: ['subscriptions'],
  summary: 'Subscribe to sites, feeds, or feeds that are already crawled',
  description: `Titles and folders are your own. Of an existing feed, only the newest entries are unread. The feed of a site is searched for; until it is found,
the subscription is pending. Addresses beyond the limit of feeds per user are refused one by one.`,
  ...requiresScope('write'),
  request: {
    body: body(
      z
        .strictObject({
          addresses: addressesInput.default([]),
          feeds: z.array(id).max(1000).default([]).describe('a list of ids of existing feeds, at most 1,000'),
        })
        .refine(({ addresses, feeds }) => addresses.length > 0 || feeds.length > 0, 'no address given')
        .describe('{"addresses": ["https://example.org"]} or {"feeds": [3]}, or both'),
    ),
  },
  responses: {
    200: answer(
      z.strictObject({
        results: z.array(subscriptionSchema).describe('In the order of the addresses.'),
        feeds: z.array(id).describe('The existing feeds that you follow now.'),
      }),
      'The result for each address.',
    ),
    ...CONFLICT,
    ...WRITE_ERRORS,
  },
})

export const importOpml = createRoute({
  operationId: 'importOpml',
  method: 'post',
  path: '/api/v1/opml',
  tags: ['subscriptions'],
  summary: 'Import an OPML file with its folders',
  description: `The body is the file itself, at most 8 MB. Feeds are added in batches: if the connection is closed, the rest is not added, and sending
the file again continues where it stopped. A user can run one import at a time. Feeds beyond the limit of feeds per user are refused one by
one.`,
  ...requiresScope('write'),
  request: {
    body: {
      required: true,
      content: { 'text/x-opml': { schema: z.string() } },
      description: 'An OPML file. text/xml and application/xml are also accepted.',
    },
  },
  responses: {
    200: answer(
      z.strictObject({
        results: z.array(subscriptionSchema).describe('In the order of the file.'),
        skipped: countSchema.describe('Outlines of the file without a web address.'),
      }),
      'The result for each address.',
    ),
    ...WRITE_ERRORS,
  },
})

export const importReaderData = createRoute({
  operationId: 'importReaderData',
  method: 'post',
  path: '/api/v1/import',
  tags: ['subscriptions'],
  summary: 'Import subscriptions, and read and starred entries, from a file of another reader',
  description: `The body is the file itself, at most 12 MB: OPML, JSON of the Google Reader format, Miniflux, NewsBlur or Tiny Tiny RSS, the
articles that Tiny Tiny RSS exports, saved pages as CSV or bookmarks, or a ZIP archive of such files. The format is recognized by its content.
An import only adds: it removes no subscription or star, and marks nothing as unread. It can be repeated. Starred entries that their feed no
longer has are added to it, unless other users read the feed.`,
  ...requiresScope('write'),
  request: {
    query: z.strictObject({
      dryRun: trueOrFalse.optional().describe('true: report what would happen, and change nothing'),
    }),
    body: {
      required: true,
      content: { 'application/octet-stream': { schema: z.string().openapi({ format: 'binary' }) } },
      description: 'A file of another reader.',
    },
  },
  responses: { 200: answer(readerImportSchema, 'What was imported, per feed.'), ...WRITE_ERRORS },
})

export const editSubscription = createRoute({
  operationId: 'editSubscription',
  method: 'patch',
  path: '/api/v1/subscriptions/{id}',
  tags: ['subscriptions'],
  summary: 'Change the title or folder of a subscription',
  ...requiresScope('write'),
  request: {
    params: idParams,
    body: body(
      z
        .strictObject({
          title: text.describe('a text of at most 1,000 characters; empty: the title of the feed').optional(),
          folder: text.describe('a folder, nested folders joined by " / "; empty: none').optional(),
        })
        .refine((edit) => Object.keys(edit).length > 0, 'nothing to change'),
    ),
  },
  responses: { 200: answer(followedFeedSchema, 'The subscription as it is now.'), ...WRITE_ERRORS_WITH_404 },
})

export const editSubscriptions = createRoute({
  operationId: 'editSubscriptions',
  method: 'patch',
  path: '/api/v1/subscriptions',
  tags: ['subscriptions'],
  summary: 'Change the folder, state or strategy of several of your feeds',
  description: `The folder is your own. State and strategy are shared by all followers: feeds for which you may not change them are refused one by one,
and nothing of them changes.`,
  ...requiresScope('write'),
  request: {
    body: body(
      z
        .strictObject({
          feeds: feedsInput,
          folder: text.describe('a folder, nested folders joined by " / "; empty: none').optional(),
          state: z.enum(['active', 'paused']).describe('"active" or "paused"').optional(),
          strategy: shortText.describe('a polling strategy').optional(),
        })
        .refine((edit) => Object.keys(edit).length > 1, 'nothing to change'),
    ),
  },
  responses: {
    200: answer(
      z.strictObject({
        changed: z.array(id),
        refused: z.array(z.strictObject({ feedId: id, reason: z.string() })),
      }),
      'The result for each feed.',
    ),
    ...WRITE_ERRORS,
  },
})

export const removeSubscriptions = createRoute({
  operationId: 'removeSubscriptions',
  method: 'post',
  path: '/api/v1/subscriptions/removal',
  tags: ['subscriptions'],
  summary: 'Unsubscribe from several feeds',
  description: 'As DELETE /api/v1/subscriptions/{id} for each feed. Feeds that you do not follow are ignored.',
  ...requiresScope('write'),
  request: { body: body(z.strictObject({ feeds: feedsInput })) },
  responses: {
    200: answer(z.strictObject({ removed: z.array(id) }), 'The feeds that you followed until now.'),
    ...WRITE_ERRORS,
  },
})

export const removeSubscription = createRoute({
  operationId: 'removeSubscription',
  method: 'delete',
  path: '/api/v1/subscriptions/{id}',
  tags: ['subscriptions'],
  summary: 'Unsubscribe. Feeds without subscribers leave the crawl',
  description:
    'Feeds listed in freshet.toml stay. Your read state of the feed is deleted, and your stars if the feed is removed.',
  ...requiresScope('write'),
  request: { params: idParams },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS_WITH_404 },
})

export const getSuggestions = createRoute({
  operationId: 'getSuggestions',
  method: 'get',
  path: '/api/v1/suggestions',
  tags: ['subscriptions'],
  summary: 'List sites and feeds that you could follow',
  description: `Sites that your newest 1,500 entries link to, and feeds that often publish a story before yours (with --shared-reading). Computed on request,
and at most every ten minutes.`,
  ...requiresScope('read'),
  responses: { 200: answer(suggestionsSchema, 'The suggestions.'), ...COMMON_ERRORS },
})

export const listPendingSubscriptions = createRoute({
  operationId: 'listPendingSubscriptions',
  method: 'get',
  path: '/api/v1/subscriptions/pending',
  tags: ['subscriptions'],
  summary: 'List your pending subscriptions',
  ...requiresScope('read'),
  request: { query: z.strictObject({ cursor: cursorParam.optional(), limit: wholeNumber(1, 1000).optional() }) },
  responses: {
    200: answer(z.strictObject({ pending: z.array(pendingSubscriptionSchema), next }), 'Oldest first.'),
    ...READ_ERRORS,
  },
})

export const removePendingSubscription = createRoute({
  operationId: 'removePendingSubscription',
  method: 'delete',
  path: '/api/v1/subscriptions/pending/{id}',
  tags: ['subscriptions'],
  summary: 'Cancel a pending subscription',
  ...requiresScope('write'),
  request: { params: idParams },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS_WITH_404 },
})
