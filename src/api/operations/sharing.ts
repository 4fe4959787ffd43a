/** Saved searches, outgoing feeds at secret addresses, and webhooks. */
import { createRoute, z } from '@hono/zod-openapi'
import {
  answer,
  body,
  COMMON_ERRORS,
  CONFLICT,
  ERRORS_WITH_404,
  FEED_DOCUMENT,
  NO_CONTENT,
  requiresScope,
  WRITE_ERRORS,
  WRITE_ERRORS_WITH_404,
} from '../operation.ts'
import {
  feedOutEdit,
  feedOutInput,
  feedOutSchema,
  savedSearchEdit,
  savedSearchInput,
  savedSearchSchema,
  secretOnce,
  webhookEdit,
  webhookInput,
  webhookSchema,
} from '../schemas/sharing.ts'
import { idParams, wholeNumber } from '../schemas/values.ts'

const withSecret = z.strictObject({ webhook: webhookSchema, secret: secretOnce })

export const listSearches = createRoute({
  operationId: 'listSearches',
  method: 'get',
  path: '/api/v1/searches',
  tags: ['searches'],
  summary: 'List your saved searches',
  ...requiresScope('read'),
  responses: {
    200: answer(z.strictObject({ searches: z.array(savedSearchSchema) }), 'Oldest first.'),
    ...COMMON_ERRORS,
  },
})

export const addSearch = createRoute({
  operationId: 'addSearch',
  method: 'post',
  path: '/api/v1/searches',
  tags: ['searches'],
  summary: 'Save a search',
  ...requiresScope('write'),
  request: { body: body(savedSearchInput) },
  responses: { 201: answer(savedSearchSchema, 'The search.'), ...WRITE_ERRORS, ...CONFLICT },
})

export const editSearch = createRoute({
  operationId: 'editSearch',
  method: 'patch',
  path: '/api/v1/searches/{id}',
  tags: ['searches'],
  summary: 'Change a saved search, and the feeds and webhooks made from it',
  ...requiresScope('write'),
  request: { params: idParams, body: body(savedSearchEdit) },
  responses: { 200: answer(savedSearchSchema, 'The search as it is now.'), ...WRITE_ERRORS_WITH_404, ...CONFLICT },
})

export const removeSearch = createRoute({
  operationId: 'removeSearch',
  method: 'delete',
  path: '/api/v1/searches/{id}',
  tags: ['searches'],
  summary: 'Remove a saved search, and the feeds and webhooks made from it',
  ...requiresScope('write'),
  request: { params: idParams },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS_WITH_404 },
})

export const listFeedsOut = createRoute({
  operationId: 'listFeedsOut',
  method: 'get',
  path: '/api/v1/feeds-out',
  tags: ['feeds out'],
  summary: 'List your outgoing feeds with their secret addresses',
  ...requiresScope('write'),
  responses: { 200: answer(z.strictObject({ feedsOut: z.array(feedOutSchema) }), 'Oldest first.'), ...COMMON_ERRORS },
})

export const addFeedOut = createRoute({
  operationId: 'addFeedOut',
  method: 'post',
  path: '/api/v1/feeds-out',
  tags: ['feeds out'],
  summary: 'Create an outgoing feed of your subscriptions, a part of them, or a saved search',
  ...requiresScope('write'),
  request: { body: body(feedOutInput) },
  responses: { 201: answer(feedOutSchema, 'The feed.'), ...WRITE_ERRORS, ...CONFLICT },
})

export const editFeedOut = createRoute({
  operationId: 'editFeedOut',
  method: 'patch',
  path: '/api/v1/feeds-out/{id}',
  tags: ['feeds out'],
  summary: 'Change an outgoing feed. Its address stays',
  ...requiresScope('write'),
  request: { params: idParams, body: body(feedOutEdit) },
  responses: { 200: answer(feedOutSchema, 'The feed as it is now.'), ...WRITE_ERRORS_WITH_404 },
})

export const moveFeedOut = createRoute({
  operationId: 'moveFeedOut',
  method: 'post',
  path: '/api/v1/feeds-out/{id}/address',
  tags: ['feeds out'],
  summary: 'Give an outgoing feed a new address. The old one stops working',
  ...requiresScope('write'),
  request: { params: idParams },
  responses: { 200: answer(feedOutSchema, 'The feed as it is now.'), ...WRITE_ERRORS_WITH_404 },
})

export const removeFeedOut = createRoute({
  operationId: 'removeFeedOut',
  method: 'delete',
  path: '/api/v1/feeds-out/{id}',
  tags: ['feeds out'],
  summary: 'Remove an outgoing feed',
  ...requiresScope('write'),
  request: { params: idParams },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS_WITH_404 },
})

export const getSecretFeed = createRoute({
  operationId: 'getSecretFeed',
  method: 'get',
  path: '/feeds/out/{name}',
  tags: ['feeds'],
  summary: 'Get an outgoing feed by its secret address',
  ...requiresScope('none'),
  request: {
    params: z.object({
      name: z.string().max(200).describe('the secret of its address followed by .rss, .atom or .json'),
    }),
    query: z.strictObject({ limit: wholeNumber(1, 200).optional() }),
  },
  responses: { ...FEED_DOCUMENT, ...ERRORS_WITH_404 },
})

export const listWebhooks = createRoute({
  operationId: 'listWebhooks',
  method: 'get',
  path: '/api/v1/webhooks',
  tags: ['webhooks'],
  summary: 'List your webhooks and their deliveries',
  ...requiresScope('read'),
  responses: { 200: answer(z.strictObject({ webhooks: z.array(webhookSchema) }), 'Oldest first.'), ...COMMON_ERRORS },
})

export const addWebhook = createRoute({
  operationId: 'addWebhook',
  method: 'post',
  path: '/api/v1/webhooks',
  tags: ['webhooks'],
  summary: 'Create a webhook for a saved search',
  ...requiresScope('write'),
  request: { body: body(webhookInput) },
  responses: { 201: answer(withSecret, 'The webhook.'), ...WRITE_ERRORS_WITH_404, ...CONFLICT },
})

export const editWebhook = createRoute({
  operationId: 'editWebhook',
  method: 'patch',
  path: '/api/v1/webhooks/{id}',
  tags: ['webhooks'],
  summary: 'Change a webhook. Reactivate one that was disabled',
  ...requiresScope('write'),
  request: { params: idParams, body: body(webhookEdit) },
  responses: { 200: answer(webhookSchema, 'The webhook as it is now.'), ...WRITE_ERRORS_WITH_404 },
})

export const changeWebhookSecret = createRoute({
  operationId: 'changeWebhookSecret',
  method: 'post',
  path: '/api/v1/webhooks/{id}/secret',
  tags: ['webhooks'],
  summary: 'Create a new secret for a webhook. The secret is only returned here',
  ...requiresScope('write'),
  request: { params: idParams },
  responses: { 200: answer(withSecret, 'The webhook.'), ...WRITE_ERRORS_WITH_404 },
})

export const removeWebhook = createRoute({
  operationId: 'removeWebhook',
  method: 'delete',
  path: '/api/v1/webhooks/{id}',
  tags: ['webhooks'],
  summary: 'Remove a webhook',
  ...requiresScope('write'),
  request: { params: idParams },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS_WITH_404 },
})
