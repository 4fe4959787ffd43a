import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type EntryId, GROUP_LEVELS, MAX_VOTERS } from '../../model/index.ts'
import { settle, type Voter } from './settle.ts'

const voter = (id: number, low: number, at = id): Voter => ({ id: id as EntryId, at, high: 0, low })
const crowd = Array.from({ length: MAX_VOTERS + 8 }, (_, i) => voter(i + 1, 0))

describe('the primary of a group', () => {
  test.each([
    {
      name: 'of copies the nearest to all',
      level: 'copy' as const,
      lows: [0b0000, 0b0001, 0b0111],
      primaryId: 2,
      sum: 3,
    },
    { name: 'of equals the earliest', level: 'copy' as const, lows: [0b1111, 0b0000], primaryId: 1, sum: 4 },
    { name: 'of a story the earliest', level: 'story' as const, lows: [0b0000, 0b0001, 0b0111], primaryId: 1, sum: 4 },
  ])('$name', ({ level, lows, primaryId, sum }) => {
    const earliest = lows.map((low, i) => voter(i + 1, low))
    expect(settle({ level, size: earliest.length, earliest })).toEqual({ primaryId, distanceSum: sum })
  })

  test('is elected again in a small group, and kept in a large one while it is a member', () => {
    const primary = voter(99, 0b11)
    const few = crowd.slice(0, 5)
    for (const level of GROUP_LEVELS) {
      expect(settle({ level, size: 5, primary, earliest: few })).toEqual({ primaryId: 1, distanceSum: 0 })
      const large = { level, size: 20_000, earliest: crowd }
      expect(settle({ ...large, primary })).toEqual({ primaryId: 99, distanceSum: 2 * MAX_VOTERS })
      expect(settle(large)).toEqual({ primaryId: 1, distanceSum: 0 })
    }
  })
})

test('a group of one or no entry is dissolved', () => {
  for (const level of GROUP_LEVELS)
    for (const size of [0, 1]) expect(settle({ level, size, earliest: crowd.slice(0, size) })).toBeUndefined()
})

test('members that joined after the voters change nothing', () => {
  const lows = fc.array(fc.nat(255), { minLength: MAX_VOTERS + 1, maxLength: 60 })
  fc.assert(
    fc.property(lows, fc.constantFrom(...GROUP_LEVELS), (some, level) => {
      const earliest = some.map((low, i) => voter(i + 1, low))
      const size = earliest.length
      const now = settle({ level, size, earliest })
      expect(now).toEqual(settle({ level, size, earliest: earliest.slice(0, MAX_VOTERS) }))
      expect(now!.primaryId).toBeLessThanOrEqual(MAX_VOTERS)
    }),
  )
})
