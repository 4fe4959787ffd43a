/** What is wanted of the polls of all feeds in a folder. */
import { createRoute, z } from '@hono/zod-openapi'
import { answer, body, COMMON_ERRORS, READ_ERRORS, requiresScope, WRITE_ERRORS } from '../operation.ts'
import { goalsSchema, wantsInput, wantsSchema } from '../schemas/polling-goals.ts'
import { idParam, shortText, wholeNumber } from '../schemas/values.ts'

const LONGEST_GOAL_MS = 31_622_400_000

const folderSchema = z.strictObject({ folder: z.string(), wants: wantsSchema })

export const listFolders = createRoute({
  operationId: 'listFolders',
  method: 'get',
  path: '/api/v1/folders',
  tags: ['folders'],
  summary: 'List freshness goals of folders',
  ...requiresScope('admin'),
  responses: { 200: answer(z.strictObject({ folders: z.array(folderSchema) }), 'The folders.'), ...COMMON_ERRORS },
})

export const getGoals = createRoute({
  operationId: 'getGoals',
  method: 'get',
  path: '/api/v1/goals',
  tags: ['folders'],
  summary:
    'What is wanted of folders and feeds, and what it costs in polls; or what it would cost to want something else',
  description:
    'Looks at every feed. With goalMs, and a feed or a folder, it answers as if that goal were set; 0 as if there were none. Nothing is changed.',
  ...requiresScope('read'),
  request: {
    query: z.strictObject({
      folder: shortText.optional(),
      feed: idParam.optional(),
      goalMs: wholeNumber(0, LONGEST_GOAL_MS).optional(),
    }),
  },
  responses: { 200: answer(goalsSchema, 'The goals.'), ...READ_ERRORS },
})

export const setFolderGoals = createRoute({
  operationId: 'setFolderGoals',
  method: 'put',
  path: '/api/v1/folders/{folder}',
  tags: ['folders'],
  summary: 'Set the freshness goal of a folder',
  ...requiresScope('admin'),
  request: {
    params: z.object({ folder: z.string().max(1000).describe('the name of a folder') }),
    body: body(wantsInput),
  },
  responses: { 200: answer(folderSchema, 'What is wanted now.'), ...WRITE_ERRORS },
})
