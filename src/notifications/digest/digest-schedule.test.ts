/** When digests are due, over clock changes and in all kinds of time zones. */
import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../model/index.ts'
import { lastPeriod, nextDueAt } from './digest-schedule.ts'

const at = (text: string) => Date.parse(text)
const shown = (instant: number) => new Date(instant).toISOString().replace(':00.000Z', 'Z')

describe('a daily digest', () => {
  test.each([
    // zone, hour, now, key, due
    ['UTC', 7, '2026-03-14T09:00Z', '2026-03-14', '2026-03-14T07:00Z'],
    ['UTC', 7, '2026-03-14T06:59Z', '2026-03-13', '2026-03-13T07:00Z'],
    ['UTC', 0, '2026-03-14T00:00Z', '2026-03-14', '2026-03-14T00:00Z'],
    ['Europe/Berlin', 7, '2026-03-14T09:00Z', '2026-03-14', '2026-03-14T06:00Z'],
    ['Europe/Berlin', 7, '2026-07-14T09:00Z', '2026-07-14', '2026-07-14T05:00Z'],
    // Clocks go forward at 02:00, so 02:30 does not exist.
    ['Europe/Berlin', 2, '2026-03-29T12:00Z', '2026-03-29', '2026-03-29T01:00Z'],
    ['Europe/Berlin', 3, '2026-03-29T12:00Z', '2026-03-29', '2026-03-29T01:00Z'],
    // Clocks go back at 03:00: the first 02:00 counts.
    ['Europe/Berlin', 2, '2026-10-25T12:00Z', '2026-10-25', '2026-10-25T00:00Z'],
    ['Europe/Berlin', 3, '2026-10-25T12:00Z', '2026-10-25', '2026-10-25T02:00Z'],
    ['America/New_York', 23, '2026-03-14T05:00Z', '2026-03-13', '2026-03-14T03:00Z'],
    ['Asia/Kathmandu', 6, '2026-03-14T01:00Z', '2026-03-14', '2026-03-14T00:15Z'],
    ['Pacific/Kiritimati', 6, '2026-03-13T17:00Z', '2026-03-14', '2026-03-13T16:00Z'],
    ['Pacific/Niue', 6, '2026-03-14T18:00Z', '2026-03-14', '2026-03-14T17:00Z'],
    // Clocks change by half an hour.
    ['Australia/Lord_Howe', 2, '2026-10-04T12:00Z', '2026-10-04', '2026-10-03T15:30Z'],
    // Midnight does not exist on this day.
    ['America/Santiago', 0, '2026-09-06T12:00Z', '2026-09-06', '2026-09-06T04:00Z'],
  ])('in %s at %i, at %s', (timeZone, hour, now, key, due) => {
    const period = lastPeriod({ every: 'day', weekday: 0, hour, timeZone }, at(now))
    expect([period.key, shown(period.dueAt)]).toEqual([key, due])
  })

  test('has one period for each day of a year, without gaps, whatever the clocks do', () => {
    for (const timeZone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago'])
      for (const hour of [0, 2, 3, 7]) {
        const schedule = { every: 'day', weekday: 0, hour, timeZone } as const
        const keys: string[] = []
        let last: number | undefined
        for (let now = at('2026-01-01T20:00Z'); now < at('2026-12-31T20:00Z'); now += 12 * HOUR) {
          const { key, from, dueAt } = lastPeriod(schedule, now)
          if (keys.at(-1) === key) continue
          if (last !== undefined) expect(from, `${timeZone} ${hour} ${key}`).toBe(last)
          keys.push(key)
          last = dueAt
        }
        expect(keys.length).toBeGreaterThanOrEqual(364)
        expect(new Set(keys).size).toBe(keys.length)
      }
  })
})

describe('a weekly digest', () => {
  test.each([
    [1, '2026-03-14T09:00Z', '2026-03-09', '2026-03-09T06:00Z'],
    [6, '2026-03-14T09:00Z', '2026-03-14', '2026-03-14T06:00Z'],
    [6, '2026-03-14T05:59Z', '2026-03-07', '2026-03-07T06:00Z'],
    [0, '2026-03-29T09:00Z', '2026-03-29', '2026-03-29T05:00Z'],
  ])('on day %i, at %s', (weekday, now, key, due) => {
    const schedule = { every: 'week', weekday, hour: 7, timeZone: 'Europe/Berlin' } as const
    const period = lastPeriod(schedule, at(now))
    expect([period.key, shown(period.dueAt)]).toEqual([key, due])
    expect((period.dueAt - period.from) / DAY).toBeCloseTo(7, 0)
    const next = nextDueAt(schedule, at(now))
    expect(next).toBeGreaterThan(at(now))
    expect(lastPeriod(schedule, next).dueAt).toBe(next)
    expect(lastPeriod(schedule, next - MINUTE).dueAt).toBe(period.dueAt)
  })
})
