import { expect, it } from 'vitest'
import { HOUR, type Memory, MINUTE } from '../../model/index.ts'
import { LIMITS, strategyNamed } from '../index.ts'

const TERMS = { price: HOUR, limits: LIMITS, subscribers: 1 }

/** How many rounds it waits after each of these polls: true found something. */
function waits(spec: string, found: boolean[], roundMs = 8 * MINUTE): number[] {
  const strategy = strategyNamed(spec)
  let memory: Memory = strategy.begin()
  return found.map((fresh) => {
    memory = strategy.learn(memory, { at: 0, window: [], fresh: fresh ? 1 : 0 })
    return strategy.next(memory, 0, TERMS) / roundMs
  })
}

it.each([
  // M: 4 -> .2 * 4 + .8 = 1.6; in vain: 1.6 + .3 * 1 = 1.9, T = 2.6; 1.9 + .78 = 2.68, T = 4.5; 2.68 + 1.35 = 4.03
  ['after the first poll M is 1.6 (2010; the 2.4 of 2009 is a slip)', 'adva-rss', [true], [2]],
  ['in vain M grows by 0.3 T (eq. 2)', 'adva-rss', [true, false, false, false], [2, 2, 3, 5]],
  ['news lets M fall to 0.2 M + 0.8 (eq. 3)', 'adva-rss', [true, false, false, false, true], [2, 2, 3, 5, 2]],
  ['the pseudo-code of 2010 grows by 0.3 M, and never falls', 'adva-rss:step=median', [true, false, true], [4, 6, 6]],
  ['a round may be of another length', 'adva-rss:round=6m', [true], [1.5]],
  ['M may begin elsewhere', 'adva-rss:median=10,timer=4', [false, true], [3, 2]],
])('%s', (_, spec, found, expected) => {
  expect(waits(spec, found)).toEqual(expected)
})

it.each([
  ['adva-rss', 80],
  ['adva-rss:max=25', 25],
  ['adva-rss:max=25,upto=640', 640],
])('%s waits at most %d rounds', (spec, most) => {
  const all = waits(spec, Array(60).fill(false))
  expect(all.at(-1)).toBe(most)
  expect(all).toEqual([...all].sort((a, b) => a - b))
})

it('spreads second polls over some rounds, if told to', () => {
  const strategy = strategyNamed('adva-rss:spread=3')
  const rounds = [0, 1, 2, 3, 4].map((at) => {
    const memory = strategy.learn(strategy.begin(), { at, window: [], fresh: 0 })
    return (strategy.next(memory, at, TERMS) - at) / (8 * MINUTE)
  })
  expect(rounds).toEqual([2, 3, 4, 5, 2])
})
