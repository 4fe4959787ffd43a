/**
 * A clock that only advances on command, for tests and the lab: years pass in a second, reproducibly. It jumps from sleeper to sleeper
 * in order of their wake times, and between jumps waits until the program is idle, so that what was woken can wait again.
 */
import type { Instant, Millis } from '../model/index.ts'
import type { Clock } from '../ports/index.ts'
import { hasYielded } from '../runtime/index.ts'

export interface SteppedClock extends Clock {
  /** Resolves when all sleepers up to `at` have been woken and the program is idle. */
  advanceTo(at: Instant): Promise<void>
  advance(ms: Millis): Promise<void>
  /** The next wake time; undefined if nobody sleeps. */
  nextWakeAt(): Instant | undefined
}

interface Sleeper {
  at: Instant
  wake: () => void
}

/**
 * `settle` resolves when the program is idle. The default suits programs that only use promises and immediates: it waits for a few turns
 * of the event loop in which nothing has yielded (runtime/yield-to-event-loop). Programs that use sockets or files need their own.
 */
export function createSteppedClock(startAt: Instant, settle: () => Promise<void> = fewTurns): SteppedClock {
  let now = startAt
  const sleepers = new Set<Sleeper>() // in order of their calls, which decides between equal times
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

  function enqueue(step: () => Promise<void>): Promise<void> {
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
    advanceTo: (at) => enqueue(() => stepTo(at)),
    advance: (ms) => enqueue(() => stepTo(now + ms)),
    nextWakeAt,
  }
}

const TURNS = 5 // an outcome takes two through the in-process queue; the rest is for what follows

async function fewTurns(): Promise<void> {
  for (let quiet = 0; quiet < TURNS; quiet++) {
    await new Promise((resolve) => setImmediate(resolve))
    if (hasYielded()) quiet = 0
  }
}
