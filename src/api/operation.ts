/**
 * Building blocks of operations: required scope, responses and errors. The OpenAPI document, the authorization, the client and the fuzz
 * tests are all derived from the operations.
 */
import { z } from '@hono/zod-openapi'
import { problemSchema } from './schemas/trouble.ts'

/** The scope an operation requires; each includes the previous ones. `none`: open to everyone who can reach the server. */
export type TokenScope = 'none' | 'read' | 'write' | 'admin'

const PROBLEMS = {
  400: 'Invalid request. `title` says what is wrong, `hint` what is expected.',
  401: 'Not logged in, and no token was sent.',
  403: 'Not allowed.',
  404: 'Not found.',
  408: 'The body took too long to arrive.',
  409: 'Conflict with the current state.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  429: 'Too many requests. Retry after Retry-After seconds.',
  503: 'The store does not respond, or too many uploads. Retry after Retry-After seconds.',
}

const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: problemSchema } },
})

/** Errors of every operation: not allowed, too many requests, store unavailable. */
export const COMMON_ERRORS = {
  401: problem(PROBLEMS[401]),
  403: problem(PROBLEMS[403]),
  429: problem(PROBLEMS[429]),
  503: problem(PROBLEMS[503]),
}
export const READ_ERRORS = { 400: problem(PROBLEMS[400]), ...COMMON_ERRORS }
export const ERRORS_WITH_404 = { 404: problem(PROBLEMS[404]), ...READ_ERRORS }
export const WRITE_ERRORS = {
  ...READ_ERRORS,
  408: problem(PROBLEMS[408]),
  413: problem(PROBLEMS[413]),
  415: problem(PROBLEMS[415]),
}
export const WRITE_ERRORS_WITH_404 = { ...ERRORS_WITH_404, ...WRITE_ERRORS }
export const CONFLICT = { 409: problem(PROBLEMS[409]) }

export function answer<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, content: { 'application/json': { schema } } }
}

const document = (description: string) => ({ schema: z.string().describe(description) })

/** A feed document in the format of the extension in its path. */
export const FEED_DOCUMENT = {
  200: {
    description: 'Newest first, with ETag and Last-Modified.',
    content: {
      'application/rss+xml': document('RSS 2.0, for .rss'),
      'application/atom+xml': document('Atom, for .atom'),
      'application/feed+json': document('JSON Feed 1.1, for .json'),
    },
  },
  304: { description: 'Not modified.' },
}

export const NO_CONTENT = { description: 'Done.' }

export function body<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { 'application/json': { schema } } }
}

export function requiresScope<const Needed extends TokenScope>(scope: Needed) {
  return { security: scope === 'none' ? [] : [{ token: [scope] }, { session: [scope] }], 'x-scope': scope }
}
