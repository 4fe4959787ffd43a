/** In-flight tasks that complete, or expire with their leases; and who waits until none is left. */
import { type Instant, NEVER, type Outcome } from '../../model/index.ts'
import type { Clock, Dispatch } from '../../ports/index.ts'
import { yieldToEventLoop } from '../../runtime/index.ts'
import type { TaskMaker } from './build-tasks.ts'
import type { Flights } from './in-flight-tasks.ts'
import type { RedirectPace } from './redirect-pacing.ts'

export interface Landing {
  /** An outcome that nobody waits for, because it comes twice or too late, is nobody's. */
  apply(brought: Outcome[]): Promise<void>
  /** What never came back takes no slot and no host slot any longer than it has its lease. */
  giveUpLost(now: Instant): void
  /** Resolves when everything has come back and is recorded, or is lost; or when the signal aborts. */
  landed(signal?: AbortSignal): Promise<void>
}

export interface LandingParts {
  queue: Pick<Dispatch, 'hurry'>
  clock: Clock
  flights: Flights
  redirectPace: Pick<RedirectPace, 'turnBack'>
  taskMaker: Pick<TaskMaker, 'cameBack'>
  applyLanded: (outcomes: Outcome[], now: Instant) => Promise<void>
}

export function createLanding(parts: LandingParts): Landing {
  const { queue, clock, flights, redirectPace, taskMaker, applyLanded } = parts
  let applying = 0
  let landing = new AbortController()

  function giveUpLost(now: Instant): void {
    const lost = flights.expire(now)
    for (const { task } of lost) redirectPace.turnBack(task, now)
    if (lost.length > 0) landing.abort()
  }

  return {
    giveUpLost,

    async apply(brought) {
      applying++
      try {
        const outcomes = brought.flatMap((outcome) => flights.land(outcome) ?? [])
        taskMaker.cameBack(outcomes)
        await applyLanded(outcomes, clock.now())
      } finally {
        flights.recorded(brought)
        applying--
        landing.abort()
      }
    },

    async landed(signal) {
      while ((flights.size > 0 || applying > 0) && !signal?.aborted) {
        queue.hurry?.()
        const awaited = signal ? AbortSignal.any([landing.signal, signal]) : landing.signal
        await clock.sleepUntil(flights.nextLossAt() ?? NEVER, awaited)
        if (landing.signal.aborted) landing = new AbortController()
        giveUpLost(clock.now())
        await yieldToEventLoop()
      }
    },
  }
}
