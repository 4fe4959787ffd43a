/** Live events. */
import { createRoute, z } from '@hono/zod-openapi'
import { READ_ERRORS, requiresScope } from '../operation.ts'
import { entrySchema } from '../schemas/entry.ts'
import { articleEventSchema, groupEventSchema, pollEventSchema, troubleEventSchema } from '../schemas/stream.ts'
import { idParam, scopeParam, shortText, trueOrFalse } from '../schemas/values.ts'

const KINDS = ['entries', 'articles', 'stories', 'polls', 'trouble'] as const

/** The data of an event, by event name. */
const message = z
  .union([entrySchema, articleEventSchema, groupEventSchema, pollEventSchema, troubleEventSchema])
  .describe(
    'Server-sent events: entry (with its id), article (of an entry, read or failed), story, poll, trouble. cut: the client is too slow, and the stream ends.',
  )

export const openStream = createRoute({
  operationId: 'openStream',
  method: 'get',
  path: '/api/v1/stream',
  tags: ['stream'],
  summary: 'Stream entries, articles, stories, polls and failures as server-sent events',
  description:
    'After an interruption, browsers send Last-Event-ID: the stream continues with the entries that arrived meanwhile, without gaps or duplicates. Other kinds of events that happened meanwhile are not sent. With feed, mine or folder, other kinds are limited to events about these feeds.',
  ...requiresScope('read'),
  request: {
    query: z.strictObject({
      kinds: z
        .string()
        .max(100)
        .transform((text) => text.split(','))
        .pipe(z.array(z.enum(KINDS)))
        .openapi({ type: 'string', example: 'entries,trouble' })
        .describe(`any of ${KINDS.join(', ')}, comma-separated`)
        .optional(),
      feed: idParam.optional(),
      mine: trueOrFalse.optional().describe('true: only feeds you follow'),
      scope: scopeParam.optional(),
      folder: shortText.optional(),
      category: shortText.optional(),
      language: shortText.optional(),
      after: z
        .string()
        .regex(/^\d{1,15}$/)
        .transform(Number)
        .openapi({ type: 'integer' })
        .describe('the id of an entry after which to start; 0: all entries')
        .optional(),
    }),
  },
  responses: {
    200: { description: 'An endless stream.', content: { 'text/event-stream': { schema: message } } },
    ...READ_ERRORS,
  },
})
