/** Entries and full-text search. */
import { createRoute, z } from '@hono/zod-openapi'
import { answer, CONFLICT, ERRORS_WITH_404, READ_ERRORS, requiresScope, WRITE_ERRORS_WITH_404 } from '../operation.ts'
import { entryArticleSchema } from '../schemas/article.ts'
import { entryDetailsSchema, foundEntrySchema, hitsSchema } from '../schemas/entry.ts'
import { groupsOfEntrySchema, lineageSchema } from '../schemas/group.ts'
import {
  cursorParam,
  date,
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

const entries = z.strictObject({
  entries: z.array(foundEntrySchema),
  hits: hitsSchema.optional(),
  completions: z
    .array(z.string())
    .optional()
    .describe('With typing: queries that q may become, from words of the listed entries.'),
  next,
})

export const listEntries = createRoute({
  operationId: 'listEntries',
  method: 'get',
  path: '/api/v1/entries',
  tags: ['entries'],
  summary: 'List entries, newest or oldest first; or search them with q, best first',
  description: `A page may have fewer entries than its limit, or none, and still have a next, because the number of entries scanned per page is limited. The
last page has no next.

q accepts words, "phrases", prefixes*, -exclusions, this OR that, and the operators feed: folder: lang: category: site: author: label: since:
until: is:, each with a value ("in quotes" if it contains spaces). feed: takes an id, or part of a title or address. since: and until: take 24h, 7d or
a date. is: takes unread, read, starred, muted or mine (feeds you follow). Muted entries are only found with is:muted. A word also finds its inflected forms in entries of the same language (flood: floods,
flooding), below the word itself; "in quotes" it is exact. Words with signs such as C++, C#, .NET and AT&T are found as written, among the best thousand
entries with their letters. Invalid queries return 400 with a message; for an unknown operator it names the closest one. When sorting by relevance,
only the newest of several thousand hits are scored.

With q, hits contains the number of entries found. With unique, only the best hit of each text or story is listed, and hits.folded contains the number of
hits left out; unique=none lists all.`,
  ...requiresScope('read'),
  request: {
    query: z.strictObject({
      feed: idParam.optional(),
      folder: shortText.optional().describe('one of your folders, including folders below it'),
      category: shortText.optional().describe('a category, such as science'),
      language: shortText.optional().describe('a code such as de, which includes de-at'),
      mine: trueOrFalse.optional().describe('true: only entries of feeds you follow'),
      scope: scopeParam.optional(),
      unread: trueOrFalse.optional().describe('true: only unread entries; false: only read entries'),
      starred: trueOrFalse.optional().describe('true: only starred entries'),
      label: shortText.optional().describe('one of your labels: only entries with it'),
      muted: z.literal('true').optional().describe('true: only muted entries, which other lists leave out'),
      since: dateParam.optional(),
      until: dateParam.optional(),
      unique: oneOf('none', 'copy', 'story')
        .optional()
        .describe('copy or story: only one entry of each group; none (default): all entries'),
      q: shortText.optional(),
      typing: trueOrFalse
        .optional()
        .describe(
          'true: q is being typed. Its last word is a prefix unless a space or a closing quote follows; hits are not counted',
        ),
      sort: oneOf('relevance', 'date').optional().describe('with q: relevance, which recency increases, or date'),
      order: oneOf('newest', 'oldest').optional().describe('without q: newest first (default), or oldest first'),
      excerpts: trueOrFalse.optional().describe('true: with the beginning of each text, for lists'),
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

export const fetchArticle = createRoute({
  operationId: 'fetchArticle',
  method: 'post',
  path: '/api/v1/entries/{id}/article',
  tags: ['entries'],
  summary: 'Fetch the page of an entry now, before all others',
  description:
    'The page waits for rate limits and robots.txt of its site, as every page does. When it was read or has failed, the stream sends an article event. Limited to some pages per minute and user.',
  ...requiresScope('write'),
  request: { params: idParams },
  responses: {
    202: answer(
      z.strictObject({
        state: z.enum(['queued', 'read']).describe('read: it was read a short while ago, and is not fetched again.'),
        dueAt: date.optional().describe('When it is fetched, at the earliest.'),
        why: z.string().optional().describe('Why it cannot be fetched at once.'),
      }),
      'When it will be fetched.',
    ),
    ...WRITE_ERRORS_WITH_404,
    ...CONFLICT,
  },
})

export const getCopies = createRoute({
  operationId: 'getCopies',
  method: 'get',
  path: '/api/v1/entries/{id}/copies',
  tags: ['entries'],
  summary: 'Get the origin and the copies of an entry',
  ...requiresScope('read'),
  request: { params: idParams },
  responses: { 200: answer(lineageSchema, 'The lineage.'), ...ERRORS_WITH_404 },
})

export const getGroupsOfEntry = createRoute({
  operationId: 'getGroupsOfEntry',
  method: 'get',
  path: '/api/v1/entries/{id}/groups',
  tags: ['entries'],
  summary: 'Get the groups of an entry, and why it belongs to them',
  ...requiresScope('read'),
  request: { params: idParams },
  responses: { 200: answer(groupsOfEntrySchema, 'The groups.'), ...ERRORS_WITH_404 },
})
