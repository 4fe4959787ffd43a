/** The feeds, and what people may do to them. */
import { createRoute, z } from '@hono/zod-openapi'
import { LONGEST_ADDRESS } from '../../model/index.ts'
import {
  allowed,
  answer,
  body,
  DONE,
  TAKEN,
  WRONG,
  WRONG_OR_GONE,
  WRONG_OR_GONE_WRITE,
  WRONG_WRITE,
} from '../operation.ts'
import { feedSchema, wholeFeedSchema } from '../schemas/feed.ts'
import { roundsSchema } from '../schemas/rounds.ts'
import { addressesGiven, credentialsGiven, subscriptionSchema } from '../schemas/source.ts'
import {
  cursorGiven,
  date,
  dateGiven,
  idParams,
  next,
  oneOf,
  scopeGiven,
  trueOrFalse,
  wholeNumber,
  words,
} from '../schemas/values.ts'
import { wantsGiven } from '../schemas/wants.ts'

const MOST_SUBSCRIBERS = 1_000_000_000
const text = words.describe('a text of at most 1,000 characters; an empty one takes it away')
const nameGiven = z
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
  ...allowed('read'),
  request: {
    query: z.strictObject({
      state: oneOf('active', 'paused', 'gone').optional(),
      folder: words.optional(),
      troubled: trueOrFalse.optional(),
      text: words.optional(),
      category: words.optional(),
      name: words.optional(),
      address: z.string().max(LONGEST_ADDRESS).optional().describe('the address of one feed'),
      scope: scopeGiven.optional(),
      order: oneOf('id', 'due').optional(),
      cursor: cursorGiven.optional(),
      limit: wholeNumber(1, 1000).optional(),
    }),
  },
  responses: { 200: answer(z.strictObject({ feeds: z.array(feedSchema), next }), 'The feeds.'), ...WRONG },
})

export const getFeed = createRoute({
  operationId: 'getFeed',
  method: 'get',
  path: '/api/v1/feeds/{id}',
  tags: ['feeds'],
  summary: 'Get a feed with its latest polls and entries, and the reason for its next poll',
  ...allowed('read'),
  request: { params: idParams },
  responses: { 200: answer(wholeFeedSchema, 'The feed.'), ...WRONG_OR_GONE },
})

export const getRounds = createRoute({
  operationId: 'getRounds',
  method: 'get',
  path: '/api/v1/feeds/{id}/rounds',
  tags: ['feeds'],
  summary:
    'M, T and ToE of a feed over time, where its strategy has them (adva-rss, and posting-history while it trains)',
  description: `By the newest 2,000 lines of the log of its polls. Of more polls than \`limit\` (500), every second, or third, is a point.`,
  ...allowed('read'),
  request: {
    params: idParams,
    query: z.strictObject({ since: dateGiven.optional(), limit: wholeNumber(1, 2000).optional() }),
  },
  responses: { 200: answer(roundsSchema, 'The history.'), ...WRONG_OR_GONE },
})

export const addFeeds = createRoute({
  operationId: 'addFeeds',
  method: 'post',
  path: '/api/v1/feeds',
  tags: ['feeds'],
  summary: 'Add sites and feeds. Feeds of sites are discovered',
  ...allowed('write'),
  request: {
    body: body(
      z
        .strictObject({ addresses: addressesGiven.default([]) })
        .refine(({ addresses }) => addresses.length > 0, 'there is no address in it')
        .describe('{"addresses": ["https://example.org"]}, at most 1,000 of them'),
    ),
  },
  responses: {
    200: answer(
      z.strictObject({ results: z.array(subscriptionSchema).describe('In the order of the addresses.') }),
      'What became of each.',
    ),
    ...WRONG_WRITE,
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
  ...allowed('write'),
  request: {
    params: idParams,
    body: body(
      z
        .strictObject({
          state: z.enum(['active', 'paused']).describe('"active" or "paused"').optional(),
          title: text.optional(),
          folder: text.optional(),
          titlePrefix: text.optional(),
          name: nameGiven.optional(),
          category: text.optional(),
          strategy: text.optional(),
          url: z.string().max(LONGEST_ADDRESS).describe('an address').optional(),
          credentials: credentialsGiven.nullable().describe('{"user": "ada", "password": "…"}, or null').optional(),
          wants: wantsGiven.optional(),
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
  responses: { 200: answer(feedSchema, 'The feed as it is now.'), ...WRONG_OR_GONE_WRITE, ...TAKEN },
})

export const removeFeed = createRoute({
  operationId: 'removeFeed',
  method: 'delete',
  path: '/api/v1/feeds/{id}',
  tags: ['feeds'],
  summary: 'Remove a feed, and later its entries',
  description: 'For admins and the only subscriber of the feed.',
  ...allowed('write'),
  request: { params: idParams },
  responses: { 204: DONE, ...WRONG_OR_GONE_WRITE },
})

export const pollFeed = createRoute({
  operationId: 'pollFeed',
  method: 'post',
  path: '/api/v1/feeds/{id}/poll',
  tags: ['feeds'],
  summary: 'Poll a feed as soon as the rate limits allow',
  ...allowed('write'),
  request: { params: idParams },
  responses: {
    202: answer(
      z.strictObject({ dueAt: date, why: z.string().optional().describe('Why not at once.') }),
      'When that will be.',
    ),
    ...WRONG_OR_GONE_WRITE,
  },
})
