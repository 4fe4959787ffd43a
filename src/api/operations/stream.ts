/** What happens, told as it happens. */
import { createRoute, z } from '@hono/zod-openapi'
import { READ_ERRORS, requiresScope } from '../operation.ts'
import { entrySchema } from '../schemas/entry.ts'
import { groupEventSchema, pollEventSchema, troubleEventSchema } from '../schemas/stream.ts'
import { idParam, scopeParam, shortText, trueOrFalse } from '../schemas/values.ts'

const KINDS = ['entries', 'stories', 'polls', 'trouble'] as const

/** The data of each message, by the name of its event. */
const message = z
  .union([entrySchema, groupEventSchema, pollEventSchema, troubleEventSchema])
  .describe(
    'Server-sent events: entry (with its id), story, poll, trouble; cut, when who listens is too slow, and then the end.',
  )

export const openStream = createRoute({
  operationId: 'openStream',
  method: 'get',
  path: '/api/v1/stream',
  tags: ['stream'],
  summary: 'Stream entries, stories, polls and failures as server-sent events',
  description:
    'After an interruption the browser sends Last-Event-ID by itself: entries that came meanwhile are told first, none is left out and none comes twice. Other kinds have no past: what happened meanwhile is not told. With feed, mine or folder, of the other kinds only what is about such a feed.',
  ...requiresScope('read'),
  request: {
    query: z.strictObject({
      kinds: z
        .string()
        .max(100)
        .transform((text) => text.split(','))
        .pipe(z.array(z.enum(KINDS)))
        .openapi({ type: 'string', example: 'entries,trouble' })
        .describe(`any of ${KINDS.join(', ')}, with commas between them`)
        .optional(),
      feed: idParam.optional(),
      mine: trueOrFalse.optional().describe('true: only of feeds that you follow'),
      scope: scopeParam.optional(),
      folder: shortText.optional(),
      category: shortText.optional(),
      language: shortText.optional(),
      after: z
        .string()
        .regex(/^\d{1,15}$/)
        .transform(Number)
        .openapi({ type: 'integer' })
        .describe('the id of an entry, to begin behind it; 0 for all that there are')
        .optional(),
    }),
  },
  responses: {
    200: { description: 'Does not end.', content: { 'text/event-stream': { schema: message } } },
    ...READ_ERRORS,
  },
})
