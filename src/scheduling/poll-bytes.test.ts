import { expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../model/index.ts'
import { LIMITS, strategyNamed, termsOf } from './index.ts'
import { BYTES_INCLUDED, pollBytesAfter, pollCost } from './poll-bytes.ts'

it.each([
  ['no known size', undefined, 1],
  ['exactly the included bytes', BYTES_INCLUDED, 1],
  ['ten times that', 10 * BYTES_INCLUDED, 10],
  ['a gigabyte', 1e9, 25],
])('computes the cost of a poll with %s', (_, bytes, cost) => {
  expect(pollCost(bytes)).toBe(cost)
})

it('averages response sizes, and forgets the average when they become small', () => {
  let mean: number | undefined
  for (let i = 0; i < 12; i++) mean = pollBytesAfter(mean, 3_800_000)
  expect(mean! / 3_800_000).toBeGreaterThan(0.6)
  const settled = mean!
  expect(pollBytesAfter(settled, settled)).toBe(settled)
  for (let i = 0; i < 20; i++) mean = pollBytesAfter(mean, 700)
  expect(mean).toBeUndefined()
  expect(pollBytesAfter(undefined, 50_000)).toBeUndefined()
})

it('lengthens the intervals of strategies that follow the price, and no others', () => {
  const wait = (name: string, pollBytes?: number) => {
    const strategy = strategyNamed(name)
    const window = Array.from({ length: 20 }, (_, i) => (i - 20) * 50 * HOUR)
    const memory = strategy.learn(strategy.begin(), { at: 0, window, fresh: 20 })
    const feed = { subscribers: 1, ...(pollBytes !== undefined && { quirks: { pollBytes } }) }
    return strategy.next(memory, 0, termsOf(feed, undefined, { ...LIMITS, maxMs: 90 * DAY }, 10 * MINUTE))
  }
  for (const name of ['tide', 'sqrt-rate', 'min-delay']) {
    const ratio = wait(name, 16 * BYTES_INCLUDED) / wait(name)
    expect(ratio, name).toBeGreaterThan(2.5)
    expect(ratio, name).toBeLessThan(6)
  }
  for (const name of ['fixed:2h', 'moving-average']) expect(wait(name, 16 * BYTES_INCLUDED)).toBe(wait(name))
})
