/** Addresses whose feed is still looked for, or was found. */
import { createRoute, z } from '@hono/zod-openapi'
import { allowed, answer, DONE, WRONG, WRONG_OR_GONE, WRONG_OR_GONE_WRITE } from '../operation.ts'
import { sourceSchema } from '../schemas/source.ts'
import { cursorGiven, idParams, next, oneOf, wholeNumber } from '../schemas/values.ts'

export const listSources = createRoute({
  operationId: 'listSources',
  method: 'get',
  path: '/api/v1/sources',
  tags: ['sources'],
  summary: 'The addresses that were given, oldest first',
  ...allowed('read'),
  request: {
    query: z.strictObject({
      state: oneOf('looking', 'found').optional(),
      cursor: cursorGiven.optional(),
      limit: wholeNumber(1, 1000).optional(),
    }),
  },
  responses: { 200: answer(z.strictObject({ sources: z.array(sourceSchema), next }), 'The sources.'), ...WRONG },
})

export const getSource = createRoute({
  operationId: 'getSource',
  method: 'get',
  path: '/api/v1/sources/{id}',
  tags: ['sources'],
  summary: 'What became of an address',
  ...allowed('read'),
  request: { params: idParams },
  responses: { 200: answer(sourceSchema, 'The source.'), ...WRONG_OR_GONE },
})

export const removeSource = createRoute({
  operationId: 'removeSource',
  method: 'delete',
  path: '/api/v1/sources/{id}',
  tags: ['sources'],
  summary: 'Its feed is no longer looked for',
  description: 'By an admin for everybody. Others stop waiting for it themselves, and it goes with the last who does.',
  ...allowed('write'),
  request: { params: idParams },
  responses: { 204: DONE, ...WRONG_OR_GONE_WRITE },
})
