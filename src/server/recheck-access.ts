/**
 * Whoever was let in may be shown out while his answer goes on without end: he logged out, his token was revoked, his account was
 * removed or is the first that there is. He is looked at again whenever somebody changes accounts here, and now and then.
 */
import type { Context, MiddlewareHandler } from 'hono'
import { type Millis, SECOND } from '../model/index.ts'
import type { Clock } from '../ports/index.ts'
import { isStillAllowed } from './authorize.ts'
import { requestedOperation } from './validation.ts'

export interface AccessRechecks {
  /** Sees what changes accounts. */
  recheckAfterWrite: MiddlewareHandler
  /** Calls `leave` once who asked may no longer; until `over`. */
  add(c: Context, leave: () => void, over: AbortSignal): void
}

export const RECHECK_INTERVAL_MS: Millis = 20 * SECOND

const TAGS = ['session', 'people']

export function createAccessRechecks(clock: Clock): AccessRechecks {
  const looks = new Set<() => Promise<void>>()
  return {
    async recheckAfterWrite(c, next) {
      await next()
      if (c.req.method === 'GET' || !requestedOperation(c)?.tags.some((tag) => TAGS.includes(tag))) return
      await Promise.all([...looks].map((look) => look()))
    },

    add(c, leave, over) {
      const look = async () => {
        // A store that does not answer shows nobody out.
        if (!over.aborted && !(await isStillAllowed(c).catch(() => true))) leave()
      }
      looks.add(look)
      over.addEventListener('abort', () => looks.delete(look))
      void (async () => {
        while (!over.aborted) {
          await clock.sleepUntil(clock.now() + RECHECK_INTERVAL_MS, over)
          await look()
        }
      })()
    },
  }
}
