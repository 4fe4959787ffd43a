/** An article; and, of an entry, what became of the page that it points at. */
import { z } from '@hono/zod-openapi'
import { troubleSchema } from './trouble.ts'
import { countSchema, date, id, share } from './values.ts'

const dateNoteSchema = z.strictObject({
  of: z.enum(['feed', 'page']),
  fault: z.enum(['future', 'ancient', 'no-time', 'zone', 'disagrees']),
  done: z.enum(['corrected', 'completed', 'dropped', 'flagged']),
  byMs: z.number().optional(),
})

export const articleSchema = z
  .strictObject({
    id,
    url: z.string().describe('As the entry has it.'),
    pageUrl: z.string().describe('Where the page is.'),
    title: z.string().optional(),
    authors: z.array(z.string()).optional(),
    publishedAt: date.optional(),
    dateOnly: z.literal(true).optional().describe('A day without a time of day.'),
    dateFrom: z.enum(['feed', 'page', 'seen']).optional().describe('Where the date is from.'),
    dateTrust: share.optional().describe('How far it is to be trusted.'),
    dateNotes: z
      .array(dateNoteSchema)
      .optional()
      .describe('What was wrong with the dates, and what was done about it.'),
    modifiedAt: date.optional(),
    language: z.string().optional(),
    category: z.string().optional(),
    section: z.string().optional(),
    keywords: z.array(z.string()).optional(),
    siteName: z.string().optional(),
    description: z.string().optional(),
    image: z.string().optional(),
    paywall: z.enum(['locked', 'metered']).optional(),
    words: countSchema.optional(),
    fetchedAt: date.optional(),
    entryIds: z.array(id),
    text: z.string().optional().describe('Absent, as html is, of pages that ask not to be shown from a copy.'),
    html: z.string().optional().describe('Safe for a browser.'),
  })
  .openapi('Article')

export type ArticleShape = z.infer<typeof articleSchema>

const readArticleSchema = z.strictObject({ ...articleSchema.shape, state: z.literal('read') })

const absentArticleSchema = z.strictObject({
  state: z
    .enum(['waiting', 'failed', 'refused', 'forgotten'])
    .describe(
      'waiting: it will be fetched at dueAt, or as soon as its site may be visited. failed: it could not be had. refused: its site does not want it to be kept. forgotten: it was read, and is too old to be kept.',
    ),
  id,
  url: z.string(),
  dueAt: date.optional(),
  failures: countSchema,
  trouble: troubleSchema.optional(),
})

export const entryArticleSchema = z
  .discriminatedUnion('state', [readArticleSchema, absentArticleSchema])
  .openapi('EntryArticle')

export type EntryArticleShape = z.infer<typeof entryArticleSchema>
