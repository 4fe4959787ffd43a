/** Addresses whose feed is still looked for, or was found. */
import { createRoute, z } from '@hono/zod-openapi'
import { answer, ERRORS_WITH_404, NO_CONTENT, READ_ERRORS, requiresScope, WRITE_ERRORS_WITH_404 } from '../operation.ts'
import { sourceSchema } from '../schemas/source.ts'
import { cursorParam, idParams, next, oneOf, wholeNumber } from '../schemas/values.ts'

export const listSources = createRoute({
  operationId: 'listSources',
  method: 'get',
  path: '/api/v1/sources',
  tags: ['sources'],
  summary: 'The addresses that were given, oldest first',
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
  summary: 'What became of an address',
  ...requiresScope('read'),
  request: { params: idParams },
  responses: { 200: answer(sourceSchema, 'The source.'), ...ERRORS_WITH_404 },
})

export const removeSource = createRoute({
  operationId: 'removeSource',
  method: 'delete',
  path: '/api/v1/sources/{id}',
  tags: ['sources'],
  summary: 'Its feed is no longer looked for',
  description: 'By an admin for everybody. Others stop waiting for it themselves, and it goes with the last who does.',
  ...requiresScope('write'),
  request: { params: idParams },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS_WITH_404 },
})
