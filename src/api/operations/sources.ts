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
  summary: 'List added addresses, oldest first',
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
  summary: 'Get an added address',
  ...allowed('read'),
  request: { params: idParams },
  responses: { 200: answer(sourceSchema, 'The source.'), ...WRONG_OR_GONE },
})

export const removeSource = createRoute({
  operationId: 'removeSource',
  method: 'delete',
  path: '/api/v1/sources/{id}',
  tags: ['sources'],
  summary: 'Stop looking for the feed of an address',
  description:
    'Admins remove it for everybody. Other users only cancel their own subscription; it ends with the last one.',
  ...allowed('write'),
  request: { params: idParams },
  responses: { 204: DONE, ...WRONG_OR_GONE_WRITE },
})
