/** The log of what we did to the feeds' servers. */
import { createRoute, z } from '@hono/zod-openapi'
import { allowed, answer, WRONG } from '../operation.ts'
import { pollSchema } from '../schemas/poll.ts'
import { cursorGiven, dateGiven, idGiven, next, wholeNumber } from '../schemas/values.ts'

export const listPolls = createRoute({
  operationId: 'listPolls',
  method: 'get',
  path: '/api/v1/polls',
  tags: ['polls'],
  summary: 'List polls, newest first',
  ...allowed('read'),
  request: {
    query: z.strictObject({
      feed: idGiven.optional(),
      since: dateGiven.optional(),
      cursor: cursorGiven.optional(),
      limit: wholeNumber(1, 1000).optional(),
    }),
  },
  responses: { 200: answer(z.strictObject({ polls: z.array(pollSchema), next }), 'The polls.'), ...WRONG },
})
