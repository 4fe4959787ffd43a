/** WebSub hubs. */
import { createRoute, z } from '@hono/zod-openapi'
import { answer, COMMON_ERRORS, requiresScope } from '../operation.ts'
import { hubSchema } from '../schemas/hub.ts'

export const listHubs = createRoute({
  operationId: 'listHubs',
  method: 'get',
  path: '/api/v1/hubs',
  tags: ['status'],
  summary: 'List WebSub hubs and their performance, most subscriptions first',
  ...requiresScope('admin'),
  responses: { 200: answer(z.strictObject({ hubs: z.array(hubSchema) }), 'The hubs.'), ...COMMON_ERRORS },
})
