/** An entry: in lists, and whole. */
import { z } from '@hono/zod-openapi'
import { articleSchema, entryArticleSchema } from './article.ts'
import { countSchema, date, id } from './values.ts'

export const entrySchema = z
  .strictObject({
    id,
    feedId: id,
    feedTitle: z.string().optional(),
    url: z.string().optional(),
    title: z.string().describe('Without the label that its feed gives to most of its headlines.'),
    titleInFeed: z.string().optional().describe('As the feed has it, where that is otherwise.'),
    author: z.string().optional(),
    publishedAt: date.optional(),
    updatedAt: date.optional(),
    dateOnly: z.literal(true).optional().describe('The feed gives a day and no time of day.'),
    dateFault: z
      .enum(['future', 'ancient'])
      .optional()
      .describe(
        'The feed’s date could not be: it lay ahead, and is now when we saw it; or it was never set, and was left out.',
      ),
    language: z.string().describe('Of its text, as far as that tells; "und" where nobody knows.'),
    category: z.string(),
    seenAt: date,
    listedAt: date.describe('Where it stands in time.'),
    listedBy: z
      .enum(['published', 'updated', 'page', 'address', 'neighbours', 'order', 'seen'])
      .describe('By what: its feed’s dates, else its page, its address, its neighbours or its place in the document.'),
    changedAt: date.optional(),
    tags: z.array(z.string()).optional().describe('As its publisher wrote them.'),
    picture: z.string().optional().describe('The address of the best picture that comes with it.'),
    recording: z
      .strictObject({ kind: z.enum(['audio', 'video']), url: z.string() })
      .optional()
      .describe('What is to be heard or seen of it, its publisher’s first choice.'),
    copyOf: id.optional().describe('The entry that speaks for it, if it is a copy.'),
    read: z.boolean().optional().describe('Whether you have read it; absent where you do not follow its feed.'),
    starred: z.literal(true).optional().describe('You have starred it.'),
    copies: countSchema.optional().describe('How many entries say the same besides this one.'),
  })
  .openapi('Entry')

export type EntryShape = z.infer<typeof entrySchema>

const markSchema = z.strictObject({ from: countSchema, to: countSchema }).describe('Characters, the last not included.')

/** As a list has it. */
export const foundEntrySchema = z
  .strictObject({
    ...entrySchema.shape,
    found: z
      .strictObject({
        titleMarks: z.array(markSchema).describe('Where in the title stands what was looked for.'),
        text: z.string().describe('The piece of its text, or of its article’s, in which the most of it stands.'),
        textMarks: z.array(markSchema).describe('Where in that piece.'),
      })
      .optional()
      .describe('Why it was found, where q was asked for. Plain text: whoever shows it marks it.'),
  })
  .openapi('FoundEntry')

export type FoundEntryShape = z.infer<typeof foundEntrySchema>

export const hitsSchema = z
  .strictObject({
    total: countSchema
      .optional()
      .describe('Entries that q finds, folded ones included. In the first answer, not behind a cursor.'),
    more: z.literal(true).optional().describe('The count ended at total: there may be more.'),
    folded: countSchema.describe(
      'Hits that unique left out, from the first answer up to the end of this one: another of their copies or story is listed.',
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
      .describe('It shows what another holds: the still of a video, the cover of an episode.'),
    preferred: z.literal(true).optional().describe('Of several forms of one thing, the publisher’s first choice.'),
  })
  .openapi('Medium')

const personSchema = z.strictObject({
  name: z.string().optional(),
  email: z.string().optional(),
  url: z.string().optional(),
  role: z.string().describe('author, contributor, or as the publisher calls it: host, guest …'),
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
  .describe('What a podcast says of an episode.')

export const entryDetailsSchema = z
  .strictObject({
    ...entrySchema.shape,
    summary: z
      .string()
      .optional()
      .describe('The feed’s HTML, made safe for a browser, without what the feed always says.'),
    content: z.string().optional().describe('The feed’s HTML, made safe for a browser.'),
    text: z.string().optional().describe('The content, else the summary, without its markup.'),
    media: z.array(mediumSchema).optional(),
    people: z.array(personSchema).optional(),
    comments: z
      .strictObject({ url: z.string().optional(), feedUrl: z.string().optional(), count: z.number().optional() })
      .optional(),
    place: z.strictObject({ latitude: z.number(), longitude: z.number() }).optional(),
    licence: z.string().optional().describe('Its address if it has one.'),
    podcast: episodeSchema.optional(),
    simhash: z
      .string()
      .describe('Of title and description as they came, 64 bits in hexadecimal (Yu, Cheng and Hristidis).'),
    article: entryArticleSchema.optional().describe('The page that it points at, where that was wanted.'),
    versions: z
      .array(
        z.strictObject({
          title: z.string(),
          url: z.string().optional(),
          until: date,
          text: z.string().optional().describe('Where it changed, too, and not many changes ago; a long one is cut.'),
        }),
      )
      .optional()
      .describe('What it said before, oldest first.'),
  })
  .openapi('WholeEntry')

export type EntryDetailsShape = z.infer<typeof entryDetailsSchema>

/** An article in an export, which may name its first entry. */
export const articleLineSchema = z
  .strictObject({
    ...articleSchema.shape,
    entry: entryDetailsSchema.optional().describe('Its first entry, without the article.'),
  })
  .openapi('ArticleLine')

export type ArticleLineShape = z.infer<typeof articleLineSchema>
