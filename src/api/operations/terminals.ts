/** Those who go out to the web, and the other processes of a fleet. */
import { createRoute, z } from '@hono/zod-openapi'
import { allowed, answer, EVERYWHERE } from '../operation.ts'
import { fleetMemberSchema } from '../schemas/fleet-member.ts'

export const listTerminals = createRoute({
  operationId: 'listTerminals',
  method: 'get',
  path: '/api/v1/terminals',
  tags: ['status'],
  summary: 'List fetchers with load, version, region and clock offset, and the other processes of the fleet',
  ...allowed('read'),
  responses: {
    200: answer(
      z.strictObject({
        terminals: z.array(fleetMemberSchema).describe('Where everything is one process, that is the only one.'),
        others: z.array(fleetMemberSchema).describe('Controllers, keepers and servers.'),
      }),
      'Who is there.',
    ),
    ...EVERYWHERE,
  },
})
