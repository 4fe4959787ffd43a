/** Posting rates and silence of feeds, from the dates of their newest entries. */
import { describe, expect, test } from 'vitest'
import { DAY, HOUR } from '../model/index.ts'
import { HABIT_DATES, publishingHabit } from './publishing-habit.ts'

const NOW = Date.parse('2026-03-14T09:26:53Z')
/** The newest entry is `agoMs` old, the others follow at this interval. */
const dates = (count: number, agoMs: number, intervalMs: number) =>
  Array.from({ length: count }, (_, i) => NOW - agoMs - i * intervalMs)

describe('the publishing habit of a feed', () => {
  test('is unknown without entries, and with too few', () => {
    expect(publishingHabit([], NOW)).toEqual({ perWeek: 0, isSilent: false })
    expect(publishingHabit(dates(4, 400 * DAY, DAY), NOW)).toMatchObject({ isSilent: false, perWeek: 0 })
  })

  test('is a rate over four weeks, or over the newest entries of a busy feed', () => {
    expect(publishingHabit(dates(HABIT_DATES, 0, 7 * DAY), NOW).perWeek).toBe(1)
    expect(publishingHabit(dates(HABIT_DATES, HOUR, 6 * HOUR), NOW).perWeek).toBeCloseTo(28, -1)
  })

  test('is broken after three times its usual interval, but not within two weeks', () => {
    expect(publishingHabit(dates(20, 13 * DAY, HOUR), NOW).isSilent).toBe(false)
    expect(publishingHabit(dates(20, 15 * DAY, HOUR), NOW).isSilent).toBe(true)
    expect(publishingHabit(dates(20, 80 * DAY, 30 * DAY), NOW).isSilent).toBe(false)
    expect(publishingHabit(dates(20, 100 * DAY, 30 * DAY), NOW).isSilent).toBe(true)
  })

  test('ignores a single long pause', () => {
    const paused = [...dates(15, 30 * DAY, DAY), ...dates(14, 400 * DAY, DAY)]
    expect(publishingHabit(paused, NOW)).toMatchObject({ usualGapMs: DAY, isSilent: true })
  })
})
