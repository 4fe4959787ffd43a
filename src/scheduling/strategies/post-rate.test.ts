import { expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../model/index.ts'
import { LIMITS, strategyNamed } from '../index.ts'

const TERMS = { price: HOUR, limits: LIMITS, subscribers: 1 }
const MONDAY = 20_000 * DAY
const NOON = 12 * HOUR

function nextOf(strategy: string, window: number[], at: number): number {
  const named = strategyNamed(strategy)
  return named.next(named.learn(named.begin(), { at, window, fresh: window.length }), at, TERMS)
}

it('polls in the minute in which one entry is expected (eq. 3)', () => {
  const everyNoon = [0, 1, 2, 3].map((day) => MONDAY + day * DAY + NOON)
  expect(nextOf('post-rate', everyNoon, MONDAY + 3 * DAY + 13 * HOUR)).toBe(MONDAY + 4 * DAY + NOON)
})

it('adds up the minutes of several days if one day brings less than one entry', () => {
  // noon has passed five times and had three entries: 0.6 a day, so the second noon makes one
  const noons = [0, 2, 4].map((day) => MONDAY + day * DAY + NOON)
  expect(nextOf('post-rate', noons, MONDAY + 4 * DAY + 13 * HOUR)).toBe(MONDAY + 6 * DAY + NOON)
})

it('learns from silence only with silence=counted', () => {
  const noons = [0, 1].map((day) => MONDAY + day * DAY + NOON)
  const at = MONDAY + 3 * DAY + 13 * HOUR
  expect(nextOf('post-rate', noons, at)).toBe(MONDAY + 4 * DAY + NOON)
  expect(nextOf('post-rate:silence=counted', noons, at)).toBe(MONDAY + 5 * DAY + NOON) // noon has passed four times
})

it('keeps counting in bounded memory', () => {
  const named = strategyNamed('post-rate')
  let memory = named.begin()
  for (let i = 0; i < 3000; i++) {
    const at = MONDAY + i * 7 * MINUTE
    memory = named.learn(memory, { at, window: [at], fresh: 1 })
  }
  expect(memory.length).toBeLessThanOrEqual(16 + 4 * 1440)
  const at = MONDAY + 2999 * 7 * MINUTE
  expect(Math.abs(named.next(memory, at, TERMS) - at - 7 * MINUTE)).toBeLessThanOrEqual(MINUTE)
})

it('polls again in an hour if the feed has shown no entries yet', () => {
  expect(nextOf('post-rate', [], MONDAY)).toBe(MONDAY + HOUR)
})
