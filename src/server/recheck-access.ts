/**
 * Ends streams of callers who lose their access: by logging out, a revoked token, a removed account, or the creation of the first account.
 * Access is rechecked after every change of accounts on this server, and periodically.
 */
import type { Context, MiddlewareHandler } from 'hono'
import { type Millis, SECOND } from '../model/index.ts'
import type { Clock } from '../ports/index.ts'
import { isStillAllowed } from './authorize.ts'
import { requestedOperation } from './validation.ts'

export interface AccessRechecks {
  /** Middleware that rechecks after changes of accounts. */
  recheckAfterWrite: MiddlewareHandler
  /** Calls `onDenied` once the caller has lost access; until `ended`. */
  add(c: Context, onDenied: () => void, ended: AbortSignal): void
}

export const RECHECK_INTERVAL_MS: Millis = 20 * SECOND

const ACCOUNT_TAGS = ['session', 'users']

export function createAccessRechecks(clock: Clock): AccessRechecks {
  const rechecks = new Set<() => Promise<void>>()
  return {
    async recheckAfterWrite(c, next) {
      await next()
      if (c.req.method === 'GET' || !requestedOperation(c)?.tags.some((tag) => ACCOUNT_TAGS.includes(tag))) return
      await Promise.all([...rechecks].map((recheck) => recheck()))
    },

    add(c, onDenied, ended) {
      const recheck = async () => {
        // A store outage ends no streams.
        if (!ended.aborted && !(await isStillAllowed(c).catch(() => true))) onDenied()
      }
      rechecks.add(recheck)
      ended.addEventListener('abort', () => rechecks.delete(recheck))
      void (async () => {
        while (!ended.aborted) {
          await clock.sleepUntil(clock.now() + RECHECK_INTERVAL_MS, ended)
          await recheck()
        }
      })()
    },
  }
}
