import { expect, it } from 'vitest'
import { DAY, MINUTE } from '../model/index.ts'
import { roundHistory, strategyNamed } from './index.ts'

/** The memory of a strategy after these polls; `true` found new entries. */
function after(spec: string, polls: { at: number; found: boolean }[]) {
  const strategy = strategyNamed(spec)
  return polls.reduce(
    (memory, { at, found }) => strategy.learn(memory, { at, window: [], fresh: found ? 1 : 0 }),
    strategy.begin(),
  )
}
const polls = (...found: boolean[]) => found.map((isFound, i) => ({ at: DAY + i * 20 * MINUTE, found: isFound }))

it('gives M, T and ToE after each poll (eqs 2-4)', () => {
  const log = polls(false, false, false, false, true)
  const history = roundHistory('adva-rss:spread=0', after('adva-rss:spread=0', log), log)!
  const rounded = history.points.map(({ M, T, ToE }) => [Math.round(M * 1000) / 1000, Math.round(T * 1000) / 1000, ToE])
  expect(history.isExact).toBe(true)
  expect(rounded).toEqual([
    [1.6, 1, 2],
    [1.9, 2.6, 2],
    [2.68, 4.5, 3],
    [4.03, 7.18, 5],
    [1.606, 1, 2],
  ])
})

it('includes the extra rounds before the second poll', () => {
  const log = polls(true, false)
  const late = [1, 2, 3, 4, 5, 6, 7, 8].map((day) => {
    const shifted = log.map(({ at, found }) => ({ at: at + day * DAY, found }))
    return roundHistory('adva-rss', after('adva-rss', shifted), shifted)!.points.map(({ ToE }) => ToE)
  })
  expect(late.map(([, second]) => second)).toEqual(Array(8).fill(2))
  expect(Math.max(...late.map(([first = 0]) => first))).toBeGreaterThan(2)
})

it('begins with the poll from which the strategy began to learn', () => {
  const log = polls(true, false, false, false, false, false, true, false, false)
  const memory = after('adva-rss', log.slice(4))
  const { points, isExact } = roundHistory('adva-rss', memory, log)!
  expect(isExact).toBe(true)
  expect(points.map(({ at }) => at)).toEqual(log.slice(4).map(({ at }) => at))
})

it('is not exact if no beginning leads to the memory', () => {
  const log = polls(true, false, false)
  const { points, isExact } = roundHistory('adva-rss', after('adva-rss', polls(...Array(30).fill(false))), log)!
  expect(isExact).toBe(false)
  expect(points).toHaveLength(3)
})

it('covers the training phase of posting-history', () => {
  const spec = 'posting-history:training=1h'
  const log = polls(true, false, false, false, true, false)
  const { points, isExact, trainsUntil } = roundHistory(spec, after(spec, log), log)!
  expect(isExact).toBe(true)
  expect(trainsUntil).toBe(DAY + 60 * MINUTE)
  expect(points).toHaveLength(3)
})

it.each(['tide', 'fixed:1h', 'posting-history:training=0', 'min-delay'])('is undefined for %s', (spec) => {
  expect(roundHistory(spec, strategyNamed(spec).begin(), polls(true))).toBeUndefined()
})
