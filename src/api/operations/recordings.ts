/** Audio and video of entries: chapters, and the files themselves, fetched by the server. */
import { createRoute, z } from '@hono/zod-openapi'
import { answer, ERRORS_WITH_404, requiresScope } from '../operation.ts'
import { chaptersSchema } from '../schemas/recording.ts'
import { idParams } from '../schemas/values.ts'

const bytes = { schema: z.string().openapi({ format: 'binary' }) }
const content = { 'audio/*': bytes, 'video/*': bytes }

export const getChapters = createRoute({
  operationId: 'getChapters',
  method: 'get',
  path: '/api/v1/entries/{id}/chapters',
  tags: ['recordings'],
  summary: 'Get the chapters of the recording of an entry',
  ...requiresScope('read'),
  request: { params: idParams },
  responses: { 200: answer(chaptersSchema, 'The chapters; empty if there are none.'), ...ERRORS_WITH_404 },
})

export const getRecording = createRoute({
  operationId: 'getRecording',
  method: 'get',
  path: '/api/v1/entries/{id}/recording',
  tags: ['recordings'],
  summary: 'Get audio or video that an entry or its article refers to, or a range of it',
  description:
    'Only with --proxy-media. Supports one range of bytes. Four per user at a time; a fifth ends the oldest.',
  ...requiresScope('read'),
  request: {
    params: idParams,
    query: z.strictObject({ url: z.string().max(8192).describe('an address of audio or video of the entry') }),
  },
  responses: {
    200: { description: 'The complete file.', content },
    206: { description: 'The requested range.', content },
    416: { description: 'The file is shorter.' },
    ...ERRORS_WITH_404,
  },
})
