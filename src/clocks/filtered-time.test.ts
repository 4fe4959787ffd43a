import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '../model/index.ts'
import { createFilteredTime } from './filtered-time.ts'

const START = Date.UTC(2031, 4, 1)

/** A machine whose clock can be set and which can sleep. */
function machine() {
  let wall = START
  let steady = 5000.5
  let uptime = 90_000
  const pass = (ms: number) => {
    wall += ms
    steady += ms
    uptime += ms
  }
  const time = createFilteredTime({
    wall: () => wall,
    steady: () => steady,
    uptime: () => Math.floor(uptime / 10) * 10,
  })
  const jumps: number[] = []
  time.onJump((byMs) => jumps.push(byMs))
  return {
    now: time.now,
    jumps,
    /** Reads the time once a second, like sleepers and polls. */
    live(ms: number) {
      const from = time.now()
      for (let left = ms; left > 0; left -= SECOND) {
        pass(Math.min(SECOND, left))
        const before = time.now()
        expect(time.now()).toBeGreaterThanOrEqual(before)
      }
      return time.now() - from
    },
    set: (byMs: number) => {
      wall += byMs
    },
    sleep: (ms: number) => {
      wall += ms
      uptime += ms
    },
    error: () => time.now() - wall,
  }
}

describe('disciplined time', () => {
  test('follows the wall clock and small corrections by a time server', () => {
    const { live, set, error, jumps } = machine()
    expect(live(HOUR)).toBe(HOUR)
    set(300)
    live(SECOND)
    expect(error()).toBe(0)
    set(-1500)
    live(3 * SECOND)
    expect(error()).toBe(0)
    expect(jumps).toEqual([])
  })

  test('advances while the clock is an hour back, and agrees with it again within five hours', () => {
    const { live, set, error, jumps } = machine()
    live(MINUTE)
    set(-HOUR)
    expect(live(30 * SECOND)).toBe(30 * SECOND)
    expect(live(HOUR)).toBeGreaterThanOrEqual(0.75 * HOUR)
    expect(jumps).toEqual([-HOUR])
    live(4 * HOUR)
    expect(error()).toBe(0)
    expect(live(HOUR)).toBe(HOUR)
    expect(jumps).toHaveLength(1)
  })

  test('ignores a jump of a year that lasts fifteen seconds', () => {
    const { live, set, error, jumps } = machine()
    live(MINUTE)
    set(400 * DAY)
    expect(live(15 * SECOND)).toBe(15 * SECOND)
    set(-400 * DAY)
    expect(live(MINUTE)).toBe(MINUTE)
    expect(error()).toBe(0)
    expect(jumps).toEqual([])
  })

  test('accepts a clock that is ahead for longer than a minute, and notifies listeners', () => {
    const { live, set, error, jumps } = machine()
    set(9 * DAY)
    expect(live(30 * SECOND)).toBe(30 * SECOND)
    live(MINUTE)
    expect(error()).toBe(0)
    expect(jumps).toEqual([9 * DAY])
  })

  test('notifies listeners when an accepted jump is reverted, and advances meanwhile', () => {
    const { live, set, jumps } = machine()
    set(400 * DAY)
    live(2 * MINUTE)
    set(-400 * DAY)
    live(2 * MINUTE)
    expect(jumps).toEqual([400 * DAY, -400 * DAY])
    expect(live(HOUR)).toBe(0.75 * HOUR)
  })

  test('accepts at once that a machine has slept', () => {
    const { live, sleep, error, jumps } = machine()
    live(MINUTE)
    sleep(8 * HOUR)
    live(SECOND)
    expect(error()).toBe(0)
    sleep(3 * HOUR)
    live(SECOND)
    expect(error()).toBe(0)
    expect(jumps).toEqual([])
  })

  test('detects a second change while it catches up with the first', () => {
    const { live, set, error, jumps } = machine()
    set(-HOUR)
    live(2 * MINUTE)
    set(-HOUR)
    live(2 * MINUTE)
    expect(jumps).toHaveLength(2)
    set(2 * HOUR)
    live(2 * MINUTE)
    expect(error()).toBe(0)
  })
})
