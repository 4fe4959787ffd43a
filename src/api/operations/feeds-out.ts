/** Feeds that we give out: what other feed readers may subscribe to. */
import { createRoute, z } from '@hono/zod-openapi'
import { allowed, WRONG_OR_GONE } from '../operation.ts'
import { idGiven, oneOf, scopeGiven, wholeNumber, words } from '../schemas/values.ts'

const document = (description: string) => ({ schema: z.string().describe(description) })

export const getFeedOut = createRoute({
  operationId: 'getFeedOut',
  method: 'get',
  path: '/feeds/{name}',
  tags: ['feeds out'],
  summary: 'Entries as a feed for other readers: all of them, or those of a search, a feed, a folder, a category',
  ...allowed('read'),
  request: {
    params: z.object({
      name: z.string().max(200).describe('any name, with .rss, .atom or .json behind it, which is its format'),
    }),
    query: z.strictObject({
      q: words.optional(),
      feed: idGiven.optional(),
      folder: words.optional(),
      category: words.optional(),
      unique: oneOf('copy', 'story').optional(),
      text: oneOf('full', 'summary').optional(),
      scope: scopeGiven.optional(),
      limit: wholeNumber(1, 200).optional(),
    }),
  },
  responses: {
    200: {
      description: 'The newest of them first. It has an ETag and a Last-Modified.',
      content: {
        'application/rss+xml': document('RSS 2.0, for .rss'),
        'application/atom+xml': document('Atom, for .atom'),
        'application/feed+json': document('JSON Feed 1.1, for .json'),
      },
    },
    304: { description: 'It is as you have it.' },
    ...WRONG_OR_GONE,
  },
})
