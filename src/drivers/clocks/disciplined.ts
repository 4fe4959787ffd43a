/**
 * Time that nobody can push around. A machine's clock is set by people and by programs, while we run: back by an hour,
 * ahead by a year and back again after a moment. Whoever measured intervals by it would poll nothing for that hour, or
 * throw a year of entries away. So time goes on here by a steady clock, which only counts what has passed, and the wall
 * clock only corrects it:
 *
 * - what it differs by is little: it is followed, as far as that does not lead back;
 * - it is ahead because the machine slept: that time has passed, and is believed at once;
 * - it is ahead, and stays so for a minute: it is believed;
 * - it is behind, and stays so for a minute: time goes slower here until both agree. `now` never goes back.
 *
 * Whoever listens is told of what is believed.
 */
import type { Instant, Millis } from '../../model/index.ts'

export interface TimeSources {
  /** The time of day, as the machine has it. */
  wall(): Instant
  /** What has passed since some moment; it may stand still while the machine sleeps. */
  steady(): Millis
  /** What has passed since some moment, sleep included; it may be coarse. */
  uptime(): Millis
}

const LITTLE_MS: Millis = 2000
/** For so long a difference must be there until it is believed: long enough for somebody to notice a slip and mend it. */
const BELIEVED_AFTER_MS: Millis = 60_000
/** How fast time goes while it is ahead: an hour is caught up within four. */
const SLOWED = 3 / 4

export function createDisciplinedTime({ wall, steady, uptime }: TimeSources): {
  now(): Instant
  onJump(listener: (byMs: Millis) => void): () => void
} {
  const listeners = new Set<(byMs: Millis) => void>()
  let time = wall()
  let steadyAt = steady()
  let sleptMs = uptime() - steadyAt
  /** A setting of the wall clock, told by its distance from the steady one, and since when it is there. */
  let suspected: { distance: Millis; sinceMs: Millis } | undefined
  /** By how much the wall clock is behind, of what is believed; 0 if it is not. */
  let behindMs: Millis = 0

  function now(): Instant {
    const steadyNow = steady()
    const passed = Math.max(0, steadyNow - steadyAt)
    steadyAt = steadyNow
    const expected = time + passed * (behindMs > 0 ? SLOWED : 1)
    const given = wall()
    const off = given - expected
    const isCatchingUp = off < 0 && -off <= behindMs + LITTLE_MS
    if (Math.abs(off) <= LITTLE_MS || isSlept(off)) settle(Math.max(time, given), 0)
    else if (isCatchingUp) settle(expected, -off)
    else if (!hasStayed(given - steadyNow)) time = expected
    else {
      settle(Math.max(expected, given), Math.max(0, -off))
      for (const listener of listeners) listener(off)
    }
    return Math.floor(time)
  }

  function settle(at: Instant, behind: Millis): void {
    time = at
    behindMs = behind
    suspected = undefined
  }

  /** Asked only when there is a difference: it takes a look at a file. */
  function isSlept(off: Millis): boolean {
    if (off < 0) return false
    const slept = uptime() - steadyAt - sleptMs
    if (Math.abs(slept - off) > LITTLE_MS) return false
    sleptMs += slept
    return true
  }

  function hasStayed(distance: Millis): boolean {
    if (!suspected || Math.abs(distance - suspected.distance) > LITTLE_MS) suspected = { distance, sinceMs: steadyAt }
    return steadyAt - suspected.sinceMs >= BELIEVED_AFTER_MS
  }

  return {
    now,
    onJump(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
