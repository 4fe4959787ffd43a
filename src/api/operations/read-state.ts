/** Read and starred state of entries. */
import { createRoute, z } from '@hono/zod-openapi'
import { answer, body, COMMON_ERRORS, requiresScope, WRITE_ERRORS, WRITE_ERRORS_WITH_404 } from '../operation.ts'
import { change, entryIds, readStateSchema } from '../schemas/read-state.ts'
import { countSchema, id } from '../schemas/values.ts'

const dateInBody = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/)
  .refine((text) => !Number.isNaN(Date.parse(text)))
  .describe('a date such as 2026-03-01 or 2026-03-01T12:00:00Z')

export const getReadState = createRoute({
  operationId: 'getReadState',
  method: 'get',
  path: '/api/v1/reading',
  tags: ['reading'],
  summary: 'List your folders with unread and starred counts',
  ...requiresScope('read'),
  responses: { 200: answer(readStateSchema, 'The counts.'), ...COMMON_ERRORS },
})

export const renameFolder = createRoute({
  operationId: 'renameFolder',
  method: 'patch',
  path: '/api/v1/reading/folders/{folder}',
  tags: ['reading'],
  summary: 'Rename or remove one of your folders',
  ...requiresScope('write'),
  request: {
    params: z.object({ folder: z.string().min(1).max(1000) }),
    body: body(
      z.strictObject({ name: z.string().max(1000).describe('the new name; empty: remove the folder from its feeds') }),
    ),
  },
  responses: {
    200: answer(z.strictObject({ moved: countSchema.describe('Number of feeds.') }), 'Done.'),
    ...WRITE_ERRORS_WITH_404,
  },
})

export const markEntries = createRoute({
  operationId: 'markEntries',
  method: 'post',
  path: '/api/v1/reading/state',
  tags: ['reading'],
  summary: 'Mark entries as read, unread, starred, unstarred, muted or unmuted',
  description: `Read and unread only apply to entries of feeds you follow; others are ignored. To undo, POST /api/v1/reading/undo with the change. To undo
stars and muting, send the changed ids with the opposite state.`,
  ...requiresScope('write'),
  request: {
    body: body(
      z.strictObject({
        entries: entryIds,
        as: z
          .enum(['read', 'unread', 'starred', 'unstarred', 'muted', 'unmuted'])
          .describe('"read", "unread", "starred", "unstarred", "muted" (read, and in no other list) or "unmuted"'),
      }),
    ),
  },
  responses: {
    200: answer(
      z.strictObject({ changed: z.array(id).describe('Entries that changed.'), change: change.optional() }),
      'The changed entries.',
    ),
    ...WRITE_ERRORS,
  },
})

export const markAllRead = createRoute({
  operationId: 'markAllRead',
  method: 'post',
  path: '/api/v1/reading/read',
  tags: ['reading'],
  summary: 'Mark everything as read, optionally of feeds, a folder or before a date',
  ...requiresScope('write'),
  request: {
    body: body(
      z
        .strictObject({
          feed: id.describe('the id of a feed').optional(),
          feeds: z.array(id).min(1).max(1000).describe('a list of ids of feeds, at most 1,000').optional(),
          folder: z
            .string()
            .max(1000)
            .describe('a folder, including folders below it; empty: feeds without a folder')
            .optional(),
          upTo: id.describe('the id of an entry: entries that arrived up to it').optional(),
          seenBefore: dateInBody.describe('a date: entries that arrived before it').optional(),
          datedBefore: dateInBody.describe('a date: entries dated before it').optional(),
        })
        .refine(
          ({ upTo, seenBefore, datedBefore }) =>
            [upTo, seenBefore, datedBefore].filter((limit) => limit !== undefined).length <= 1,
          'only one of upTo, seenBefore and datedBefore is allowed',
        )
        .refine(
          ({ feed, feeds }) => feed === undefined || feeds === undefined,
          'only one of feed and feeds is allowed',
        ),
    ),
  },
  responses: {
    200: answer(z.strictObject({ change, marked: countSchema.describe('Number of entries.') }), 'Done.'),
    ...WRITE_ERRORS,
  },
})

export const undoMarks = createRoute({
  operationId: 'undoMarks',
  method: 'post',
  path: '/api/v1/reading/undo',
  tags: ['reading'],
  summary: 'Undo a change. Later changes stay',
  ...requiresScope('write'),
  request: { body: body(z.strictObject({ change })) },
  responses: {
    200: answer(z.strictObject({ changed: countSchema.describe('Number of restored entries.') }), 'Done.'),
    ...WRITE_ERRORS,
  },
})
