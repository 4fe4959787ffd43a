/**
 * What is wrong with a request, said to whoever sent it. Routes throw a Problem; one place turns it, and everything else
 * that is thrown, into `{ error, hint }` with a status. Nobody outside ever sees a stack trace.
 */
import type { Context } from 'hono'
import { HintedError } from '../model/index.ts'
import { StoreError } from '../ports/index.ts'

type ProblemStatus = 400 | 403 | 404 | 409 | 413 | 415 | 421 | 503

export class Problem extends HintedError {
  readonly status: ProblemStatus

  constructor(status: ProblemStatus, message: string, hint: string) {
    super(message, hint)
    this.status = status
  }
}

export function notThere(what: string, id: number): Problem {
  return new Problem(404, `there is no ${what} ${id}`, 'it may have been removed meanwhile')
}

export function answerError(error: unknown, c: Context, onMistake: (error: unknown, doing: string) => void): Response {
  if (error instanceof Problem) return c.json({ error: error.message, hint: error.hint }, error.status)
  onMistake(error, `answering ${c.req.method} ${c.req.path}`)
  if (error instanceof StoreError) return c.json({ error: error.message, hint: error.hint }, 503)
  return c.json({ error: 'we made a mistake while answering', hint: 'the log of the program says more' }, 500)
}
