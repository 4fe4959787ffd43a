import { describe, expect, test } from 'vitest'
import { DAY, HOUR } from '../model/index.ts'
import { clockContract } from '../ports/clock.contract.ts'
import { yieldToEventLoop } from '../runtime/index.ts'
import { createSteppedClock } from './stepped-clock.ts'
import { createFastClock, systemClock } from './system-clock.ts'

const nothing = async () => {}
const start = Date.UTC(2031, 4, 1)

clockContract('system', () => ({ clock: systemClock(), pass: nothing }))
clockContract('fast', () => ({ clock: createFastClock({ startAt: start, speed: 2 }), pass: nothing }))
clockContract('stepped', () => {
  const clock = createSteppedClock(start)
  return { clock, pass: (ms) => clock.advance(ms) }
})

describe('fast clock', () => {
  test('starts at the given time, and sleeps through a day in a moment', async () => {
    const clock = createFastClock({ startAt: start, speed: DAY / 10 })
    expect(clock.now()).toBeGreaterThanOrEqual(start)
    await clock.sleepUntil(start + DAY)
    expect(clock.now()).toBeGreaterThanOrEqual(start + DAY)
  })
})

describe('stepped clock', () => {
  test('advances only on command', async () => {
    const clock = createSteppedClock(start)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(clock.now()).toBe(start)
    await clock.advanceTo(start + HOUR)
    expect(clock.now()).toBe(start + HOUR)
    await clock.advanceTo(start)
    expect(clock.now()).toBe(start + HOUR)
  })

  test('wakes sleepers that go to sleep again on the way, each at its time', async () => {
    const clock = createSteppedClock(start)
    const hourly: number[] = []
    const loop = async () => {
      for (;;) {
        await clock.sleepUntil(clock.now() + HOUR)
        await new Promise((resolve) => setImmediate(resolve))
        hourly.push(clock.now() - start)
      }
    }
    void loop()
    await clock.advance(DAY)
    expect(hourly).toEqual(Array.from({ length: 24 }, (_, hour) => (hour + 1) * HOUR))
    expect(clock.nextWakeAt()).toBe(start + DAY + HOUR)
  })

  test('waits for work that yields to the event loop, however often', async () => {
    const clock = createSteppedClock(start)
    const done: number[] = []
    const loop = async () => {
      for (;;) {
        await clock.sleepUntil(clock.now() + HOUR)
        for (let turn = 0; turn < 30; turn++) await yieldToEventLoop()
        done.push(clock.now() - start)
      }
    }
    void loop()
    await clock.advance(3 * HOUR)
    expect(done).toEqual([HOUR, 2 * HOUR, 3 * HOUR])
  })

  test('wakes sleepers of the same time in order of their calls', async () => {
    const clock = createSteppedClock(start)
    const wokenNames: string[] = []
    for (const name of ['a', 'b', 'c']) void clock.sleepUntil(start + 1).then(() => wokenNames.push(name))
    await clock.advance(1)
    expect(wokenNames).toEqual(['a', 'b', 'c'])
  })

  test('returns the next wake time, and forgets sleepers woken by a signal', async () => {
    const clock = createSteppedClock(start)
    expect(clock.nextWakeAt()).toBeUndefined()
    const wakeUp = new AbortController()
    void clock.sleepUntil(start + 1, wakeUp.signal)
    void clock.sleepUntil(start + 2)
    expect(clock.nextWakeAt()).toBe(start + 1)
    wakeUp.abort()
    expect(clock.nextWakeAt()).toBe(start + 2)
  })

  test('executes two commands one after the other', async () => {
    const clock = createSteppedClock(start)
    await Promise.all([clock.advance(10), clock.advance(5)])
    expect(clock.now()).toBe(start + 15)
  })

  test('waits for a custom settle function', async () => {
    let busy: Promise<void> = Promise.resolve()
    const clock = createSteppedClock(start, () => busy)
    const seen: number[] = []
    void clock.sleepUntil(start + 1).then(() => seen.push(clock.now()))
    busy = new Promise((resolve) => setTimeout(resolve, 10))
    const advanced = clock.advance(10)
    await new Promise((resolve) => setImmediate(resolve))
    expect(clock.now()).toBe(start)
    await advanced
    expect(seen).toEqual([start + 1])
  })
})
