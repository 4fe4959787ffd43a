import { expect, it } from 'vitest'
import { HOUR } from '../../model/index.ts'
import { LIMITS, strategyNamed } from '../index.ts'

const TERMS = { price: HOUR, limits: LIMITS, subscribers: 1 }
const strategy = strategyNamed('fix-learned')

it.each([
  ['the mean gap of the first window (eq. 1)', [1, 3, 5, 9], (9 - 1) / 3],
  ['an hour for a feed with one entry', [1], 1],
  ['an hour for an empty feed', [], 1],
])('waits %s, and learns nothing more', (_, hours, expected) => {
  const window = hours.map((hour) => hour * HOUR)
  const first = strategy.learn(strategy.begin(), { at: 10 * HOUR, window, fresh: window.length })
  expect(strategy.next(first, 10 * HOUR, TERMS)).toBe((10 + expected) * HOUR)
  const later = strategy.learn(first, { at: 20 * HOUR, window: [18 * HOUR, 19 * HOUR], fresh: 2 })
  expect(strategy.next(later, 20 * HOUR, TERMS)).toBe((20 + expected) * HOUR)
})
