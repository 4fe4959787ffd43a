/** Outgoing feeds without a secret address, for other feed readers. */
import { createRoute, z } from '@hono/zod-openapi'
import { ERRORS_WITH_404, FEED_DOCUMENT, requiresScope } from '../operation.ts'
import { idParam, oneOf, scopeParam, shortText, wholeNumber } from '../schemas/values.ts'

export const getFeedOut = createRoute({
  operationId: 'getFeedOut',
  method: 'get',
  path: '/feeds/{name}',
  tags: ['feeds'],
  summary: 'Get entries as a feed: all, or of a search, a feed, a folder or a category',
  ...requiresScope('read'),
  request: {
    params: z.object({
      name: z.string().max(200).describe('any name followed by .rss, .atom or .json, which selects the format'),
    }),
    query: z.strictObject({
      q: shortText.optional(),
      feed: idParam.optional(),
      folder: shortText.optional(),
      category: shortText.optional(),
      unique: oneOf('copy', 'story').optional(),
      text: oneOf('full', 'summary').optional(),
      scope: scopeParam.optional(),
      limit: wholeNumber(1, 200).optional(),
    }),
  },
  responses: { ...FEED_DOCUMENT, ...ERRORS_WITH_404 },
})
