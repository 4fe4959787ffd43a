import { describe, expect, test } from 'vitest'
import { budgetSteps, delayAt } from './budget-steps.ts'

const POINTS = [
  { pollsPerDay: 10, delayMs: 8000 },
  { pollsPerDay: 40, delayMs: 4000 },
  { pollsPerDay: 160, delayMs: 2000 },
]

describe('the steps of a budget', () => {
  test('are round numbers from the fewest useful polls to the most, and the current budget', () => {
    expect(budgetSteps(POINTS, 240, 123)).toEqual([10, 15, 20, 30, 40, 50, 70, 100, 123, 150, 200, 300])
  })

  test('exist before anything is known', () => {
    expect(budgetSteps([], 0)).toEqual([1, 2, 3, 4, 5, 7, 10])
    expect(budgetSteps([], 24).at(-1)).toBe(30)
  })

  test.each([
    ['below what was reckoned', 1, 8000],
    ['at a point', 40, 4000],
    ['between two', 20, 4000 * Math.SQRT2],
    ['beyond', 1e6, 2000],
  ])('are worth what was reckoned: %s', (_, polls, ms) => {
    expect(delayAt(POINTS, polls)).toBeCloseTo(ms, 6)
    expect(delayAt([], polls)).toBeUndefined()
  })
})
