/** The main loop of a crawl: does what is due, sleeps until something is due, and is woken by outcomes and users. */
import { type Instant, MINUTE, type Millis, NEVER } from '../../model/index.ts'
import type { Clock, NextDue } from '../../ports/index.ts'
import { type ErrorBoundary, isStoreError } from '../error-boundary.ts'
import type { BucketOwner } from '../fleet/bucket-owner.ts'
import type { RetryTransient } from '../retried-steps.ts'
import type { Controller } from '../scheduler/controller.ts'

export interface MainLoop {
  /** Runs until the signal aborts. */
  run(signal: AbortSignal, retry: RetryTransient): Promise<void>
  /** There may be something to do. */
  wake(): void
}

export interface MainLoopParts {
  controller: Controller
  owner: BucketOwner | undefined
  clock: Clock
  errorBoundary: ErrorBoundary
  slots: () => number
  /** How long to wait after a feed is due, so that feeds due meanwhile are handled together. */
  gatherMs: Millis
}

const WOKEN = 'woken' // an abort without a reason creates an error each time
const RETRY_AFTER_ERROR_MS = MINUTE // after an internal error: the work stays due, and the error may not recur

export function createMainLoop({ controller, owner, clock, errorBoundary, slots, gatherMs }: MainLoopParts): MainLoop {
  let woken = new AbortController()
  /** The latest answer of the store; undefined if it was not asked. */
  let due: NextDue | undefined

  /** When there is work that free slots allow. */
  async function nextWorkAt(): Promise<Instant> {
    due = undefined
    if (controller.hasPendingReleases()) return clock.now()
    const isFull = controller.inFlightTasks().length >= slots()
    const renewAt = owner?.renewAt() ?? NEVER
    if (isFull) return Math.min(renewAt, controller.nextExpiryAt() ?? NEVER)
    due = await controller.nextDue()
    const { pollAt = NEVER, hubAt = NEVER, articleAt = NEVER } = due
    return Math.min(pollAt, hubAt, articleAt, renewAt, controller.nextSelectionAt() ?? NEVER)
  }

  /**
   * Does what is due. Returns when the next work is due. When an outcome or a user wakes it early, it mostly finds nothing to do, and asking
   * the store for the next due time is cheaper than a tick. An internal error does not end the loop; a store error does.
   */
  async function round(workAt: Instant, signal: AbortSignal): Promise<Instant> {
    try {
      const at = workAt > clock.now() ? await nextWorkAt() : workAt
      if (at > clock.now()) return at
      await owner?.renew()
      await controller.tick(signal, due)
      if (!due || (due.hubAt ?? NEVER) <= clock.now()) await controller.subscribeToHubs()
      return Math.max(clock.now() + 1, await nextWorkAt())
    } catch (error) {
      if (isStoreError(error)) throw error
      errorBoundary.report('running a tick', error)
      return clock.now() + RETRY_AFTER_ERROR_MS
    }
  }

  return {
    wake: () => woken.abort(WOKEN),
    async run(signal, retry) {
      due = undefined
      signal.addEventListener('abort', () => woken.abort(WOKEN), { once: true })
      for (let workAt = clock.now(); !signal.aborted; ) {
        woken = new AbortController()
        workAt = await retry('run a tick', () => round(workAt, signal))
        await clock.sleepUntil(workAt + gatherMs, woken.signal)
      }
    },
  }
}
