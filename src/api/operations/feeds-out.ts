/** Feeds that we give out: what other feed readers may subscribe to. */
import { createRoute, z } from '@hono/zod-openapi'
import { allowed, FEED_DOCUMENT, WRONG_OR_GONE } from '../operation.ts'
import { idGiven, oneOf, scopeGiven, wholeNumber, words } from '../schemas/values.ts'

export const getFeedOut = createRoute({
  operationId: 'getFeedOut',
  method: 'get',
  path: '/feeds/{name}',
  tags: ['feeds out'],
  summary: 'Get entries as a feed: all, or of a search, a feed, a folder or a category',
  ...allowed('read'),
  request: {
    params: z.object({
      name: z.string().max(200).describe('any name, with .rss, .atom or .json behind it, which is its format'),
    }),
    query: z.strictObject({
      q: words.optional(),
      feed: idGiven.optional(),
      folder: words.optional(),
      category: words.optional(),
      unique: oneOf('copy', 'story').optional(),
      text: oneOf('full', 'summary').optional(),
      scope: scopeGiven.optional(),
      limit: wholeNumber(1, 200).optional(),
    }),
  },
  responses: { ...FEED_DOCUMENT, ...WRONG_OR_GONE },
})
