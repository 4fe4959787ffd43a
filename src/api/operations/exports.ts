/** Exports, as one JSON object per line. */
import { createRoute, z } from '@hono/zod-openapi'
import { ERRORS_WITH_404, READ_ERRORS, requiresScope } from '../operation.ts'
import { articleLineSchema, entryDetailsSchema } from '../schemas/entry.ts'
import { feedSchema } from '../schemas/feed.ts'
import { pollSchema } from '../schemas/poll.ts'
import { hourSchema } from '../schemas/statistics.ts'
import { dateParam, idParam, oneOf, scopeParam, shortText, wholeNumber } from '../schemas/values.ts'

const lines = (line: z.ZodType) => ({
  200: {
    description:
      'One object per line, in the order of arrival; polls feed by feed, oldest first. If the last line is truncated, the export is incomplete.',
    content: { 'application/x-ndjson': { schema: line } },
  },
})
const filters = { feed: idParam.optional(), since: dateParam.optional(), scope: scopeParam.optional() }

export const exportFeeds = createRoute({
  operationId: 'exportFeeds',
  method: 'get',
  path: '/api/v1/export/feeds',
  tags: ['export'],
  summary: 'Export feeds, one JSON object per line',
  ...requiresScope('read'),
  request: { query: z.strictObject({ scope: scopeParam.optional() }) },
  responses: { ...lines(feedSchema), ...READ_ERRORS },
})

export const exportEntries = createRoute({
  operationId: 'exportEntries',
  method: 'get',
  path: '/api/v1/export/entries',
  tags: ['export'],
  summary: 'Export entries, one JSON object per line, optionally after the entry `after`',
  ...requiresScope('read'),
  request: {
    query: z.strictObject({
      ...filters,
      unique: oneOf('copy', 'story').optional(),
      after: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
      with: z
        .literal('article')
        .optional()
        .describe('article: include the feedTitle and the article of each entry, if its page was requested'),
    }),
  },
  responses: { ...lines(entryDetailsSchema), ...READ_ERRORS },
})

export const exportArticles = createRoute({
  operationId: 'exportArticles',
  method: 'get',
  path: '/api/v1/export/articles',
  tags: ['export'],
  summary: 'Export articles, one JSON object per line',
  ...requiresScope('read'),
  request: {
    query: z.strictObject({
      ...filters,
      with: z.literal('entry').optional().describe('entry: include the first entry of each article'),
    }),
  },
  responses: { ...lines(articleLineSchema), ...READ_ERRORS },
})

export const exportPolls = createRoute({
  operationId: 'exportPolls',
  method: 'get',
  path: '/api/v1/export/polls',
  tags: ['export'],
  summary: 'Export the poll log, one JSON object per line',
  ...requiresScope('read'),
  request: { query: z.strictObject(filters) },
  responses: { ...lines(pollSchema), ...READ_ERRORS },
})

export const exportHours = createRoute({
  operationId: 'exportHours',
  method: 'get',
  path: '/api/v1/export/hours',
  tags: ['export'],
  summary: 'Export hourly counts (UTC) of all feeds, a feed, a category or a folder',
  description: `Includes hours without entries. With filters, the series starts with the hour of \`since\` or of the first entry and ends with the current,
unfinished hour; a feed must match all filters. An entry counts in the hour in which it was published, or else seen.`,
  ...requiresScope('read'),
  request: {
    query: z.strictObject({
      ...filters,
      category: shortText.optional().describe('a category of feeds, such as science'),
      folder: shortText.optional().describe('one of your folders, including folders below it'),
    }),
  },
  responses: { ...lines(hourSchema), ...ERRORS_WITH_404 },
})
