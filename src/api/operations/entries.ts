/** The news; and what full text search finds. */
import { createRoute, z } from '@hono/zod-openapi'
import { allowed, answer, WRONG, WRONG_OR_GONE } from '../operation.ts'
import { entryArticleSchema } from '../schemas/article.ts'
import { entrySchema, wholeEntrySchema } from '../schemas/entry.ts'
import { groupsOfEntrySchema, lineageSchema } from '../schemas/group.ts'
import { cursorGiven, dateGiven, idGiven, next, oneOf, wholeNumber, words } from '../schemas/values.ts'

const params = z.object({ id: idGiven })
const entries = z.strictObject({ entries: z.array(entrySchema), next })

export const listEntries = createRoute({
  operationId: 'listEntries',
  method: 'get',
  path: '/api/v1/entries',
  tags: ['entries'],
  summary: 'The news, newest first; or, with q, what search finds, best first',
  ...allowed('read'),
  request: {
    query: z.strictObject({
      feed: idGiven.optional(),
      since: dateGiven.optional(),
      unique: oneOf('copy', 'story').optional(),
      q: words.optional(),
      cursor: cursorGiven.optional(),
      limit: wholeNumber(1, 1000).optional(),
    }),
  },
  responses: { 200: answer(entries, 'The entries.'), ...WRONG },
})

export const getEntry = createRoute({
  operationId: 'getEntry',
  method: 'get',
  path: '/api/v1/entries/{id}',
  tags: ['entries'],
  summary: 'All that is known of an entry',
  ...allowed('read'),
  request: { params },
  responses: { 200: answer(wholeEntrySchema, 'The entry.'), ...WRONG_OR_GONE },
})

export const getArticle = createRoute({
  operationId: 'getArticle',
  method: 'get',
  path: '/api/v1/entries/{id}/article',
  tags: ['entries'],
  summary: 'The article that an entry points at, or why there is none',
  ...allowed('read'),
  request: { params },
  responses: { 200: answer(entryArticleSchema, 'The article.'), ...WRONG_OR_GONE },
})

export const getCopies = createRoute({
  operationId: 'getCopies',
  method: 'get',
  path: '/api/v1/entries/{id}/copies',
  tags: ['entries'],
  summary: 'Who said first what an entry says, and who repeats it',
  ...allowed('read'),
  request: { params },
  responses: { 200: answer(lineageSchema, 'The life of its text.'), ...WRONG_OR_GONE },
})

export const getGroupsOfEntry = createRoute({
  operationId: 'getGroupsOfEntry',
  method: 'get',
  path: '/api/v1/entries/{id}/groups',
  tags: ['entries'],
  summary: 'The copies and the story that an entry belongs to, and why',
  ...allowed('read'),
  request: { params },
  responses: { 200: answer(groupsOfEntrySchema, 'Its places.'), ...WRONG_OR_GONE },
})
