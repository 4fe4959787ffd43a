/** Chapters of recordings. */
import { z } from '@hono/zod-openapi'

const chapterSchema = z.strictObject({
  startSeconds: z.number(),
  title: z.string(),
  url: z.string().optional().describe('A page about it.'),
})

export const chaptersSchema = z
  .strictObject({
    chapters: z.array(chapterSchema).describe('In order; at most 500.'),
    from: z
      .enum(['feed', 'notes'])
      .describe('feed: the chapters at the address that the feed gives. notes: lines of the show notes.'),
  })
  .openapi('Chapters')

export type ChaptersShape = z.infer<typeof chaptersSchema>
