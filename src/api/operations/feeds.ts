/** Feeds: list, add, change, remove and poll. */
import { createRoute, z } from '@hono/zod-openapi'
import { MAX_ADDRESS_LENGTH } from '../../model/index.ts'
import {
  answer,
  body,
  CONFLICT,
  ERRORS_WITH_404,
  NO_CONTENT,
  READ_ERRORS,
  requiresScope,
  WRITE_ERRORS,
  WRITE_ERRORS_WITH_404,
} from '../operation.ts'
import { feedDetailsSchema, feedSchema } from '../schemas/feed.ts'
import { extractionPreviewInput, extractionPreviewSchema, fetchSettingsInput } from '../schemas/fetch-settings.ts'
import { wantsInput } from '../schemas/polling-goals.ts'
import { roundsSchema } from '../schemas/rounds.ts'
import { addressesInput, credentialsInput, subscriptionSchema } from '../schemas/source.ts'
import {
  cursorParam,
  date,
  dateParam,
  idParams,
  next,
  oneOf,
  scopeParam,
  shortText,
  trueOrFalse,
  wholeNumber,
} from '../schemas/values.ts'

const MAX_SUBSCRIBERS = 1_000_000_000
const text = shortText.describe('a text of at most 1,000 characters; an empty text removes it')
const nameInput = z
  .string()
  .regex(/^(?:[a-z][\w.-]{0,63})?$/i)
  .describe('at most 64 letters, digits, ., _ and -, starting with a letter; an empty text removes it')

export const listFeeds = createRoute({
  operationId: 'listFeeds',
  method: 'get',
  path: '/api/v1/feeds',
  tags: ['feeds'],
  summary: 'List feeds, oldest or next due first',
  description:
    'Feeds that you follow, that freshet.toml lists and, with --shared-reading, all public feeds. title and folder are your own.',
  ...requiresScope('read'),
  request: {
    query: z.strictObject({
      state: oneOf('active', 'paused', 'gone').optional(),
      folder: shortText.optional(),
      failing: trueOrFalse.optional(),
      text: shortText.optional(),
      category: shortText.optional(),
      name: shortText.optional(),
      address: z.string().max(MAX_ADDRESS_LENGTH).optional().describe('the address of one feed'),
      scope: scopeParam.optional(),
      order: oneOf('id', 'due').optional(),
      cursor: cursorParam.optional(),
      limit: wholeNumber(1, 1000).optional(),
    }),
  },
  responses: { 200: answer(z.strictObject({ feeds: z.array(feedSchema), next }), 'The feeds.'), ...READ_ERRORS },
})

export const getFeed = createRoute({
  operationId: 'getFeed',
  method: 'get',
  path: '/api/v1/feeds/{id}',
  tags: ['feeds'],
  summary: 'Get a feed with its latest polls and entries, and the reason for its next poll',
  ...requiresScope('read'),
  request: { params: idParams },
  responses: { 200: answer(feedDetailsSchema, 'The feed.'), ...ERRORS_WITH_404 },
})

export const getRounds = createRoute({
  operationId: 'getRounds',
  method: 'get',
  path: '/api/v1/feeds/{id}/rounds',
  tags: ['feeds'],
  summary:
    'Get M, T and ToE of a feed over time, if its strategy uses them (adva-rss, and posting-history during training)',
  description: `Computed from the newest 2,000 lines of its poll log. If there are more polls than \`limit\` (500), only every second or third is a point.`,
  ...requiresScope('read'),
  request: {
    params: idParams,
    query: z.strictObject({ since: dateParam.optional(), limit: wholeNumber(1, 2000).optional() }),
  },
  responses: { 200: answer(roundsSchema, 'The history.'), ...ERRORS_WITH_404 },
})

