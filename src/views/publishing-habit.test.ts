/** Posting rates and silence of feeds, from the dates of their newest entries. */
import { describe, expect, test } from 'vitest'
import { DAY, HOUR } from '../model/index.ts'
import { HABIT_DATES, publishingHabit } from './publishing-habit.ts'

const NOW = Date.parse('2026-03-14T09:26:53Z')
/** The newest entry is `agoMs` old, the others follow at this interval. */
const dates = (count: number, agoMs: number, intervalMs: number) =>
  Array.from({ length: count }, (_, i) => NOW - agoMs - i * intervalMs)

const habit = (given: number[], recent = 0, addedAgoMs = 400 * DAY) =>
  publishingHabit({ dates: given, recent }, NOW - addedAgoMs, NOW)

describe('the publishing habit of a feed', () => {
  test('is unknown without entries, and with too few', () => {
    expect(habit([])).toEqual({ perWeek: 0, isSilent: false })
    expect(habit(dates(4, 400 * DAY, DAY))).toMatchObject({ isSilent: false, perWeek: 0 })
  })

  test('is a rate over four weeks, or over the time for which its entries are known', () => {
    expect(habit(dates(HABIT_DATES, 0, HOUR), 2000).perWeek).toBe(500)
    expect(habit(dates(3, 0, 5 * DAY), 3, HOUR).perWeek).toBeCloseTo(2.1)
    expect(habit(dates(3, 0, HOUR), 3, HOUR).perWeek).toBe(21)
  })

  test('is broken after three times its usual interval, but not within two weeks', () => {
    expect(habit(dates(20, 13 * DAY, HOUR)).isSilent).toBe(false)
    expect(habit(dates(20, 15 * DAY, HOUR)).isSilent).toBe(true)
    expect(habit(dates(20, 80 * DAY, 30 * DAY)).isSilent).toBe(false)
    expect(habit(dates(20, 100 * DAY, 30 * DAY)).isSilent).toBe(true)
  })

  test('ignores a single long pause', () => {
    const paused = [...dates(15, 30 * DAY, DAY), ...dates(14, 400 * DAY, DAY)]
    expect(habit(paused)).toMatchObject({ usualGapMs: DAY, isSilent: true })
  })
})
