/**
 * Clocks that follow the machine's. A laptop may sleep and a clock may be set: so sleepers check the time at least once a minute, and
 * changes of the time of day are filtered (filtered-time.ts).
 */
import { uptime } from 'node:os'
import type { Instant, Millis } from '../model/index.ts'
import type { Clock } from '../ports/index.ts'
import { createFilteredTime } from './filtered-time.ts'

/** The time of day, with sudden changes delayed until they have lasted. */
export function systemClock(): Clock {
  const { now, onJump } = createFilteredTime({
    wall: Date.now,
    steady: () => performance.now(),
    uptime: () => uptime() * 1000,
  })
  return { now, onJump, sleepUntil: (at, signal) => sleepUntil(now, 1, at, signal) }
}

/** A clock that starts at any time and runs `speed` times as fast. For the demo: a day passes in a minute. */
export function createFastClock({ startAt, speed }: { startAt: Instant; speed: number }): Clock {
  const startedMs = performance.now()
  const now = () => Math.floor(startAt + (performance.now() - startedMs) * speed)
  return { now, sleepUntil: (at, signal) => sleepUntil(now, speed, at, signal) }
}

const MAX_TIMER_MS = 60_000 // of the machine's time; setTimeout itself overflows after 24 days

async function sleepUntil(now: () => Instant, speed: number, at: Instant, signal?: AbortSignal): Promise<void> {
  for (let left = at - now(); left > 0 && !signal?.aborted; left = at - now())
    await sleep(Math.min(Math.ceil(left / speed), MAX_TIMER_MS), signal)
}

function sleep(ms: Millis, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', wake)
      resolve()
    }
    const timer = setTimeout(wake, ms)
    signal?.addEventListener('abort', wake)
  })
}
