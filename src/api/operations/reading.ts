/** What a person has read and starred. */
import { createRoute, z } from '@hono/zod-openapi'
import { allowed, answer, body, EVERYWHERE, WRONG_OR_GONE_WRITE, WRONG_WRITE } from '../operation.ts'
import { change, entryIds, standingSchema } from '../schemas/reading.ts'
import { howMany, id } from '../schemas/values.ts'

const dateInBody = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/)
  .refine((text) => !Number.isNaN(Date.parse(text)))
  .describe('a date such as 2026-03-01 or 2026-03-01T12:00:00Z')

export const getReading = createRoute({
  operationId: 'getReading',
  method: 'get',
  path: '/api/v1/reading',
  tags: ['reading'],
  summary: 'List your folders with unread and starred counts',
  ...allowed('read'),
  responses: { 200: answer(standingSchema, 'How I stand.'), ...EVERYWHERE },
})

export const renameReadingFolder = createRoute({
  operationId: 'renameReadingFolder',
  method: 'patch',
  path: '/api/v1/reading/folders/{folder}',
  tags: ['reading'],
  summary: 'Rename or remove one of your folders',
  ...allowed('write'),
  request: {
    params: z.object({ folder: z.string().min(1).max(1000) }),
    body: body(z.strictObject({ name: z.string().max(1000).describe('the new name; empty: its feeds are in none') })),
  },
  responses: {
    200: answer(z.strictObject({ moved: howMany.describe('How many feeds.') }), 'Done.'),
    ...WRONG_OR_GONE_WRITE,
  },
})

export const markEntries = createRoute({
  operationId: 'markEntries',
  method: 'post',
  path: '/api/v1/reading/marks',
  tags: ['reading'],
  summary: 'Mark entries as read, unread, starred or unstarred',
  description: `What is read and unread is so of feeds that one follows; others are left as they are. To take it back: POST /api/v1/reading/undo with
the change; of stars, send the ids that were changed with the opposite.`,
  ...allowed('write'),
  request: {
    body: body(
      z.strictObject({
        entries: entryIds,
        as: z.enum(['read', 'unread', 'starred', 'unstarred']).describe('"read", "unread", "starred" or "unstarred"'),
      }),
    ),
  },
  responses: {
    200: answer(
      z.strictObject({ changed: z.array(id).describe('Those that were not so before.'), change: change.optional() }),
      'What was changed.',
    ),
    ...WRONG_WRITE,
  },
})

export const markAllRead = createRoute({
  operationId: 'markAllRead',
  method: 'post',
  path: '/api/v1/reading/read',
  tags: ['reading'],
  summary: 'Mark everything as read, optionally of a feed, a folder or before a date',
  ...allowed('write'),
  request: {
    body: body(
      z
        .strictObject({
          feed: id.describe('the id of a feed').optional(),
          folder: z
            .string()
            .max(1000)
            .describe('a folder; those below it count, too; empty: what is in none')
            .optional(),
          upTo: id.describe('the id of an entry: what arrived up to it').optional(),
          seenBefore: dateInBody.describe('a date: what arrived before it').optional(),
          datedBefore: dateInBody.describe('a date: what is dated before it').optional(),
        })
        .refine(
          ({ upTo, seenBefore, datedBefore }) =>
            [upTo, seenBefore, datedBefore].filter((given) => given !== undefined).length <= 1,
          'only one of upTo, seenBefore and datedBefore can hold',
        ),
    ),
  },
  responses: {
    200: answer(z.strictObject({ change, marked: howMany.describe('How many entries.') }), 'Done.'),
    ...WRONG_WRITE,
  },
})

export const undoMarks = createRoute({
  operationId: 'undoMarks',
  method: 'post',
  path: '/api/v1/reading/undo',
  tags: ['reading'],
  summary: 'Undo a change. Later changes stay',
  ...allowed('write'),
  request: { body: body(z.strictObject({ change })) },
  responses: {
    200: answer(z.strictObject({ changed: howMany.describe('How many entries are as they were.') }), 'Done.'),
    ...WRONG_WRITE,
  },
})
