/** The news; and what full text search finds. */
import { createRoute, z } from '@hono/zod-openapi'
import { answer, ERRORS_WITH_404, READ_ERRORS, requiresScope } from '../operation.ts'
import { entryArticleSchema } from '../schemas/article.ts'
import { entryDetailsSchema, foundEntrySchema, hitsSchema } from '../schemas/entry.ts'
import { groupsOfEntrySchema, lineageSchema } from '../schemas/group.ts'
import {
  cursorParam,
  dateParam,
  idParam,
  idParams,
  next,
  oneOf,
  scopeParam,
  shortText,
  trueOrFalse,
  wholeNumber,
} from '../schemas/values.ts'

const entries = z.strictObject({ entries: z.array(foundEntrySchema), hits: hitsSchema.optional(), next })

export const listEntries = createRoute({
  operationId: 'listEntries',
  method: 'get',
  path: '/api/v1/entries',
  tags: ['entries'],
  summary: 'List entries, newest first; or search them with q, best first',
  description: `A page may have fewer entries than its limit, or none, and still a next: so many are looked at for one page, however few
fit what it is narrowed down by. The list ends where there is no next.

q takes words, "phrases", begin*, -not, this OR that, and feed: folder: lang: category: site: author: since: until: is:, each with a value
("in quotes" where that has spaces). feed: takes a number, or a part of title or address; since: and until: take 24h, 7d or a date; is: takes
unread, read, starred or mine (of feeds that you follow), which are yours. What cannot be
meant is answered with 400 and a sentence. By relevance, of thousands of hits the newest are weighed.

With q, hits says how many entries were found. Every hit is listed unless unique folds those of one text or story into the best of them; hits.folded
says how many were left out, and unique=none lists them.`,
  ...requiresScope('read'),
  request: {
    query: z.strictObject({
      feed: idParam.optional(),
      folder: shortText.optional().describe('a folder of yours; those below it count, too'),
      category: shortText.optional().describe('a category, such as science'),
      language: shortText.optional().describe('a code, such as de; de-at counts, too'),
      mine: trueOrFalse.optional().describe('true: only of feeds that you follow'),
      scope: scopeParam.optional(),
      unread: trueOrFalse.optional().describe('true: only what you have not read; false: only what you have'),
      starred: trueOrFalse.optional().describe('true: only what you have starred'),
      since: dateParam.optional(),
      until: dateParam.optional(),
      unique: oneOf('none', 'copy', 'story')
        .optional()
        .describe('of copies or of a story only one: copy or story; none, the default: all of them'),
      q: shortText.optional(),
      sort: oneOf('relevance', 'date').optional().describe('with q: relevance, which recency raises, or date'),
      cursor: cursorParam.optional(),
      limit: wholeNumber(1, 1000).optional(),
    }),
  },
  responses: { 200: answer(entries, 'The entries.'), ...READ_ERRORS },
})

export const getEntry = createRoute({
  operationId: 'getEntry',
  method: 'get',
  path: '/api/v1/entries/{id}',
  tags: ['entries'],
  summary: 'Get an entry',
  ...requiresScope('read'),
  request: { params: idParams },
  responses: { 200: answer(entryDetailsSchema, 'The entry.'), ...ERRORS_WITH_404 },
})

export const getArticle = createRoute({
  operationId: 'getArticle',
  method: 'get',
  path: '/api/v1/entries/{id}/article',
  tags: ['entries'],
  summary: 'Get the article of an entry, or why there is none',
  ...requiresScope('read'),
  request: { params: idParams },
  responses: { 200: answer(entryArticleSchema, 'The article.'), ...ERRORS_WITH_404 },
})

export const getCopies = createRoute({
  operationId: 'getCopies',
  method: 'get',
  path: '/api/v1/entries/{id}/copies',
  tags: ['entries'],
  summary: 'Get the origin and the copies of an entry',
  ...requiresScope('read'),
  request: { params: idParams },
  responses: { 200: answer(lineageSchema, 'The life of its text.'), ...ERRORS_WITH_404 },
})

export const getGroupsOfEntry = createRoute({
  operationId: 'getGroupsOfEntry',
  method: 'get',
  path: '/api/v1/entries/{id}/groups',
  tags: ['entries'],
  summary: 'Get the groups of an entry, and why it belongs to them',
  ...requiresScope('read'),
  request: { params: idParams },
  responses: { 200: answer(groupsOfEntrySchema, 'Its places.'), ...ERRORS_WITH_404 },
})
