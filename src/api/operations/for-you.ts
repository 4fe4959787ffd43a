/** "For you": a ranking of unread entries that is learned from what a user does. */
import { createRoute, z } from '@hono/zod-openapi'
import { answer, body, COMMON_ERRORS, NO_CONTENT, READ_ERRORS, requiresScope, WRITE_ERRORS } from '../operation.ts'
import {
  forYouSchema,
  interactionReport,
  interactionSchema,
  learnedEdit,
  learnedSchema,
  rankingComparisonSchema,
} from '../schemas/for-you.ts'
import { countSchema, dateParam, trueOrFalse, wholeNumber } from '../schemas/values.ts'

export const getForYou = createRoute({
  operationId: 'getForYou',
  method: 'get',
  path: '/api/v1/for-you',
  tags: ['reading'],
  summary: 'List your unread entries, those first that you probably want to read',
  description: `Ranks up to 2,000 of your newest unread entries, by default of the last seven days. Each story is listed once, and no feed fills the list.
Each entry has the strongest reasons for its place. Reading the list changes nothing.`,
  ...requiresScope('read'),
  request: {
    query: z.strictObject({
      since: dateParam.optional(),
      until: dateParam.optional(),
      unread: trueOrFalse
        .optional()
        .describe('true (default): only unread entries; false: also entries that you have read'),
      excerpts: trueOrFalse.optional().describe('true: with the beginning of each text, for lists'),
      limit: wholeNumber(1, 200).optional(),
    }),
  },
  responses: { 200: answer(forYouSchema, 'The entries.'), ...READ_ERRORS },
})

export const reportInteractions = createRoute({
  operationId: 'reportInteractions',
  method: 'post',
  path: '/api/v1/for-you/interactions',
  tags: ['reading'],
  summary: 'Report which entries you opened, finished or skipped',
  description: `Clients send what happened, a few entries at a time. opened: you opened it. finished: you read it to its end. skipped: it was shown above an
entry that you opened. dismissed: you marked it as read without opening it. cleared: it was shown, and you marked the whole list as read. Entries that
you cannot see are ignored, and so is everything while learning is off. Stars count by themselves.`,
  ...requiresScope('write'),
  request: { body: body(interactionReport) },
  responses: {
    200: answer(z.strictObject({ learned: countSchema.describe('Number of new interactions.') }), 'Done.'),
    ...WRITE_ERRORS,
  },
})

export const listInteractions = createRoute({
  operationId: 'listInteractions',
  method: 'get',
  path: '/api/v1/for-you/interactions',
  tags: ['reading'],
  summary: 'List what is recorded about your reading, most recent first',
  ...requiresScope('read'),
  request: { query: z.strictObject({ limit: wholeNumber(1, 1000).optional() }) },
  responses: {
    200: answer(z.strictObject({ interactions: z.array(interactionSchema) }), 'The interactions.'),
    ...READ_ERRORS,
  },
})

export const getLearned = createRoute({
  operationId: 'getLearned',
  method: 'get',
  path: '/api/v1/for-you/learned',
  tags: ['reading'],
  summary: 'Get what was learned about your reading',
  ...requiresScope('read'),
  responses: { 200: answer(learnedSchema, 'What was learned.'), ...COMMON_ERRORS },
})

export const changeLearned = createRoute({
  operationId: 'changeLearned',
  method: 'patch',
  path: '/api/v1/for-you/learned',
  tags: ['reading'],
  summary: 'Turn a reason up or down, or turn learning on or off',
  description: `A preference counts beside what was learned, and stays until you change it; null removes it. never excludes entries with the feature from
your list. It is not possible for outlets and age, which all entries have.`,
  ...requiresScope('write'),
  request: { body: body(learnedEdit) },
  responses: { 200: answer(learnedSchema, 'What was learned.'), ...WRITE_ERRORS },
})

export const forgetLearned = createRoute({
  operationId: 'forgetLearned',
  method: 'delete',
  path: '/api/v1/for-you/learned',
  tags: ['reading'],
  summary: 'Forget everything that was recorded and learned about your reading',
  ...requiresScope('write'),
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS },
})

export const compareOwnRanking = createRoute({
  operationId: 'compareOwnRanking',
  method: 'get',
  path: '/api/v1/for-you/comparison',
  tags: ['reading'],
  summary: 'Replay your own sessions: how well the ranking would have served you',
  description:
    'Each session is ranked with what was learned before it. Beside it: newest first, and the feeds that you open most.',
  ...requiresScope('read'),
  responses: { 200: answer(rankingComparisonSchema, 'The comparison.'), ...COMMON_ERRORS },
})
