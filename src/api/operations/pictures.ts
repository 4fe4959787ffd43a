/** Image proxy, so that browsers of readers make no requests to publishers. */
import { createRoute, z } from '@hono/zod-openapi'
import { ERRORS_WITH_404, requiresScope } from '../operation.ts'
import { idParams, oneOf } from '../schemas/values.ts'

const bytes = { schema: z.string().openapi({ format: 'binary' }) }
const picture = {
  200: {
    description: 'The image. Its type is detected from its bytes; SVG is refused.',
    content: {
      'image/png': bytes,
      'image/jpeg': bytes,
      'image/gif': bytes,
      'image/webp': bytes,
      'image/avif': bytes,
      'image/x-icon': bytes,
    },
  },
}

export const getPicture = createRoute({
  operationId: 'getPicture',
  method: 'get',
  path: '/api/v1/entries/{id}/picture',
  tags: ['pictures'],
  summary: 'Get the best image of an entry, or an image that the entry or its article refers to',
  ...requiresScope('read'),
  request: {
    params: idParams,
    query: z.strictObject({
      url: z.string().max(8192).describe('an image address that the entry refers to').optional(),
      size: oneOf('small', 'full')
        .optional()
        .describe(
          'without url: small: a small version for lists, if the feed states one; full (default): the best image',
        ),
    }),
  },
  responses: { ...picture, ...ERRORS_WITH_404 },
})

export const getIcon = createRoute({
  operationId: 'getIcon',
  method: 'get',
  path: '/api/v1/feeds/{id}/icon',
  tags: ['pictures'],
  summary: 'Get the favicon of a feed',
  ...requiresScope('read'),
  request: { params: idParams },
  responses: { ...picture, ...ERRORS_WITH_404 },
})
