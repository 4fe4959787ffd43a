/** The sessions of a user, and how they sign in. */
import { createRoute, z } from '@hono/zod-openapi'
import { answer, COMMON_ERRORS, NO_CONTENT, requiresScope, WRITE_ERRORS, WRITE_ERRORS_WITH_404 } from '../operation.ts'
import { userSessionSchema } from '../schemas/sign-in.ts'
import { idParams } from '../schemas/values.ts'

export const listSessions = createRoute({
  operationId: 'listSessions',
  method: 'get',
  path: '/api/v1/sessions',
  tags: ['session'],
  summary: 'List your sessions, the most recently used first. Tokens cannot list them',
  ...requiresScope('read'),
  responses: {
    200: answer(z.strictObject({ sessions: z.array(userSessionSchema) }), 'The sessions.'),
    ...COMMON_ERRORS,
  },
})

export const endSession = createRoute({
  operationId: 'endSession',
  method: 'delete',
  path: '/api/v1/sessions/{id}',
  tags: ['session'],
  summary: 'End one of your sessions',
  ...requiresScope('read'),
  request: { params: idParams },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS_WITH_404 },
})

export const endOtherSessions = createRoute({
  operationId: 'endOtherSessions',
  method: 'delete',
  path: '/api/v1/sessions',
  tags: ['session'],
  summary: 'End all your sessions except the current one. Tokens stay valid',
  ...requiresScope('read'),
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS },
})
