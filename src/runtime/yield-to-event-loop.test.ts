import { afterEach, beforeEach, expect, it } from 'vitest'
import { atOnce, type Steps } from '../model/index.ts'
import { hasYielded, inSlices, mapInSlices, yieldToEventLoop } from './yield-to-event-loop.ts'

/** As long as everything that takes too long. */
const LONG_MS = 6

let turns = 0
let next: NodeJS.Immediate
beforeEach(() => {
  turns = 0
  const turn = () => {
    turns++
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

it('of several long works no two have their slice in the same turn, and none is passed over', async () => {
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

it('yields between many steps, which lead to the same as at once', async () => {
  const steps = 10_000
  expect(await inSlices(counting(steps))).toBe(atOnce(counting(steps)))
  expect(turns).toBeGreaterThanOrEqual(steps / 500 - 1)
})

it('takes a few steps at once', async () => {
  expect(await inSlices(counting(20))).toBe(210)
  expect(turns).toBe(0)
})

it('yields when the time of a slice is over, however few its steps', async () => {
  expect(await inSlices(counting(4, LONG_MS))).toBe(10)
  expect(turns).toBeGreaterThanOrEqual(3)
})

it('maps many in their order', async () => {
  const many = Array.from({ length: 2000 }, (_, i) => i)
  const mapping = mapInSlices(many, (one) => 2 * one)
  expect(hasYielded()).toBe(true)
  expect(await mapping).toEqual(many.map((one) => 2 * one))
  expect(hasYielded()).toBe(false)
})
