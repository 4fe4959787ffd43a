/** What a person follows: each has his own titles and folders, and one crawl serves all. */
import { createRoute, z } from '@hono/zod-openapi'
import {
  answer,
  body,
  CONFLICT,
  NO_CONTENT,
  READ_ERRORS,
  requiresScope,
  WRITE_ERRORS,
  WRITE_ERRORS_WITH_404,
} from '../operation.ts'
import { followedFeedSchema, pendingSubscriptionSchema } from '../schemas/read-state.ts'
import { addressesInput, subscriptionSchema } from '../schemas/source.ts'
import { countSchema, cursorParam, id, idParams, next, shortText, wholeNumber } from '../schemas/values.ts'

const text = z.string().max(1000)

export const listSubscriptions = createRoute({
  operationId: 'listSubscriptions',
  method: 'get',
  path: '/api/v1/subscriptions',
  tags: ['subscriptions'],
  summary: 'List your subscriptions with unread counts',
  ...requiresScope('read'),
  request: {
    query: z.strictObject({
      folder: shortText.optional().describe('a folder; those below it count, too; empty: what is in none'),
      cursor: cursorParam.optional(),
      limit: wholeNumber(1, 1000).optional(),
    }),
  },
  responses: {
    200: answer(
      z.strictObject({ subscriptions: z.array(followedFeedSchema), next }),
      'In the order of their feeds’ ids.',
    ),
    ...READ_ERRORS,
  },
})

export const addSubscriptions = createRoute({
  operationId: 'addSubscriptions',
  method: 'post',
  path: '/api/v1/subscriptions',
  tags: ['subscriptions'],
  summary: 'Subscribe to sites, feeds, or feeds that are already crawled',
  description: `Titles and folders are one's own. Of a feed that is there already, the newest entries are unread. A site's feed is looked for;
until it is found, the subscription waits. Addresses beyond the limit of feeds per user are refused one by one.`,
  ...requiresScope('write'),
  request: {
    body: body(
      z
        .strictObject({
          addresses: addressesInput.default([]),
          feeds: z.array(id).max(1000).default([]).describe('a list of ids of feeds that are there, at most 1,000'),
        })
        .refine(({ addresses, feeds }) => addresses.length > 0 || feeds.length > 0, 'there is no address in it')
        .describe('{"addresses": ["https://example.org"]} or {"feeds": [3]}, or both'),
    ),
  },
  responses: {
    200: answer(
      z.strictObject({
        results: z.array(subscriptionSchema).describe('In the order of the addresses.'),
        feeds: z.array(id).describe('Of the feeds that were named, those that are followed from now on.'),
      }),
      'What became of each.',
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
  description: `The body is the file itself, of at most 8 MB. Feeds are added in batches: if the connection is closed, the rest is not
added, and sending the file again goes on where it stopped. A user has one import at a time. Feeds beyond the limit of feeds per user
are refused one by one.`,
  ...requiresScope('write'),
  request: {
    body: {
      required: true,
      content: { 'text/x-opml': { schema: z.string() } },
      description: 'An OPML file. text/xml and application/xml are accepted, too.',
    },
  },
  responses: {
    200: answer(
      z.strictObject({
        results: z.array(subscriptionSchema).describe('In the order of the file.'),
        skipped: countSchema.describe('Outlines of the file that name no address of the web.'),
      }),
      'What became of each.',
    ),
    ...WRITE_ERRORS,
  },
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
          title: text.describe('a text of at most 1,000 characters; an empty one: as the feed calls itself').optional(),
          folder: text.describe('a folder, nested ones joined by " / "; an empty text: none').optional(),
        })
        .refine((edit) => Object.keys(edit).length > 0, 'there is nothing to change'),
    ),
  },
  responses: { 200: answer(followedFeedSchema, 'The subscription as it is now.'), ...WRITE_ERRORS_WITH_404 },
})

export const removeSubscription = createRoute({
  operationId: 'removeSubscription',
  method: 'delete',
  path: '/api/v1/subscriptions/{id}',
  tags: ['subscriptions'],
  summary: 'Unsubscribe. Feeds without subscribers leave the crawl',
  description:
    'Unless who runs the crawl has listed it. What was read of it is forgotten, and with the feed what was starred.',
  ...requiresScope('write'),
  request: { params: idParams },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS_WITH_404 },
})

export const listWaitingSubscriptions = createRoute({
  operationId: 'listWaitingSubscriptions',
  method: 'get',
  path: '/api/v1/subscriptions/waiting',
  tags: ['subscriptions'],
  summary: 'List your pending subscriptions',
  ...requiresScope('read'),
  request: { query: z.strictObject({ cursor: cursorParam.optional(), limit: wholeNumber(1, 1000).optional() }) },
  responses: {
    200: answer(z.strictObject({ waiting: z.array(pendingSubscriptionSchema), next }), 'Oldest first.'),
    ...READ_ERRORS,
  },
})

export const removeWaitingSubscription = createRoute({
  operationId: 'removeWaitingSubscription',
  method: 'delete',
  path: '/api/v1/subscriptions/waiting/{id}',
  tags: ['subscriptions'],
  summary: 'Cancel a pending subscription',
  ...requiresScope('write'),
  request: { params: idParams },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS_WITH_404 },
})
