/** Pictures through us, so that a reader's browser tells no publisher who reads what. */
import { createRoute, z } from '@hono/zod-openapi'
import { ERRORS_WITH_404, requiresScope } from '../operation.ts'
import { idParams } from '../schemas/values.ts'

const bytes = { schema: z.string().openapi({ format: 'binary' }) }
const picture = {
  200: {
    description: 'The picture. What it is was told from its bytes; SVG is none.',
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
  summary: 'The best picture that comes with an entry; or that at an address which the entry or its article names',
  ...requiresScope('read'),
  request: {
    params: idParams,
    query: z.strictObject({ url: z.string().max(8192).describe('an address that the entry names').optional() }),
  },
  responses: { ...picture, ...ERRORS_WITH_404 },
})

export const getIcon = createRoute({
  operationId: 'getIcon',
  method: 'get',
  path: '/api/v1/feeds/{id}/icon',
  tags: ['pictures'],
  summary: 'The icon of a feed’s site',
  ...requiresScope('read'),
  request: { params: idParams },
  responses: { ...picture, ...ERRORS_WITH_404 },
})
