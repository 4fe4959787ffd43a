/** What a person keeps so as to pass it on: saved searches, feeds at secret addresses, webhooks. */
import { createRoute, z } from '@hono/zod-openapi'
import {
  allowed,
  answer,
  body,
  DONE,
  EVERYWHERE,
  FEED_DOCUMENT,
  TAKEN,
  WRONG_OR_GONE,
  WRONG_OR_GONE_WRITE,
  WRONG_WRITE,
} from '../operation.ts'
import {
  feedOutEdit,
  feedOutGiven,
  feedOutSchema,
  savedSearchEdit,
  savedSearchGiven,
  savedSearchSchema,
  secretOnce,
  webhookEdit,
  webhookGiven,
  webhookSchema,
} from '../schemas/handout.ts'
import { idParams, wholeNumber } from '../schemas/values.ts'

const withSecret = z.strictObject({ webhook: webhookSchema, secret: secretOnce })

export const listSearches = createRoute({
  operationId: 'listSearches',
  method: 'get',
  path: '/api/v1/searches',
  tags: ['searches'],
  summary: 'List your saved searches',
  ...allowed('read'),
  responses: { 200: answer(z.strictObject({ searches: z.array(savedSearchSchema) }), 'Oldest first.'), ...EVERYWHERE },
})

export const addSearch = createRoute({
  operationId: 'addSearch',
  method: 'post',
  path: '/api/v1/searches',
  tags: ['searches'],
  summary: 'Save a search',
  ...allowed('write'),
  request: { body: body(savedSearchGiven) },
  responses: { 201: answer(savedSearchSchema, 'The search.'), ...WRONG_WRITE, ...TAKEN },
})

export const editSearch = createRoute({
  operationId: 'editSearch',
  method: 'patch',
  path: '/api/v1/searches/{id}',
  tags: ['searches'],
  summary: 'Change a saved search, and the feeds and webhooks made from it',
  ...allowed('write'),
  request: { params: idParams, body: body(savedSearchEdit) },
  responses: { 200: answer(savedSearchSchema, 'The search as it is now.'), ...WRONG_OR_GONE_WRITE, ...TAKEN },
})

export const removeSearch = createRoute({
  operationId: 'removeSearch',
  method: 'delete',
  path: '/api/v1/searches/{id}',
  tags: ['searches'],
  summary: 'Remove a saved search, and the feeds and webhooks made from it',
  ...allowed('write'),
  request: { params: idParams },
  responses: { 204: DONE, ...WRONG_OR_GONE_WRITE },
})

export const listFeedsOut = createRoute({
  operationId: 'listFeedsOut',
  method: 'get',
  path: '/api/v1/feeds-out',
  tags: ['feeds out'],
  summary: 'List your outgoing feeds with their secret addresses',
  ...allowed('write'),
  responses: { 200: answer(z.strictObject({ feedsOut: z.array(feedOutSchema) }), 'Oldest first.'), ...EVERYWHERE },
})

export const addFeedOut = createRoute({
  operationId: 'addFeedOut',
  method: 'post',
  path: '/api/v1/feeds-out',
  tags: ['feeds out'],
  summary: 'Create an outgoing feed of your subscriptions, a part of them, or a saved search',
  ...allowed('write'),
  request: { body: body(feedOutGiven) },
  responses: { 201: answer(feedOutSchema, 'The feed.'), ...WRONG_WRITE, ...TAKEN },
})

export const editFeedOut = createRoute({
  operationId: 'editFeedOut',
  method: 'patch',
  path: '/api/v1/feeds-out/{id}',
  tags: ['feeds out'],
  summary: 'Change an outgoing feed. Its address stays',
  ...allowed('write'),
  request: { params: idParams, body: body(feedOutEdit) },
  responses: { 200: answer(feedOutSchema, 'The feed as it is now.'), ...WRONG_OR_GONE_WRITE },
})

export const moveFeedOut = createRoute({
  operationId: 'moveFeedOut',
  method: 'post',
  path: '/api/v1/feeds-out/{id}/address',
  tags: ['feeds out'],
  summary: 'Give an outgoing feed a new address. The old one stops working',
  ...allowed('write'),
  request: { params: idParams },
  responses: { 200: answer(feedOutSchema, 'The feed as it is now.'), ...WRONG_OR_GONE_WRITE },
})

export const removeFeedOut = createRoute({
  operationId: 'removeFeedOut',
  method: 'delete',
  path: '/api/v1/feeds-out/{id}',
  tags: ['feeds out'],
  summary: 'Remove an outgoing feed',
  ...allowed('write'),
  request: { params: idParams },
  responses: { 204: DONE, ...WRONG_OR_GONE_WRITE },
})

export const getSecretFeed = createRoute({
  operationId: 'getSecretFeed',
  method: 'get',
  path: '/feeds/out/{name}',
  tags: ['feeds out'],
  summary: 'Get an outgoing feed by its secret address',
  ...allowed('none'),
  request: {
    params: z.object({
      name: z.string().max(200).describe('the secret of its address, with .rss, .atom or .json behind it'),
    }),
    query: z.strictObject({ limit: wholeNumber(1, 200).optional() }),
  },
  responses: { ...FEED_DOCUMENT, ...WRONG_OR_GONE },
})

export const listWebhooks = createRoute({
  operationId: 'listWebhooks',
  method: 'get',
  path: '/api/v1/webhooks',
  tags: ['webhooks'],
  summary: 'List your webhooks and their deliveries',
  ...allowed('read'),
  responses: { 200: answer(z.strictObject({ webhooks: z.array(webhookSchema) }), 'Oldest first.'), ...EVERYWHERE },
})

export const addWebhook = createRoute({
  operationId: 'addWebhook',
  method: 'post',
  path: '/api/v1/webhooks',
  tags: ['webhooks'],
  summary: 'Create a webhook for a saved search',
  ...allowed('write'),
  request: { body: body(webhookGiven) },
  responses: { 201: answer(withSecret, 'The webhook.'), ...WRONG_OR_GONE_WRITE, ...TAKEN },
})

export const editWebhook = createRoute({
  operationId: 'editWebhook',
  method: 'patch',
  path: '/api/v1/webhooks/{id}',
  tags: ['webhooks'],
  summary: 'Change a webhook. Reactivate one that was disabled',
  ...allowed('write'),
  request: { params: idParams, body: body(webhookEdit) },
  responses: { 200: answer(webhookSchema, 'The webhook as it is now.'), ...WRONG_OR_GONE_WRITE },
})

export const changeWebhookSecret = createRoute({
  operationId: 'changeWebhookSecret',
  method: 'post',
  path: '/api/v1/webhooks/{id}/secret',
  tags: ['webhooks'],
  summary: 'Create a new secret for a webhook. The secret is only returned here',
  ...allowed('write'),
  request: { params: idParams },
  responses: { 200: answer(withSecret, 'The webhook.'), ...WRONG_OR_GONE_WRITE },
})

export const removeWebhook = createRoute({
  operationId: 'removeWebhook',
  method: 'delete',
  path: '/api/v1/webhooks/{id}',
  tags: ['webhooks'],
  summary: 'Remove a webhook',
  ...allowed('write'),
  request: { params: idParams },
  responses: { 204: DONE, ...WRONG_OR_GONE_WRITE },
})
