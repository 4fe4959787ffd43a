/**
 * A clock that stands still until it is told to go on, for tests and the lab: years pass in a second, and twice the same
 * way. It jumps from sleeper to sleeper in the order of their dates. Between two jumps it lets the program come to rest,
 * so that who was woken at one instant can lie down again until another that is still on the way.
 */
import type { Instant, Millis } from '../../model/index.ts'
import type { Clock } from '../../ports/index.ts'
import { hasYielded } from '../../runtime/index.ts'

export interface SteppedClock extends Clock {
  /** Resolves when everybody who slept until `at` or before has been woken, and the program has come to rest. */
  advanceTo(at: Instant): Promise<void>
  advance(ms: Millis): Promise<void>
  /** The next date at which somebody wakes up; undefined if nobody sleeps. */
  nextWakeAt(): Instant | undefined
}

interface Sleeper {
  at: Instant
  wake: () => void
}

/**
 * `settle` resolves when the program has come to rest. What only passes promises and immediates around is at rest after
 * a few turns of the event loop in which nobody has yielded (runtime/yield-to-event-loop); who waits for sockets or files gives a `settle` that knows when they are done.
 */
export function createSteppedClock(startAt: Instant, settle: () => Promise<void> = someTurns): SteppedClock {
  let now = startAt
  const sleepers = new Set<Sleeper>() // in the order in which they lay down, which decides between equal dates
  let steps = Promise.resolve()

  const nextWakeAt = () => {
    let next: Instant | undefined
    for (const { at } of sleepers) if (next === undefined || at < next) next = at
    return next
  }

  async function stepTo(target: Instant): Promise<void> {
    await settle()
    for (let next = nextWakeAt(); next !== undefined && next <= target; next = nextWakeAt()) {
      now = next
      for (const sleeper of [...sleepers]) if (sleeper.at === next) sleeper.wake()
      await settle()
    }
    now = Math.max(now, target)
  }

  function inTurn(step: () => Promise<void>): Promise<void> {
    steps = steps.then(step)
    return steps
  }

  return {
    now: () => now,
    sleepUntil: (at, signal) =>
      new Promise((resolve) => {
        if (at <= now || signal?.aborted) return resolve()
        const wake = () => {
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const sleeper = { at, wake }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', wake)
      }),
    advanceTo: (at) => inTurn(() => stepTo(at)),
    advance: (ms) => inTurn(() => stepTo(now + ms)),
    nextWakeAt,
  }
}

const TURNS = 5 // an outcome takes two through the in-process queue; the rest is for what comes of it

async function someTurns(): Promise<void> {
  for (let quiet = 0; quiet < TURNS; quiet++) {
    await new Promise((resolve) => setImmediate(resolve))
    if (hasYielded()) quiet = 0
  }
}
