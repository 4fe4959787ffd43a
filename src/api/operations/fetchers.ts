/** The processes of a fleet. */
import { createRoute, z } from '@hono/zod-openapi'
import { answer, COMMON_ERRORS, requiresScope } from '../operation.ts'
import { fleetMemberSchema } from '../schemas/fleet-member.ts'

export const listFetchers = createRoute({
  operationId: 'listFetchers',
  method: 'get',
  path: '/api/v1/fetchers',
  tags: ['status'],
  summary: 'List fetchers with load, version, region and clock offset, and the other processes of the fleet',
  ...requiresScope('read'),
  responses: {
    200: answer(
      z.strictObject({
        fetchers: z.array(fleetMemberSchema).describe('Without a fleet, only this process.'),
        others: z.array(fleetMemberSchema).describe('Controllers, indexers and servers.'),
      }),
      'The processes.',
    ),
    ...COMMON_ERRORS,
  },
})
