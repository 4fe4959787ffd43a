/** Sending entries to other services. */
import { createRoute, z } from '@hono/zod-openapi'
import {
  answer,
  body,
  COMMON_ERRORS,
  CONFLICT,
  NO_CONTENT,
  requiresScope,
  WRITE_ERRORS,
  WRITE_ERRORS_WITH_404,
} from '../operation.ts'
import {
  destinationEdit,
  destinationInput,
  destinationSchema,
  presetSchema,
  sendInput,
  sendSchema,
  testResultSchema,
} from '../schemas/destination.ts'
import { idParams } from '../schemas/values.ts'

const params = z.object({ id: z.string().min(1).max(200) })

export const listDestinations = createRoute({
  operationId: 'listDestinations',
  method: 'get',
  path: '/api/v1/destinations',
  tags: ['destinations'],
  summary: 'List your destinations, and the presets of services',
  ...requiresScope('read'),
  responses: {
    200: answer(
      z.strictObject({ destinations: z.array(destinationSchema), presets: z.array(presetSchema) }),
      'Destinations, oldest first.',
    ),
    ...COMMON_ERRORS,
  },
})

export const addDestination = createRoute({
  operationId: 'addDestination',
  method: 'post',
  path: '/api/v1/destinations',
  tags: ['destinations'],
  summary: 'Add a service to which you send entries',
  ...requiresScope('write'),
  request: { body: body(destinationInput) },
  responses: { 201: answer(destinationSchema, 'The destination.'), ...WRITE_ERRORS, ...CONFLICT },
})

export const editDestination = createRoute({
  operationId: 'editDestination',
  method: 'patch',
  path: '/api/v1/destinations/{id}',
  tags: ['destinations'],
  summary: 'Change a destination',
  ...requiresScope('write'),
  request: { params, body: body(destinationEdit) },
  responses: { 200: answer(destinationSchema, 'The destination now.'), ...WRITE_ERRORS_WITH_404, ...CONFLICT },
})

export const removeDestination = createRoute({
  operationId: 'removeDestination',
  method: 'delete',
  path: '/api/v1/destinations/{id}',
  tags: ['destinations'],
  summary: 'Remove a destination, and what waits for it',
  ...requiresScope('write'),
  request: { params },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS_WITH_404, ...CONFLICT },
})

export const testDestination = createRoute({
  operationId: 'testDestination',
  method: 'post',
  path: '/api/v1/destinations/{id}/test',
  tags: ['destinations'],
  summary: 'Send a test entry now',
  ...requiresScope('write'),
  request: { params },
  responses: { 200: answer(testResultSchema, 'What the service answered.'), ...WRITE_ERRORS_WITH_404 },
})

export const sendEntry = createRoute({
  operationId: 'sendEntry',
  method: 'post',
  path: '/api/v1/entries/{id}/send',
  tags: ['destinations'],
  summary: 'Send an entry to a destination',
  description:
    'It is sent within seconds, and again with longer and longer pauses if that fails. Repeat the request to try again after the last failure. An entry that waits for a destination is not queued twice.',
  ...requiresScope('write'),
  request: { params: idParams, body: body(sendInput) },
  responses: { 202: answer(sendSchema, 'It is queued.'), ...WRITE_ERRORS_WITH_404, ...CONFLICT },
})

export const listSends = createRoute({
  operationId: 'listSends',
  method: 'get',
  path: '/api/v1/sends',
  tags: ['destinations'],
  summary: 'List entries that wait to be sent, and the last 200 that were sent or failed',
  ...requiresScope('read'),
  responses: {
    200: answer(z.strictObject({ sends: z.array(sendSchema) }), 'Waiting ones first, then newest first.'),
    ...COMMON_ERRORS,
  },
})

export const removeSend = createRoute({
  operationId: 'removeSend',
  method: 'delete',
  path: '/api/v1/sends/{id}',
  tags: ['destinations'],
  summary: 'Cancel a waiting entry, or remove a result',
  ...requiresScope('write'),
  request: { params },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS_WITH_404 },
})
