/** Failures of feeds and hosts, with a `kind` for programs and `words` for users, and error responses (RFC 9457). */
import { z } from '@hono/zod-openapi'

export const troubleSchema = z
  .strictObject({
    kind: z.string().describe('For programs: http, timeout, unreachable, not-a-feed …'),
    status: z.int().optional().describe('HTTP status, for the kind http.'),
    detail: z.string().optional().describe('What exactly happened, in English.'),
    words: z.string().describe('Message for users, with the detail.'),
  })
  .openapi('Trouble')

export type TroubleShape = z.infer<typeof troubleSchema>

export const problemSchema = z
  .strictObject({
    type: z.literal('about:blank'),
    title: z.string().describe('What was wrong, in a sentence.'),
    status: z.int(),
    hint: z.string().describe('What to do about it.'),
    needs: z
      .enum(['code', 'sign-in'])
      .optional()
      .describe('code: the login also needs a code of the second factor. sign-in: the change needs a recent sign-in.'),
    requestId: z.string().optional().describe('The id of the request in the log.'),
  })
  .openapi('Problem')

export type ProblemShape = z.infer<typeof problemSchema>
