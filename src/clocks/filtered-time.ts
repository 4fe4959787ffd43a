/**
 * A clock that tolerates changes of the machine's clock, which people and programs may set at any time: back by an hour, or ahead by a
 * year and back again. Measuring intervals by it would stop polling for that hour, or expire a year of entries. So time advances by a
 * monotonic clock, and the wall clock only corrects it:
 *
 * - a small difference is followed, unless that would go backwards;
 * - a difference that equals the time the machine slept is accepted at once;
 * - a clock that stays ahead for a minute is accepted;
 * - a clock that stays behind for a minute is approached by running slower. `now` never goes backwards.
 *
 * Listeners are notified of accepted jumps.
 */
import type { Instant, Millis } from '../model/index.ts'

export interface TimeSources {
  /** The machine's time of day. */
  wall(): Instant
  /** Monotonic; may stop while the machine sleeps. */
  steady(): Millis
  /** Monotonic, including sleep; may be coarse. */
  uptime(): Millis
}

const SMALL_JUMP_MS: Millis = 2000
/** How long a difference must last before it is accepted: long enough to notice and correct a mistake. */
const JUMP_ACCEPTED_AFTER_MS: Millis = 60_000
/** Speed of time while it is ahead: an hour is caught up within four. */
const CATCH_UP_RATE = 3 / 4

export function createFilteredTime({ wall, steady, uptime }: TimeSources): {
  now(): Instant
  onJump(listener: (byMs: Millis) => void): () => void
} {
  const listeners = new Set<(byMs: Millis) => void>()
  let time = wall()
  let steadyAt = steady()
  let sleptMs = uptime() - steadyAt
  /** A change of the wall clock, by its distance from the monotonic one, and since when. */
  let suspected: { distance: Millis; sinceMs: Millis } | undefined
  /** How far the wall clock is behind; 0 if it is not. */
  let behindMs: Millis = 0

  function now(): Instant {
    const steadyNow = steady()
    const passed = Math.max(0, steadyNow - steadyAt)
    steadyAt = steadyNow
    const expected = time + passed * (behindMs > 0 ? CATCH_UP_RATE : 1)
    const wallTime = wall()
    const deviation = wallTime - expected
    const isCatchingUp = deviation < 0 && -deviation <= behindMs + SMALL_JUMP_MS
    if (Math.abs(deviation) <= SMALL_JUMP_MS || hasSlept(deviation)) settle(Math.max(time, wallTime), 0)
    else if (isCatchingUp) settle(expected, -deviation)
    else if (!hasStayed(wallTime - steadyNow)) time = expected
    else {
      settle(Math.max(expected, wallTime), Math.max(0, -deviation))
      for (const listener of listeners) listener(deviation)
    }
    return Math.floor(time)
  }

  function settle(at: Instant, behind: Millis): void {
    time = at
    behindMs = behind
    suspected = undefined
  }

  /** Called only when there is a difference, because it reads a file. */
  function hasSlept(off: Millis): boolean {
    if (off < 0) return false
    const sleptNow = uptime() - steadyAt - sleptMs
    if (Math.abs(sleptNow - off) > SMALL_JUMP_MS) return false
    sleptMs += sleptNow
    return true
  }

  function hasStayed(distance: Millis): boolean {
    if (!suspected || Math.abs(distance - suspected.distance) > SMALL_JUMP_MS)
      suspected = { distance, sinceMs: steadyAt }
    return steadyAt - suspected.sinceMs >= JUMP_ACCEPTED_AFTER_MS
  }

  return {
    now,
    onJump(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
