/** What went wrong: with a feed or a host, its `kind` for programs and its `words` for people; and with a request (RFC 9457). */
import { z } from '@hono/zod-openapi'

export const troubleSchema = z
  .strictObject({
    kind: z.string().describe('For programs: http, timeout, unreachable, not-a-feed …'),
    status: z.int().optional().describe('Of the server’s answer, for the kind http.'),
    words: z.string().describe('For people.'),
  })
  .openapi('Trouble')

export type TroubleShape = z.infer<typeof troubleSchema>

export const problemSchema = z
  .strictObject({
    type: z.literal('about:blank'),
    title: z.string().describe('What was wrong, in a sentence.'),
    status: z.int(),
    hint: z.string().describe('What to do about it.'),
    requestId: z.string().optional().describe('By which the log knows the request.'),
  })
  .openapi('Problem')

export type ProblemShape = z.infer<typeof problemSchema>
