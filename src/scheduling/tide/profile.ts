/**
 * When a feed publishes: W(hour of the week) * M(minute of the hour), both of mean 1.
 *
 * W begins as a mixture of the fixed shapes, each weighted by its odds given the feed's hours and weekdays; then the feed's
 * own hours and weekdays pull it away from there, and its minutes pull M away from uniform, as far as the evidence goes.
 *
 * *Tide time* is the integral of W * M: an hour in which no entries are expected is short, and silence in it proves little.
 */
import { DAY, HOUR, type Instant, type Millis } from '../../model/index.ts'
import { SPAN_LENGTHS, SPANS, upToMinute } from './hour-spans.ts'
import type { Knowledge } from './knowledge.ts'
import { SHAPES } from './shapes.ts'
import { shrinkToUsual } from './shrink.ts'

export interface Profile {
  /** Of mean 1: each hour of the week from Monday, hours of the day, days of the week. */
  readonly week: Float64Array
  /** Cumulative sums before each hour of the week, and before each span of an hour: from 0 to 168, and from 0 to 1. */
  readonly weekSum: Float64Array
  readonly minuteSum: Float64Array
}

const WEEK_HOURS = 168
const MONDAY: Instant = 96 * HOUR // 1970-01-05
/** Acts are less independent than the mixture assumes. */
const TEMPER = 0.8
const KAPPAS = { hours: [2, 8, 32, 128], weekdays: [7, 30, 120], minutes: [4, 16, 64] }

/** Reused for every profile: allocating new arrays would cost as much as filling them. */
const USUAL = { hours: new Float64Array(24), weekdays: new Float64Array(7) }
const OBSERVED = { hours: new Float64Array(24), weekdays: new Float64Array(7) }
const OWN = { hours: new Float64Array(24), weekdays: new Float64Array(7), minutes: new Float64Array(SPANS) }

export function computeProfile(
  knowledge: Pick<Knowledge, 'hours' | 'weekdays' | 'minutes' | 'sinceDay' | 'lastPollAt'>,
): Profile {
  const { hours, weekdays, minutes } = knowledge
  const { hours: hoursSeen, weekdays: weekdaysSeen } = observedTime(knowledge)
  const week = mixShapes(hours, weekdays, hoursSeen, weekdaysSeen)
  const usual = marginalMeans(week, USUAL)
  const ownHours = shrinkToUsual(hours, usual.hours, KAPPAS.hours, OWN.hours, hoursSeen)
  const ownWeekdays = shrinkToUsual(weekdays, usual.weekdays, KAPPAS.weekdays, OWN.weekdays, weekdaysSeen)
  for (let h = 0; h < 24; h++) ownHours[h]! /= usual.hours[h]!
  let sum = 0
  for (let d = 0, i = 0; d < 7; d++) {
    const day = ownWeekdays[d]! / usual.weekdays[d]!
    for (let h = 0; h < 24; h++, i++) {
      week[i]! *= day * ownHours[h]!
      sum += week[i]!
    }
  }
  const weekSum = new Float64Array(WEEK_HOURS + 1)
  for (let i = 0; i < WEEK_HOURS; i++) {
    week[i]! *= WEEK_HOURS / sum
    weekSum[i + 1] = weekSum[i]! + week[i]!
  }
  const minuteSum = new Float64Array(SPANS + 1)
  const ownMinutes = shrinkToUsual(minutes, SPAN_LENGTHS, KAPPAS.minutes, OWN.minutes)
  for (let i = 0; i < SPANS; i++) minuteSum[i + 1] = minuteSum[i]! + ownMinutes[i]!
  for (let i = 1; i <= SPANS; i++) minuteSum[i]! /= minuteSum[SPANS]!
  return { week, weekSum, minuteSum }
}

/** Mean density of the hours in which entries come, weighted by entries: 1 if all hours are alike. */
export function meanDensity({ week }: Profile): number {
  return week.reduce((sum, density) => sum + density ** 2, 0) / week.length
}

