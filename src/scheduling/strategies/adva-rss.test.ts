import { describe, expect, it } from 'vitest'
import { HOUR, type Memory, MINUTE } from '../../model/index.ts'
import { LIMITS, strategyNamed } from '../index.ts'

const TERMS = { price: HOUR, limits: LIMITS, subscribers: 1 }

/** How many rounds of fixed length it waits after each of these polls; `true` found new entries. */
function waits(spec: string, found: boolean[], roundMs = 8 * MINUTE): number[] {
  const strategy = strategyNamed(`${spec}${spec.includes(':') ? ',' : ':'}vary=0,spread=0`)
  let memory: Memory = strategy.begin()
  return found.map((fresh) => {
    memory = strategy.learn(memory, { at: 0, window: [], fresh: fresh ? 1 : 0 })
    return strategy.next(memory, 0, TERMS) / roundMs
  })
}

it.each([
  // M: 4 -> .2 * 4 + .8 = 1.6; in vain: 1.6 + .3 * 1 = 1.9, T = 2.6; 1.9 + .78 = 2.68, T = 4.5; 2.68 + 1.35 = 4.03
  ['after the first poll M is 1.6 (2010; the 2.4 of 2009 is a slip)', 'adva-rss', [true], [2]],
  ['M grows by 0.3 T after a poll without news (eq. 2)', 'adva-rss', [true, false, false, false], [2, 2, 3, 5]],
  ['M falls to 0.2 M + 0.8 after news (eq. 3)', 'adva-rss', [true, false, false, false, true], [2, 2, 3, 5, 2]],
  ['the pseudo-code of 2010 grows by 0.3 M, and never falls', 'adva-rss:step=median', [true, false, true], [4, 6, 6]],
  ['the length of a round is a setting', 'adva-rss:round=6m', [true], [1.5]],
  ['the initial M is a setting', 'adva-rss:median=10,timer=4', [false, true], [3, 2]],
])('%s', (_, spec, found, expected) => {
  expect(waits(spec, found)).toEqual(expected)
})

it.each([
  ['adva-rss', 80],
  ['adva-rss:max=25', 25],
  ['adva-rss:max=25,upto=640', 640],
])('%s waits at most %d rounds', (spec, most) => {
  const everyWait = waits(spec, Array(60).fill(false))
  expect(everyWait.at(-1)).toBe(most)
  expect(everyWait).toEqual([...everyWait].sort((a, b) => a - b))
})

describe('random rounds', () => {
  const strategy = strategyNamed('adva-rss')
  const dates = Array.from({ length: 2000 }, (_, i) => Date.UTC(2026, 0, 1) + i * MINUTE)

  it('last six to ten minutes, uniformly distributed', () => {
    const single = strategyNamed('adva-rss:max=1,median=1,spread=0')
    const lengths = dates.map((at) => {
      const memory = single.learn(single.begin(), { at, window: [], fresh: 1 })
      return (single.next(memory, at, TERMS) - at) / MINUTE
    })
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(6)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(10)
    for (const from of [6, 7, 8, 9]) {
      const share = lengths.filter((length) => length >= from && length < from + 1).length / lengths.length
      expect(share).toBeGreaterThan(0.2)
    }
  })

  it('delay the second poll by up to three rounds', () => {
    const late = dates.map((at) => {
      const unvaried = strategyNamed('adva-rss:vary=0')
      return (
        (unvaried.next(unvaried.learn(unvaried.begin(), { at, window: [], fresh: 0 }), at, TERMS) - at) / (8 * MINUTE) -
        2
      )
    })
    for (const rounds of [0, 1, 2, 3]) expect(late.filter((n) => n === rounds).length).toBeGreaterThan(400)
    expect(Math.max(...late)).toBe(3)
  })

  it('are the same whenever they are computed', () => {
    const memory = strategy.learn(strategy.begin(), { at: dates[7]!, window: [], fresh: 0 })
    expect(strategy.learn(strategy.begin(), { at: dates[7]!, window: [], fresh: 0 })).toEqual(memory)
    expect(strategy.next(memory, dates[7]!, TERMS)).toBe(strategy.next(memory, dates[7]!, TERMS))
  })
})

it('explains M, T and ToE', () => {
  const strategy = strategyNamed('adva-rss:spread=0')
  let memory = strategy.learn(strategy.begin(), { at: 0, window: [], fresh: 1 })
  for (const at of [1, 2]) memory = strategy.learn(memory, { at, window: [], fresh: 0 })
  const { text, figures } = strategy.reason!(memory, 2, TERMS)
  expect(text).toBe('M is 2.68 and T 4.5, so ToE is 3 rounds of 6m to 10m')
  expect(figures).toEqual({ M: expect.closeTo(2.68, 9), T: expect.closeTo(4.5, 9), ToE: 3 })
})
