import { describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../model/index.ts'
import { createTopRanked, earnedPolls, nextRoundAt } from './ranking.ts'

const NOW = Date.UTC(2026, 0, 5)

describe('createTopRanked', () => {
  it('returns the items of highest rank, best first, and among equal ranks the earliest offered', () => {
    const highest = createTopRanked<string>(3)
    for (const [item, rank] of [
      ['a', 1],
      ['b', 5],
      ['c', 3],
      ['d', 5],
      ['e', 0],
      ['f', 3],
    ] as const)
      highest.offer(item, rank)
    expect(highest.first(3)).toEqual(['b', 'd', 'c'])
    expect(highest.first(2)).toEqual(['b', 'd'])
    expect(highest.first(-1)).toEqual([])
  })

  it('returns nothing if its capacity is zero', () => {
    const highest = createTopRanked<string>(0)
    highest.offer('a', 1)
    expect(highest.first(1)).toEqual([])
  })
})

describe('earnedPolls', () => {
  it.each([0.4, 7, 50.4, 180, 1000.1])('adds up to the polls of a day, however few they are: %d', (perDay) => {
    let polls = 0
    for (let at = NOW; at < NOW + 10 * DAY; ) {
      const next = nextRoundAt(at, 8 * MINUTE)
      polls += earnedPolls(perDay, at, next)
      at = next
    }
    expect(Math.abs(polls - 10 * perDay)).toBeLessThanOrEqual(1)
  })

  it('earns nothing while the clock goes backwards', () => {
    expect(earnedPolls(100, NOW, NOW - DAY)).toBe(0)
  })
})
