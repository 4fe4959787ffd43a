import { afterEach, beforeEach, expect, it } from 'vitest'
import { runToEnd, type Steps } from '../model/index.ts'
import { hasYielded, inSlices, mapInSlices, yieldToEventLoop } from './yield-to-event-loop.ts'

/** Longer than a slice. */
const LONG_MS = 6

let turnCount = 0
let next: NodeJS.Immediate
beforeEach(() => {
  turnCount = 0
  const turn = () => {
    turnCount++
    next = setImmediate(turn)
  }
  next = setImmediate(turn)
})
afterEach(() => clearImmediate(next))

function workFor(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

function* counting(to: number, ms = 0): Steps<number> {
  let sum = 0
  for (let i = 1; i <= to; i++) {
    sum += i
    workFor(ms)
    yield
  }
  return sum
}

it('runs one slice of long tasks per turn, in rotation', async () => {
  const inTurn: number[] = []
  const done: string[] = []
  const work = async (name: string) => {
    for (let slice = 0; slice < 4; slice++) {
      await yieldToEventLoop()
      inTurn.push(performance.nodeTiming.uvMetricsInfo.loopCount)
      done.push(name)
      workFor(LONG_MS)
    }
  }
  await Promise.all(['a', 'b', 'c'].map(work))
  expect(new Set(inTurn).size).toBe(12)
  expect(done.join('')).toBe('abc'.repeat(4))
})

it('yields between many steps, with the same result as without yielding', async () => {
  const steps = 10_000
  expect(await inSlices(counting(steps))).toBe(runToEnd(counting(steps)))
  expect(turnCount).toBeGreaterThanOrEqual(steps / 500 - 1)
})

it('runs a few steps without yielding', async () => {
  expect(await inSlices(counting(20))).toBe(210)
  expect(turnCount).toBe(0)
})

it("yields when a slice's time is over, after any number of steps", async () => {
  expect(await inSlices(counting(4, LONG_MS))).toBe(10)
  expect(turnCount).toBeGreaterThanOrEqual(3)
})

it('maps items in order', async () => {
  const items = Array.from({ length: 2000 }, (_, i) => i)
  const mapping = mapInSlices(items, (item) => 2 * item)
  expect(hasYielded()).toBe(true)
  expect(await mapping).toEqual(items.map((item) => 2 * item))
  expect(hasYielded()).toBe(false)
})
