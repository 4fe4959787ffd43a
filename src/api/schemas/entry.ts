/** Entries, in lists and in full. */
import { z } from '@hono/zod-openapi'
import { articleSchema, entryArticleSchema } from './article.ts'
import { countSchema, date, id } from './values.ts'

export const entrySchema = z
  .strictObject({
    id,
    feedId: id,
    feedTitle: z.string().optional(),
    url: z.string().optional(),
    title: z
      .string()
      .describe('Without the label that the feed adds to most of its titles. Empty if it has neither title nor text.'),
    untitled: z.literal(true).optional().describe('It has no title: the title is the beginning of its text.'),
    titleInFeed: z.string().optional().describe('The original title, if it differs.'),
    author: z.string().optional(),
    publishedAt: date.optional(),
    updatedAt: date.optional(),
    dateOnly: z.literal(true).optional().describe('The feed gives a day without a time.'),
    dateFault: z
      .enum(['future', 'ancient'])
      .optional()
      .describe('The feed’s date was invalid. future: replaced by seenAt. ancient: dropped.'),
    language: z.string().describe('Detected from the text; "und" if unknown.'),
    category: z.string(),
    seenAt: date,
    listedAt: date.describe('The date by which it is sorted.'),
    listedBy: z
      .enum(['published', 'updated', 'page', 'address', 'neighbours', 'order', 'seen'])
      .describe(
        'Source of listedAt: the feed’s dates, else the page, the address, neighbouring entries or the position in the document.',
      ),
    changedAt: date.optional(),
    tags: z.array(z.string()).optional().describe('As written by the publisher.'),
    picture: z
      .string()
      .optional()
      .describe(
        'The address of its picture: the best that the feed states, else the first large one of its text or page.',
      ),
    excerpt: z.string().optional().describe('The beginning of its text, in lists that were requested with excerpts.'),
    recording: z
      .strictObject({ kind: z.enum(['audio', 'video']), url: z.string(), durationMs: z.number().optional() })
      .optional()
      .describe('Its audio or video, preferred by the publisher.'),
    copyOf: id.optional().describe('The primary of its copies, if it is another entry.'),
    read: z.boolean().optional().describe('Whether you have read it. Absent if you do not follow its feed.'),
    starred: z.literal(true).optional().describe('You have starred it.'),
    labels: z.array(z.string()).optional().describe('Your labels, by name.'),
    muted: z.literal(true).optional().describe('You, or one of your rules, muted it.'),
    copies: countSchema.optional().describe('Number of other entries with the same text.'),
  })
  .openapi('Entry')

export type EntryShape = z.infer<typeof entrySchema>

const markSchema = z
  .strictObject({ from: countSchema, to: countSchema })
  .describe('Character offsets; `to` is exclusive.')

/** An entry in a list. */
export const foundEntrySchema = z
  .strictObject({
    ...entrySchema.shape,
    found: z
      .strictObject({
        titleMarks: z.array(markSchema).describe('Matches in the title.'),
        text: z.string().describe('The part of the text, or of the article, with the most matches.'),
        textMarks: z.array(markSchema).describe('Matches in that part.'),
      })
      .optional()
      .describe('Matches of q. Plain text; clients highlight them.'),
  })
  .openapi('FoundEntry')

export type FoundEntryShape = z.infer<typeof foundEntrySchema>

export const hitsSchema = z
  .strictObject({
    total: countSchema.optional().describe('Entries that match q, including folded ones. Only on the first page.'),
    more: z.literal(true).optional().describe('Counting stopped at total; there may be more.'),
    folded: countSchema.describe(
      'Hits left out by unique, from the first page to the end of this one, because another entry of their copies or story is listed.',
    ),
  })
  .openapi('Hits')

export type HitsShape = z.infer<typeof hitsSchema>

const mediumSchema = z
  .strictObject({
    url: z.string(),
    kind: z.enum(['audio', 'video', 'image', 'document', 'other']),
    type: z.string().optional().describe('As the publisher states it, such as audio/mpeg.'),
    bytes: z.number().optional(),
    durationMs: z.number().optional(),
    width: z.number().optional(),
    height: z.number().optional(),
    title: z.string().optional(),
    preview: z
      .literal(true)
      .optional()
      .describe('It represents another medium: the still of a video, the cover of an episode.'),
    preferred: z.literal(true).optional().describe('The publisher’s first choice among alternative formats.'),
  })
  .openapi('Medium')

const personSchema = z.strictObject({
  name: z.string().optional(),
  email: z.string().optional(),
  url: z.string().optional(),
  role: z.string().describe('author, contributor, or the publisher’s own term: host, guest …'),
  image: z.string().optional(),
})

const episodeSchema = z
  .strictObject({
    durationMs: z.number().optional(),
    season: z.number().optional(),
    number: z.number().optional(),
    explicit: z.boolean().optional(),
    chaptersUrl: z.string().optional(),
    transcripts: z
      .array(z.strictObject({ url: z.string(), type: z.string().optional(), language: z.string().optional() }))
      .optional(),
  })
  .describe('Podcast metadata of an episode.')

export const entryDetailsSchema = z
  .strictObject({
    ...entrySchema.shape,
    summary: z.string().optional().describe('The feed’s sanitized HTML, without boilerplate.'),
    content: z.string().optional().describe('The feed’s sanitized HTML.'),
    text: z.string().optional().describe('The content, else the summary, as plain text.'),
    shownText: z
      .enum(['feed', 'page'])
      .optional()
      .describe(
        'The richer text, by words, lists, media and links. feed: content, else summary. page: html of the article.',
      ),
    media: z.array(mediumSchema).optional(),
    people: z.array(personSchema).optional(),
    comments: z
      .strictObject({ url: z.string().optional(), feedUrl: z.string().optional(), count: z.number().optional() })
      .optional(),
    place: z.strictObject({ latitude: z.number(), longitude: z.number() }).optional(),
    licence: z.string().optional().describe('Its address, else its name.'),
    podcast: episodeSchema.optional(),
    simhash: z
      .string()
      .describe('Of the original title and description, 64 bits in hexadecimal (Yu, Cheng and Hristidis).'),
    article: entryArticleSchema.optional().describe('The article of the linked page, if it was requested.'),
    versions: z
      .array(
        z.strictObject({
          title: z.string(),
          url: z.string().optional(),
          until: date,
          text: z
            .string()
            .optional()
            .describe('If the text changed, too. Only for recent changes, and possibly truncated.'),
        }),
      )
      .optional()
      .describe('Earlier versions, oldest first.'),
  })
  .openapi('EntryDetails')

export type EntryDetailsShape = z.infer<typeof entryDetailsSchema>

/** An article in an export. */
export const articleLineSchema = z
  .strictObject({
    ...articleSchema.shape,
    entry: entryDetailsSchema.optional().describe('Its first entry, without the article.'),
  })
  .openapi('ArticleLine')

export type ArticleLineShape = z.infer<typeof articleLineSchema>
