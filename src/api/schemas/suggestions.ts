/** Suggestions of what to follow. */
import { z } from '@hono/zod-openapi'
import { countSchema, id } from './values.ts'

export const suggestionsSchema = z
  .strictObject({
    entries: countSchema.describe('Number of your newest entries whose links were counted.'),
    linked: z
      .array(
        z.strictObject({
          host: z.string(),
          url: z.string().describe('The address of the site.'),
          feeds: countSchema.describe('Number of your feeds that link there.'),
          entries: countSchema.describe('Number of entries that link there.'),
          examples: z.array(
            z.strictObject({
              entryId: id,
              title: z.string(),
              feedTitle: z.string(),
              url: z.string().describe('The link.'),
            }),
          ),
        }),
      )
      .describe('Sites that your feeds link to and that you do not follow. Those that most feeds link to come first.'),
    first: z
      .array(
        z.strictObject({
          feedId: id,
          title: z.string(),
          url: z.string(),
          siteUrl: z.string().optional(),
          stories: countSchema.describe('Number of recent stories that it published before your feeds.'),
          leadMs: countSchema.describe('How much earlier it was, usually.'),
          examples: z.array(z.strictObject({ entryId: id, title: z.string() })),
        }),
      )
      .describe('Feeds of the crawl that you can see and do not follow.'),
  })
  .openapi('Suggestions')

export type SuggestionsShape = z.infer<typeof suggestionsSchema>
