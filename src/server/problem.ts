/**
 * What is wrong with a request, said to whoever sent it. Routes throw a Problem; one place turns it, and everything else
 * that is thrown, into problem+json (RFC 9457) with a hint. Nobody outside ever sees a stack trace.
 */
import type { Context } from 'hono'
import type { ProblemShape } from '../api/index.ts'
import { HintedError } from '../model/index.ts'
import { StoreError } from '../ports/index.ts'
import { requestIdOf } from './request-id.ts'

type ProblemStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 421 | 429 | 500 | 503

export class Problem extends HintedError {
  readonly status: ProblemStatus
  /** For 429 and 503: when to come again. */
  readonly retryAfterSeconds: number | undefined
  /** For how long whoever asked may take it for true, and need not ask again. */
  readonly keepSeconds: number | undefined

  constructor(
    status: ProblemStatus,
    message: string,
    hint: string,
    retryAfterSeconds?: number,
    { keepSeconds }: { keepSeconds?: number } = {},
  ) {
    super(message, hint)
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
    this.keepSeconds = keepSeconds
  }
}

export function notFound(what: string, id: number): Problem {
  return new Problem(404, `there is no ${what} ${id}`, 'it may have been removed meanwhile')
}

/** For how long a store that is locked, full or away is left alone. */
const STORE_AGAIN_SECONDS = 10

export interface ErrorListeners {
  onMistake(error: unknown, doing: string): void
  /** The store cannot be read or written, which is no mistake of ours. */
  onOutage(error: StoreError): void
}

export function answerError(error: unknown, c: Context, { onMistake, onOutage }: ErrorListeners): Response {
  if (error instanceof Problem) return answerProblem(c, error)
  if (error instanceof StoreError) {
    onOutage(error)
    return answerProblem(c, new Problem(503, error.message, error.hint, STORE_AGAIN_SECONDS))
  }
  onMistake(error, `answering ${c.req.method} ${withoutSecret(c.req.path)} (request ${requestIdOf(c)})`)
  return answerProblem(c, new Problem(500, 'internal error', 'see the log of the server'))
}

/** The address of somebody's own feed is known to him alone. */
function withoutSecret(path: string): string {
  return path.replace(/^\/feeds\/out\/.*/, '/feeds/out/…')
}

export function answerProblem(c: Context, problemOf: Problem): Response {
  const { status, message, hint, retryAfterSeconds, keepSeconds } = problemOf
  const requestId = requestIdOf(c)
  const problem: ProblemShape = {
    type: 'about:blank',
    title: message,
    status,
    hint,
    ...(requestId !== undefined && { requestId }),
  }
  return c.body(JSON.stringify(problem), status, {
    'content-type': 'application/problem+json',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(keepSeconds !== undefined && { 'cache-control': `private, max-age=${keepSeconds}` }),
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(Math.ceil(retryAfterSeconds)) }),
  })
}
