/** Articles, and the article state of an entry. */
import { z } from '@hono/zod-openapi'
import { troubleSchema } from './trouble.ts'
import { countSchema, date, id, share } from './values.ts'

const missingTextSchema = z
  .strictObject({
    reason: z.enum([
      'waiting',
      'expired',
      'noarchive',
      'paywall',
      'robots',
      'noindex',
      'consent',
      'challenge',
      'login',
      'refused',
      'gone',
      'too-large',
      'not-a-page',
      'repeated',
      'unreachable',
      'overloaded',
      'error',
    ]),
    words: z.string().describe('For users: a sentence.'),
    hint: z.string().optional().describe('What the operator can do.'),
  })
  .openapi('MissingText')

export type MissingTextShape = z.infer<typeof missingTextSchema>
export type MissingTextReason = MissingTextShape['reason']

const dateNoteSchema = z.strictObject({
  of: z.enum(['feed', 'page']),
  fault: z.enum(['future', 'ancient', 'no-time', 'zone', 'disagrees']),
  done: z.enum(['corrected', 'completed', 'dropped', 'flagged']),
  byMs: z.number().optional(),
})

export const articleSchema = z
  .strictObject({
    id,
    url: z.string().describe('The address the entry links to.'),
    pageUrl: z.string().describe('The address of the page.'),
    title: z.string().optional(),
    authors: z.array(z.string()).optional(),
    publishedAt: date.optional(),
    dateOnly: z.literal(true).optional().describe('A day without a time.'),
    dateFrom: z.enum(['feed', 'page', 'seen']).optional().describe('Source of the date.'),
    dateTrust: share.optional().describe('Confidence of the date, from 0 to 1.'),
    dateNotes: z.array(dateNoteSchema).optional().describe('Errors in the dates, and how they were handled.'),
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
    text: z
      .string()
      .optional()
      .describe('Absent, like html, if the page asks not to be copied (noarchive) and you do not follow its feed.'),
    html: z.string().optional().describe('Sanitized HTML.'),
    missing: missingTextSchema.optional().describe('Why the text is absent, or may be incomplete.'),
  })
  .openapi('Article')

export type ArticleShape = z.infer<typeof articleSchema>

const readArticleSchema = z.strictObject({ ...articleSchema.shape, state: z.literal('read') })

const absentArticleSchema = z.strictObject({
  state: z
    .enum(['waiting', 'failed', 'refused', 'forgotten'])
    .describe(
      'waiting: will be fetched at dueAt, or as soon as rate limits allow. failed: could not be fetched. refused: the site forbids crawling or storing it. forgotten: was read, and deleted because of its age.',
    ),
  id,
  url: z.string(),
  dueAt: date.optional(),
  failures: countSchema,
  trouble: troubleSchema.optional(),
  missing: missingTextSchema.describe('Why there is no text.'),
})

export const entryArticleSchema = z
  .discriminatedUnion('state', [readArticleSchema, absentArticleSchema])
  .openapi('EntryArticle')

export type EntryArticleShape = z.infer<typeof entryArticleSchema>
