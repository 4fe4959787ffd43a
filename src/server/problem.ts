/**
 * Error responses. Routes throw a Problem; `answerError` turns it, and every other error, into problem+json (RFC 9457) with a hint. Clients
 * never see a stack trace.
 */
import type { Context } from 'hono'
import type { ProblemShape } from '../api/index.ts'
import { HintedError } from '../model/index.ts'
import { StoreError } from '../ports/index.ts'
import { requestIdOf } from './request-id.ts'

type ProblemStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 421 | 429 | 500 | 503

export class Problem extends HintedError {
  readonly status: ProblemStatus
  /** For 429 and 503: the Retry-After header. */
  readonly retryAfterSeconds: number | undefined
  /** How long clients may cache the response. */
  readonly cacheSeconds: number | undefined
  /** What the user has to do first, for the page. */
  readonly needs: ProblemShape['needs']

  constructor(
    status: ProblemStatus,
    message: string,
    hint: string,
    retryAfterSeconds?: number,
    { cacheSeconds, needs }: { cacheSeconds?: number; needs?: ProblemShape['needs'] } = {},
  ) {
    super(message, hint)
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
    this.cacheSeconds = cacheSeconds
    this.needs = needs
  }
}

export function notFound(kind: string, id: number): Problem {
  return new Problem(404, `there is no ${kind} ${id}`, 'it may have been removed meanwhile')
}

/** Retry-After while the store is locked, full or unavailable. */
const STORE_RETRY_SECONDS = 10

export interface ErrorListeners {
  onInternalError(error: unknown, doing: string): void
  /** The store cannot be read or written, which is not an internal error. */
  onOutage(error: StoreError): void
}

export function answerError(error: unknown, c: Context, { onInternalError, onOutage }: ErrorListeners): Response {
  if (error instanceof Problem) return answerProblem(c, error)
  if (error instanceof StoreError) {
    onOutage(error)
    return answerProblem(c, new Problem(503, error.message, error.hint, STORE_RETRY_SECONDS))
  }
  onInternalError(error, `answering ${c.req.method} ${withoutSecret(c.req.path)} (request ${requestIdOf(c)})`)
  return answerProblem(c, new Problem(500, 'internal error', 'see the log of the server'))
}

/** Outgoing feeds have secret addresses. */
function withoutSecret(path: string): string {
  return path.replace(/^\/feeds\/out\/.*/, '/feeds/out/…')
}

export function answerProblem(c: Context, source: Problem): Response {
  const { status, message, hint, retryAfterSeconds, cacheSeconds, needs } = source
  const requestId = requestIdOf(c)
  const problem: ProblemShape = {
    type: 'about:blank',
    title: message,
    status,
    hint,
    ...(requestId !== undefined && { requestId }),
    ...(needs && { needs }),
  }
  return c.body(JSON.stringify(problem), status, {
    'content-type': 'application/problem+json',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(cacheSeconds !== undefined && { 'cache-control': `private, max-age=${cacheSeconds}` }),
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(Math.ceil(retryAfterSeconds)) }),
  })
}
