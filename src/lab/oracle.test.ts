import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../model/index.ts'
import type { AlignedTrace } from './aligned-trace.ts'
import { createOracle, leastCost } from './oracle.ts'

const END = 10 * DAY
const plan = { startAt: 0, scoreAt: DAY, endAt: END }
const items = fc
  .array(fc.integer({ min: DAY, max: END }), { minLength: 1, maxLength: 9 })
  .map((times) => times.toSorted((a, b) => a - b))

/** Tries every subset of the items' instants as polls. */
function bruteForce(times: number[], price: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let chosen = 0; chosen < 2 ** times.length; chosen++) {
    const polls = times.filter((_, i) => (chosen >> i) & 1)
    const delay = times.reduce((sum, at) => sum + (polls.find((poll) => poll >= at) ?? END) - at, 0)
    least = Math.min(least, delay + price * polls.length)
  }
  return least
}

const alignedTraceOf = (published: number[]): AlignedTrace => ({
  feed: '',
  kind: '',
  window: 10,
  published: Float64Array.from(published),
  firstAt: 0,
  known: 0,
})

const leastDelayMs = (alignedTraces: AlignedTrace[], polls: number) =>
  createOracle(alignedTraces, plan).leastDelayMs(polls)

describe('the oracle', () => {
  it('agrees with brute force', () => {
    fc.assert(
      fc.property(items, fc.integer({ min: 1, max: 5 * DAY }), (times, price) => {
        const { polls, delayMs } = leastCost(times, END, price)
        expect(delayMs + price * polls).toBeCloseTo(bruteForce(times, price), 3)
      }),
      { numRuns: 200 },
    )
  })

  it('needs one poll per instant for no delay, and none without items', () => {
    const times = [DAY, DAY, 2 * DAY, 3 * DAY + HOUR]
    expect(leastCost(times, END, 1)).toEqual({ polls: 3, delayMs: 0 })
    expect(leastCost([], END, 1)).toEqual({ polls: 0, delayMs: 0 })
    expect(leastCost(times, END, 100 * DAY).polls).toBe(0)
  })

  it('is a lower bound for any polls of that number', () => {
    fc.assert(
      fc.property(
        items,
        fc.array(fc.integer({ min: DAY, max: END }), { minLength: 1, maxLength: 5 }),
        (times, polls) => {
          const sorted = polls.toSorted((a, b) => a - b)
          const delay = times.reduce((sum, at) => sum + (sorted.find((poll) => poll >= at) ?? END) - at, 0)
          expect(leastDelayMs([alignedTraceOf(times)], polls.length)).toBeLessThanOrEqual(delay + 1)
        },
      ),
    )
  })

  it('distributes the polls among the feeds', () => {
    const lively = alignedTraceOf(Array.from({ length: 100 }, (_, i) => DAY + i * 10 * MINUTE))
    const sleepy = alignedTraceOf([5 * DAY])
    const one = leastDelayMs([lively, sleepy], 20)
    expect(one).toBeGreaterThan(0)
    expect(leastDelayMs([lively, sleepy], 40)).toBeLessThan(one)
    expect(leastDelayMs([lively, sleepy], 101)).toBe(0)
  })

  it('ignores the warm-up', () => {
    expect(leastDelayMs([alignedTraceOf([0, HOUR, 2 * DAY])], 1)).toBe(0)
  })
})
