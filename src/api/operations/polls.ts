/** The poll log. */
import { createRoute, z } from '@hono/zod-openapi'
import { answer, READ_ERRORS, requiresScope } from '../operation.ts'
import { pollSchema } from '../schemas/poll.ts'
import { cursorParam, dateParam, idParam, next, wholeNumber } from '../schemas/values.ts'

export const listPolls = createRoute({
  operationId: 'listPolls',
  method: 'get',
  path: '/api/v1/polls',
  tags: ['polls'],
  summary: 'List polls, newest first',
  ...requiresScope('read'),
  request: {
    query: z.strictObject({
      feed: idParam.optional(),
      since: dateParam.optional(),
      cursor: cursorParam.optional(),
      limit: wholeNumber(1, 1000).optional(),
    }),
  },
  responses: { 200: answer(z.strictObject({ polls: z.array(pollSchema), next }), 'The polls.'), ...READ_ERRORS },
})
