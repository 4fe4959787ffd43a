import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, type PublisherHints } from '../model/index.ts'
import { MAX_HINT_MS, notBeforeByHints } from './index.ts'

const at = (text: string) => Date.parse(`2026-11-${text}Z`) // the 15th is a Sunday

describe('rule 36: publisher hints', () => {
  const last = at('16T10:00:00')
  it.each<[string, PublisherHints, string, string]>([
    ['no hints change nothing', {}, '16T10:30:00', '16T10:30:00'],
    ['ttl lengthens', { ttlMs: HOUR }, '16T10:30:00', '16T11:00:00'],
    ['ttl does not shorten', { ttlMs: MINUTE }, '16T10:30:00', '16T10:30:00'],
    ['an update period lengthens', { updatePeriodMs: 2 * HOUR }, '16T10:30:00', '16T12:00:00'],
    ['the longer of both applies', { ttlMs: 3 * HOUR, updatePeriodMs: 2 * HOUR }, '16T10:30:00', '16T13:00:00'],
    ['at most a day applies', { ttlMs: 365 * DAY }, '16T10:30:00', '17T10:00:00'],
    ['ignores a negative ttl', { ttlMs: -HOUR }, '16T10:30:00', '16T10:30:00'],
    ['waits for the end of a skipped hour', { skipHours: [10] }, '16T10:30:00', '16T11:00:00'],
    ['waits for several skipped hours, over midnight', { skipHours: [22, 23, 0, 1] }, '16T22:05:00', '17T02:00:00'],
    ['ignores another skipped hour', { skipHours: [9, 11] }, '16T10:30:00', '16T10:30:00'],
    ['hour 24 is midnight', { skipHours: [24] }, '17T00:10:00', '17T01:00:00'],
    ['ignores invalid hours', { skipHours: [-1, 10.5, 99] }, '16T10:30:00', '16T10:30:00'],
    ['waits for the end of a skipped day', { skipDays: [1] }, '16T10:30:00', '17T00:00:00'],
    ['waits for the end of a skipped weekend', { skipDays: [0, 6] }, '21T10:30:00', '23T00:00:00'],
    ['waits for skipped days and hours together', { skipDays: [1], skipHours: [0, 1] }, '16T10:30:00', '17T02:00:00'],
    ['the hour after a ttl may be skipped, too', { ttlMs: HOUR, skipHours: [11] }, '16T10:30:00', '16T12:00:00'],
    ['ignores a list of all hours', { skipHours: [...Array(24).keys()] }, '16T10:30:00', '16T10:30:00'],
    ['ignores a list of all days', { skipDays: [...Array(7).keys()], ttlMs: HOUR }, '16T10:30:00', '16T11:00:00'],
  ])('%s', (_, hints, proposedAt, expected) => {
    expect(notBeforeByHints(hints, last, at(proposedAt))).toBe(at(expected))
  })

  it('never poll earlier or in a skipped hour, delay by at most a week, and are stable', () => {
    const hints = fc.record(
      {
        ttlMs: fc.integer({ min: 0, max: 9 * DAY }),
        skipHours: fc.subarray([...Array(24).keys()]),
        skipDays: fc.subarray([...Array(7).keys()]),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(
        hints,
        fc.integer({ min: 0, max: 60 * DAY }),
        fc.integer({ min: 0, max: 9 * DAY }),
        (hint, from, ms) => {
          const date = notBeforeByHints(hint, from, from + ms)
          const earliest = Math.max(from + ms, from + Math.min(MAX_HINT_MS, hint.ttlMs ?? 0))
          expect(date).toBeGreaterThanOrEqual(earliest)
          expect(date - earliest).toBeLessThan(7 * DAY)
          expect(notBeforeByHints(hint, from, date)).toBe(date)
          const { skipHours = [], skipDays = [] } = hint
          if (skipHours.length < 24) expect(skipHours).not.toContain(new Date(date).getUTCHours())
          if (skipDays.length < 7) expect(skipDays).not.toContain(new Date(date).getUTCDay())
        },
      ),
    )
  })
  it('leave a feed that is never due never due', () => {
    expect(notBeforeByHints({ skipHours: [1] }, last, Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY)
  })
})
