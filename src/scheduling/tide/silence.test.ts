import { describe, expect, it } from 'vitest'
import { DAY } from '../../model/index.ts'
import { asleepAfter, awakeIn } from './silence.ts'

describe('silence', () => {
  it.each([
    ['no goal', 0, 0, 0],
    ['no goal', 1, 0, 0.02],
    ['doubtful', 3, 0.05, 0.2],
    ['as likely as not', Math.log(1 / 0.005), 0.4, 0.5],
    ['nearly certain', 10, 0.85, 0.9],
    ['certain, though it may have ended just now', 1000, 0.9, 0.9],
    ['zero if the dates are reversed', -5, 0, 0],
  ])('is %s where %d acts were expected', (_, acts, least, most) => {
    expect(asleepAfter(acts)).toBeGreaterThanOrEqual(least)
    expect(asleepAfter(acts)).toBeLessThanOrEqual(most + 1e-9)
  })

  it('matters less for instants further away', () => {
    const awake = [0, 1, 2, 10].map((days) => awakeIn(days * DAY, 0.8))
    expect(awake[0]).toBeCloseTo(0.2)
    expect(awake[1]).toBeCloseTo(0.6)
    expect(awake[2]).toBeCloseTo(0.8)
    expect(awake[3]).toBeCloseTo(1, 2)
    expect(awakeIn(5 * DAY, 0)).toBe(1)
  })
})
