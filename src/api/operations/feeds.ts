/** The feeds, and what people may do to them. */
import { createRoute, z } from '@hono/zod-openapi'
import { LONGEST_ADDRESS } from '../../model/index.ts'
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

const MOST_SUBSCRIBERS = 1_000_000_000
const text = shortText.describe('a text of at most 1,000 characters; an empty one takes it away')
const nameInput = z
  .string()
  .regex(/^(?:[a-z][\w.-]{0,63})?$/i)
  .describe('letters, digits, ., _ and -, the first a letter, at most 64; an empty text takes it away')

export const listFeeds = createRoute({
  operationId: 'listFeeds',
  method: 'get',
  path: '/api/v1/feeds',
  tags: ['feeds'],
  summary: 'List feeds, oldest or next due first',
  description:
    'Those that you follow, that freshet.toml lists and, with --shared-reading, that are public. title and folder are your own.',
  ...requiresScope('read'),
  request: {
    query: z.strictObject({
      state: oneOf('active', 'paused', 'gone').optional(),
      folder: shortText.optional(),
      troubled: trueOrFalse.optional(),
      text: shortText.optional(),
      category: shortText.optional(),
      name: shortText.optional(),
      address: z.string().max(LONGEST_ADDRESS).optional().describe('the address of one feed'),
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
    'M, T and ToE of a feed over time, where its strategy has them (adva-rss, and posting-history while it trains)',
  description: `By the newest 2,000 lines of the log of its polls. Of more polls than \`limit\` (500), every second, or third, is a point.`,
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
        .refine(({ addresses }) => addresses.length > 0, 'there is no address in it')
        .describe('{"addresses": ["https://example.org"]}, at most 1,000 of them'),
    ),
  },
  responses: {
    200: answer(
      z.strictObject({ results: z.array(subscriptionSchema).describe('In the order of the addresses.') }),
      'What became of each.',
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
  description: `Title and folder are your own. All else is shared by those who follow the feed: admins change it, and who is the only one to follow it.
A login stays with the address that it was given for: it is dropped when an admin who does not follow the feed gives it another.`,
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
          url: z.string().max(LONGEST_ADDRESS).describe('an address').optional(),
          credentials: credentialsInput.nullable().describe('{"user": "ada", "password": "…"}, or null').optional(),
          wants: wantsInput.optional(),
          subscribers: z
            .int()
            .min(1)
            .max(MOST_SUBSCRIBERS)
            .describe(`a whole number from 1 to ${MOST_SUBSCRIBERS}`)
            .optional(),
          articles: z
            .enum(['auto', 'always', 'never', ''])
            .describe('"auto", "always", "never", or "" for the general setting')
            .optional(),
        })
        .refine((edit) => Object.keys(edit).length > 0, 'there is nothing to change'),
    ),
  },
  responses: { 200: answer(feedSchema, 'The feed as it is now.'), ...WRITE_ERRORS_WITH_404, ...CONFLICT },
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
      z.strictObject({ dueAt: date, why: z.string().optional().describe('Why not at once.') }),
      'When that will be.',
    ),
    ...WRITE_ERRORS_WITH_404,
  },
})
