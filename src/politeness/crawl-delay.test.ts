import { expect, it } from 'vitest'
import { address } from '../model/address.fixture.ts'
import { DAY, type RobotsRecord, SECOND } from '../model/index.ts'
import { crawlDelayAfter } from './index.ts'

const now = 1000 * DAY
const site = (host: string, seconds: number, changes: Partial<RobotsRecord> = {}) => ({
  origin: address(`https://${host}`),
  record: {
    found: 'read' as const,
    robots: { rules: [], ...(seconds > 0 && { crawlDelayMs: seconds * SECOND }) },
    fetchedAt: now,
    until: now + DAY,
    ...changes,
  },
})
const five = { ms: 5 * SECOND, origin: 'https://a.example', until: now + 7 * DAY }

it('applies for a week', () => {
  expect(crawlDelayAfter(undefined, site('a.example', 5))).toEqual(five)
  expect(crawlDelayAfter(undefined, site('a.example', 0))).toBeUndefined()
})

it('is the longest of all hosts of the root', () => {
  expect(crawlDelayAfter(five, site('b.a.example', 2))).toBe(five)
  expect(crawlDelayAfter(five, site('b.a.example', 0))).toBe(five)
  expect(crawlDelayAfter(five, site('b.a.example', 9))).toMatchObject({ ms: 9 * SECOND, origin: 'https://b.a.example' })
  const later = { fetchedAt: now + 8 * DAY }
  expect(crawlDelayAfter(five, site('b.a.example', 2, later))).toMatchObject({ ms: 2 * SECOND })
})

it('ends when its own host drops it, but not while that is unreachable', () => {
  expect(crawlDelayAfter(five, site('a.example', 0))).toBeUndefined()
  expect(crawlDelayAfter(five, site('a.example', 0, { found: 'unreachable' }))).toBe(five)
})
