/** Positions in audio and video of a user, for resuming on any device. */
import { createRoute, z } from '@hono/zod-openapi'
import { answer, body, READ_ERRORS, requiresScope, WRITE_ERRORS_WITH_404 } from '../operation.ts'
import { MAX_RECORDING_SECONDS, playbackSchema } from '../schemas/playback.ts'
import { cursorParam, idParams, next, oneOf, trueOrFalse, wholeNumber } from '../schemas/values.ts'

export const listPlayback = createRoute({
  operationId: 'listPlayback',
  method: 'get',
  path: '/api/v1/playback',
  tags: ['reading'],
  summary: 'List your positions in recordings, most recently played first',
  description: 'A page may have fewer than its limit and still have a next. The last page has no next.',
  ...requiresScope('read'),
  request: {
    query: z.strictObject({
      state: oneOf('started', 'finished')
        .optional()
        .describe('started: only unfinished ones; finished: only finished ones'),
      entries: trueOrFalse.optional().describe('true: with the entries, as in lists with excerpts'),
      cursor: cursorParam.optional(),
      limit: wholeNumber(1, 1000).optional(),
    }),
  },
  responses: {
    200: answer(z.strictObject({ playback: z.array(playbackSchema), next }), 'The positions.'),
    ...READ_ERRORS,
  },
})

export const setPlayback = createRoute({
  operationId: 'setPlayback',
  method: 'put',
  path: '/api/v1/playback/{id}',
  tags: ['reading'],
  summary: 'Save your position in the recording of an entry. Position 0 removes it',
  ...requiresScope('write'),
  request: {
    params: idParams,
    body: body(
      z.strictObject({
        positionSeconds: z.number().min(0).max(MAX_RECORDING_SECONDS),
        durationSeconds: z.number().min(0).max(MAX_RECORDING_SECONDS).describe('if it is known').optional(),
      }),
    ),
  },
  responses: { 200: answer(playbackSchema, 'The saved position.'), ...WRITE_ERRORS_WITH_404 },
})
