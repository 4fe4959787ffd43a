/** Added addresses whose feed is being searched for, or was found. */
import { createRoute, z } from '@hono/zod-openapi'
import { answer, ERRORS_WITH_404, NO_CONTENT, READ_ERRORS, requiresScope, WRITE_ERRORS_WITH_404 } from '../operation.ts'
import { sourceSchema } from '../schemas/source.ts'
import { cursorParam, idParams, next, oneOf, wholeNumber } from '../schemas/values.ts'

export const listSources = createRoute({
  operationId: 'listSources',
  method: 'get',
  path: '/api/v1/sources',
  tags: ['sources'],
  summary: 'List added addresses, oldest first',
  ...requiresScope('read'),
  request: {
    query: z.strictObject({
      state: oneOf('looking', 'found').optional(),
      cursor: cursorParam.optional(),
      limit: wholeNumber(1, 1000).optional(),
    }),
  },
  responses: { 200: answer(z.strictObject({ sources: z.array(sourceSchema), next }), 'The sources.'), ...READ_ERRORS },
})

export const getSource = createRoute({
  operationId: 'getSource',
  method: 'get',
  path: '/api/v1/sources/{id}',
  tags: ['sources'],
  summary: 'Get an added address',
  ...requiresScope('read'),
  request: { params: idParams },
  responses: { 200: answer(sourceSchema, 'The source.'), ...ERRORS_WITH_404 },
})

export const removeSource = createRoute({
  operationId: 'removeSource',
  method: 'delete',
  path: '/api/v1/sources/{id}',
  tags: ['sources'],
  summary: 'Stop looking for the feed of an address',
  description:
    'Admins remove it for everybody. Other users only cancel their own subscription; it ends with the last one.',
  ...requiresScope('write'),
  request: { params: idParams },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS_WITH_404 },
})
