import { afterEach, beforeEach, expect, it } from 'vitest'
import { atOnce, type Steps } from '../model/index.ts'
import { createStretch, inTurns, letOthers } from './turns.ts'

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

it('of several long works no two have their stretch in the same turn, and none is passed over', async () => {
  const inTurn: number[] = []
  const done: string[] = []
  const work = async (name: string) => {
    for (let stretch = 0; stretch < 4; stretch++) {
      await letOthers()
      inTurn.push(performance.nodeTiming.uvMetricsInfo.loopCount)
      done.push(name)
      workFor(LONG_MS)
    }
  }
  await Promise.all(['a', 'b', 'c'].map(work))
  expect(new Set(inTurn).size).toBe(12)
  expect(done.join('')).toBe('abc'.repeat(4))
})

function* counting(to: number): Steps<number> {
  let sum = 0
  for (let i = 1; i <= to; i++) {
    sum += i
    yield
  }
  return sum
}

it('many steps are taken with turns for others in between, and lead to the same as at once', async () => {
  const steps = 10_000
  expect(await inTurns(counting(steps))).toBe(atOnce(counting(steps)))
  expect(turns).toBeGreaterThanOrEqual(steps / 500 - 1)
})

it('a few steps are taken at once', async () => {
  const before = turns
  expect(atOnce(counting(20))).toBe(210)
  expect(turns).toBe(before)
})

it('a stretch is over when its time is, however few its steps, and another begins after a pause', async () => {
  const stretch = createStretch()
  workFor(LONG_MS)
  expect(stretch.isOver()).toBe(true)
  await stretch.pause()
  for (let step = 1; step < 500; step++) if (stretch.isOver()) return // on a busy machine the time is over first
  expect(stretch.isOver()).toBe(true)
})
