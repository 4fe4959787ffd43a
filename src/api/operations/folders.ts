/** Polling goals of folders. */
import { createRoute, z } from '@hono/zod-openapi'
import { answer, body, COMMON_ERRORS, READ_ERRORS, requiresScope, WRITE_ERRORS } from '../operation.ts'
import { goalsSchema, wantsInput, wantsSchema } from '../schemas/polling-goals.ts'
import { idParam, shortText, wholeNumber } from '../schemas/values.ts'

const MAX_GOAL_MS = 31_622_400_000

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
  summary: 'Get the goals of folders and feeds and their cost in polls, or the cost of another goal',
  description:
    'Scans all feeds. With goalMs and a feed or folder, computes the result as if that goal were set (0: removed), without changing anything.',
  ...requiresScope('read'),
  request: {
    query: z.strictObject({
      folder: shortText.optional(),
      feed: idParam.optional(),
      goalMs: wholeNumber(0, MAX_GOAL_MS).optional(),
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
  responses: { 200: answer(folderSchema, 'The goals of the folder now.'), ...WRITE_ERRORS },
})