export const addFeeds = createRoute({
  operationId: 'addFeeds',
  method: 'post',
  path: '/api/v1/feeds',
  tags: ['feeds'],
  summary: 'Add sites and feeds. Feeds of sites are discovered',
  ...requiresScope('write'),
  request: {
    body: body(
      z
        .strictObject({ addresses: addressesInput.default([]) })
        .refine(({ addresses }) => addresses.length > 0, 'no address given')
        .describe('{"addresses": ["https://example.org"]}, at most 1,000 addresses'),
    ),
  },
  responses: {
    200: answer(
      z.strictObject({ results: z.array(subscriptionSchema).describe('In the order of the addresses.') }),
      'The result for each address.',
    ),
    ...WRITE_ERRORS,
  },
})

export const editFeed = createRoute({
  operationId: 'editFeed',
  method: 'patch',
  path: '/api/v1/feeds/{id}',
  tags: ['feeds'],
  summary: 'Change a feed',
  description: `Title and folder are your own. All other settings are shared by all followers; they can be changed by admins and by the only follower.
Credentials belong to the address they were given for: they are dropped when an admin who does not follow the feed changes the address.`,
  ...requiresScope('write'),
  request: {
    params: idParams,
    body: body(
      z
        .strictObject({
          state: z.enum(['active', 'paused']).describe('"active" or "paused"').optional(),
          title: text.optional(),
          folder: text.optional(),
          titlePrefix: text.optional(),
          name: nameInput.optional(),
          category: text.optional(),
          strategy: text.optional(),
          url: z.string().max(MAX_ADDRESS_LENGTH).describe('an address').optional(),
          credentials: credentialsInput.nullable().describe('{"user": "ada", "password": "…"}, or null').optional(),
          wants: wantsInput.optional(),
          subscribers: z
            .int()
            .min(1)
            .max(MAX_SUBSCRIBERS)
            .describe(`a whole number from 1 to ${MAX_SUBSCRIBERS}`)
            .optional(),
          fetching: fetchSettingsInput
            .nullable()
            .describe('an object of settings, each within its limit (docs/limits.md), or null to remove all')
            .optional(),
          articles: z
            .enum(['auto', 'always', 'never', ''])
            .describe('"auto", "always", "never", or "" for the general setting')
            .optional(),
        })
        .refine((edit) => Object.keys(edit).length > 0, 'nothing to change'),
    ),
  },
  responses: { 200: answer(feedSchema, 'The feed as it is now.'), ...WRITE_ERRORS_WITH_404, ...CONFLICT },
})

export const previewExtraction = createRoute({
  operationId: 'previewExtraction',
  method: 'post',
  path: '/api/v1/feeds/{id}/extraction-preview',
  tags: ['feeds'],
  summary: 'Preview extraction rules on the page of one of its entries',
  description:
    'Uses a stored page, of the given entry or of the newest entry that has one, and fetches nothing. For users with permission to change the feed.',
  ...requiresScope('write'),
  request: { params: idParams, body: body(extractionPreviewInput) },
  responses: { 200: answer(extractionPreviewSchema, 'The text.'), ...WRITE_ERRORS_WITH_404, ...CONFLICT },
})

export const removeFeed = createRoute({
  operationId: 'removeFeed',
  method: 'delete',
  path: '/api/v1/feeds/{id}',
  tags: ['feeds'],
  summary: 'Remove a feed, and later its entries',
  description: 'For admins and the only subscriber of the feed.',
  ...requiresScope('write'),
  request: { params: idParams },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS_WITH_404 },
})

export const pollFeed = createRoute({
  operationId: 'pollFeed',
  method: 'post',
  path: '/api/v1/feeds/{id}/poll',
  tags: ['feeds'],
  summary: 'Poll a feed as soon as the rate limits allow',
  ...requiresScope('write'),
  request: { params: idParams },
  responses: {
    202: answer(
      z.strictObject({ dueAt: date, why: z.string().optional().describe('Why it cannot be polled at once.') }),
      'When it will be polled.',
    ),
    ...WRITE_ERRORS_WITH_404,
  },
})