/** Tide time at `at`, in milliseconds since some Monday; only differences are meaningful. */
export function tideAt({ week, weekSum, minuteSum }: Profile, at: Instant): Millis {
  const hours = (at - MONDAY) / HOUR
  const weeks = Math.floor(hours / WEEK_HOURS)
  const inWeek = hours - weeks * WEEK_HOURS
  const hour = Math.min(WEEK_HOURS - 1, Math.floor(inWeek))
  const inHour = upToMinute(minuteSum, (inWeek - hour) * 60)
  return (weeks * WEEK_HOURS + weekSum[hour]! + week[hour]! * inHour) * HOUR
}

export const hourOf = (at: Instant) => Math.floor(at / HOUR) % 24
export const weekdayOf = (at: Instant) => Math.floor((at - MONDAY + 7 * 24 * HOUR) / (24 * HOUR)) % 7

/** How long each hour of the day and each day of the week was observed; of mean 1. Only for new feeds do they differ. */
function observedTime({ sinceDay, lastPollAt }: Pick<Knowledge, 'sinceDay' | 'lastPollAt'>): typeof OBSERVED {
  const { hours, weekdays } = OBSERVED
  const from = sinceDay[0]! * DAY
  const ms = lastPollAt - from
  if (!(ms > 0) || from <= 0 || ms > LONG_OBSERVED_MS) {
    hours.fill(1)
    weekdays.fill(1)
    return OBSERVED
  }
  const days = Math.floor(ms / DAY)
  hours.fill((days * DAY) / ms)
  weekdays.fill((Math.floor(days / 7) * 7 * DAY) / ms)
  for (let at = from + Math.floor(days / 7) * 7 * DAY; at < lastPollAt; ) {
    const end = Math.min(lastPollAt, (Math.floor(at / HOUR) + 1) * HOUR)
    weekdays[weekdayOf(at)]! += (7 * (end - at)) / ms
    if (at >= from + days * DAY) hours[hourOf(at)]! += (24 * (end - at)) / ms
    at = end
  }
  return OBSERVED
}

const LONG_OBSERVED_MS = 120 * DAY

/** The shapes, each weighted by its odds: the observed acts, given the hours and days that were observed. */
function mixShapes(
  hours: Float32Array,
  weekdays: Float32Array,
  hoursSeen: Float64Array,
  weekdaysSeen: Float64Array,
): Float64Array {
  const ofHours = sumOf(hours)
  const ofWeekdays = sumOf(weekdays)
  const logOdds = SHAPES.map(({ logWeight, hours: inHours, weekdays: onDays, logHours, logWeekdays }) => {
    let likelihood = 0
    let hoursMean = 0
    let daysMean = 0
    for (let h = 0; h < 24; h++) {
      likelihood += hours[h]! * logHours[h]!
      hoursMean += (hoursSeen[h]! * inHours[h]!) / 24
    }
    for (let d = 0; d < 7; d++) {
      likelihood += weekdays[d]! * logWeekdays[d]!
      daysMean += (weekdaysSeen[d]! * onDays[d]!) / 7
    }
    likelihood -= ofHours * Math.log(hoursMean) + ofWeekdays * Math.log(daysMean)
    return logWeight + TEMPER * likelihood
  })
  const best = Math.max(...logOdds)
  const odds = logOdds.map((log) => Math.exp(log - best))
  const sum = odds.reduce((a, b) => a + b)
  const week = new Float64Array(WEEK_HOURS)
  SHAPES.forEach((shape, k) => {
    const share = odds[k]! / sum
    if (share > 1e-3) for (let i = 0; i < WEEK_HOURS; i++) week[i]! += share * shape.week[i]!
  })
  return week
}

function sumOf(counts: Float32Array): number {
  let sum = 0
  for (let i = 0; i < counts.length; i++) sum += counts[i]!
  return sum
}

/** The mean of each hour of the day, and of each day of the week. */
export function marginalMeans(
  week: Float64Array,
  into = { hours: new Float64Array(24), weekdays: new Float64Array(7) },
): { hours: Float64Array; weekdays: Float64Array } {
  const { hours, weekdays } = into
  hours.fill(0)
  weekdays.fill(0)
  for (let d = 0, i = 0; d < 7; d++) {
    for (let h = 0; h < 24; h++, i++) {
      hours[h]! += week[i]! / 7
      weekdays[d]! += week[i]! / 24
    }
  }
  return into
}
