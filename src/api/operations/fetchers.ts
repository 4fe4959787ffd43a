/** Those who go out to the web, and the other processes of a fleet. */
import { createRoute, z } from '@hono/zod-openapi'
import { answer, COMMON_ERRORS, requiresScope } from '../operation.ts'
import { fleetMemberSchema } from '../schemas/fleet-member.ts'

export const listFetchers = createRoute({
  operationId: 'listFetchers',
  method: 'get',
  path: '/api/v1/terminals',
  tags: ['status'],
  summary: 'List fetchers with load, version, region and clock offset, and the other processes of the fleet',
  ...requiresScope('read'),
  responses: {
    200: answer(
      z.strictObject({
        terminals: z.array(fleetMemberSchema).describe('Where everything is one process, that is the only one.'),
        others: z.array(fleetMemberSchema).describe('Controllers, keepers and servers.'),
      }),
      'Who is there.',
    ),
    ...COMMON_ERRORS,
  },
})
