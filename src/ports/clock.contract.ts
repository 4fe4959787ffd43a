/** The contract of every clock. */
import { describe, expect, test } from 'vitest'
import { NEVER } from '../model/index.ts'
import type { Clock } from './clock.ts'

export interface ClockOnTrial {
  clock: Clock
  /** Advances simulated clocks. Does nothing for real ones. */
  pass(ms: number): Promise<void>
}

export function clockContract(name: string, make: () => ClockOnTrial): void {
  describe(`clock: ${name}`, () => {
    test('advances and never goes back', async () => {
      const { clock, pass } = make()
      const before = clock.now()
      const [slept] = await Promise.all([clock.sleepUntil(before + 5).then(() => clock.now()), pass(5)])
      expect(slept).toBeGreaterThanOrEqual(before + 5)
      expect(clock.now()).toBeGreaterThanOrEqual(slept)
    })

    test('resolves at once for a date in the past', async () => {
      const { clock } = make()
      await clock.sleepUntil(clock.now())
      await clock.sleepUntil(clock.now() - 1000)
      await clock.sleepUntil(Number.NEGATIVE_INFINITY)
    })

    test('wakes sleepers in the order of their dates', async () => {
      const { clock, pass } = make()
      const start = clock.now()
      const woken: number[] = []
      const sleepers = [30, 10, 20].map((ms) => clock.sleepUntil(start + ms).then(() => woken.push(ms)))
      await Promise.all([...sleepers, pass(30)])
      expect(woken).toEqual([10, 20, 30])
    })

    test('sleeps until any distant date, or until the signal aborts', async () => {
      const { clock, pass } = make()
      const wakeUp = new AbortController()
      let woken = false
      const sleeper = clock.sleepUntil(NEVER, wakeUp.signal).then(() => {
        woken = true
      })
      await Promise.all([clock.sleepUntil(clock.now() + 20), pass(20)])
      expect(woken).toBe(false)
      wakeUp.abort()
      await sleeper
      expect(woken).toBe(true)
    })

    test('does not sleep if the signal is already aborted', async () => {
      const { clock } = make()
      await clock.sleepUntil(NEVER, AbortSignal.abort())
    })
  })
}
