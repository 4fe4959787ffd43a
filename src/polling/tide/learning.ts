/**
 * Updates the knowledge with an observation. First everything decays by the time since the previous poll; that time counts
 * as exposure, so that silence teaches, too; then each new entry is added, decayed by its age.
 */
import { DAY, type Instant, MINUTE, type Millis } from '../../model/index.ts'
import type { Look } from '../strategy.ts'
import { PACE_HALF_LIFE } from './burst.ts'
import { ACTS, CAPACITY, ENTRIES, type Knowledge, PACE, PROFILE_LEVELS, SHOWN } from './knowledge.ts'
import { hourOf, type Profile, profileOf, tideAt, weekdayOf } from './profile.ts'
import { HALF_LIVES, slowActs } from './rate.ts'
import { spanOf } from './spans.ts'

const PROFILE_HALF_LIFE: Millis = 120 * DAY
/** Entries closer than 15 minutes, or than 4 % of the mean gap, are one act. */
const ACT_MOST: Millis = 15 * MINUTE
const ACT_SHARE = 0.04
/** What further entries of an act add to the minutes: batches follow the clock more than single entries do. */
const COMPANION = 0.15
/** Limit for feeds that show thousands of entries. */
const MOST_ENTRIES = 1000
/** A feed that shows fewer may just have begun to fill its window. */
const USUAL_CAPACITY = 10

/** Changes `knowledge`, and returns its new profile. */
export function learn(knowledge: Knowledge, look: Look): Profile {
  const isFirst = knowledge.lookedAt === 0
  const fresh = freshIn(look, isFirst)
  if (isFirst) beginWith(knowledge, fresh, look.at)
  const from = knowledge.lookedAt
  const lost = isFirst ? 0 : lostBefore(fresh, look, from)
  if (look.window.length > 0) noticeCapacity(knowledge, look, isFirst)

  knowledge.lookedAt = Math.max(from, look.at)
  fade(knowledge, knowledge.lookedAt - from)
  const gapMs = Math.min(ACT_MOST, ACT_SHARE / slowActs(knowledge, fresh.length, knowledge.lookedAt - from))
  for (const at of fresh) add(knowledge, at, gapMs)
  knowledge.sums[ENTRIES]! += lost
  knowledge.sums[PACE]! += lost
  const profile = profileOf(knowledge)
  expose(knowledge, from, profile)
  return profile
}

/** The new entries, oldest first. At the first poll, the oldest entry only marks the beginning of the observed time. */
function freshIn({ at, window, fresh }: Look, isFirst: boolean): Instant[] {
  const shown: Instant[] = []
  for (const publishedAt of window.slice(-MOST_ENTRIES)) if (publishedAt > 0) shown.push(Math.min(publishedAt, at))
  shown.sort((a, b) => a - b)
  const count = isFirst ? shown.length : Math.min(shown.length, Math.max(0, fresh))
  return shown.slice(shown.length - count)
}

/** The observed time begins with the oldest entry of the first poll. */
function beginWith(knowledge: Knowledge, fresh: Instant[], at: Instant): void {
  const oldest = fresh.shift()
  knowledge.lookedAt = oldest ?? at - DAY
  knowledge.newestAt = oldest ?? 0
  const hasSiblings = knowledge.hours.some((count) => count > 0) // // their hours count as observed for a week
  knowledge.sinceDay[0] = Math.max(0, Math.min(knowledge.lookedAt, hasSiblings ? at - 7 * DAY : at) / DAY)
}

/**
 * Estimates lost entries. If no known entry is left in the window, some were lost: as many as the pace of the shown ones
 * suggests.
 */
function lostBefore(fresh: Instant[], { at, window }: Look, lookedAt: Instant): number {
  const oldest = fresh[0]
  if (oldest === undefined || fresh.length < window.length || oldest <= lookedAt || at <= oldest) return 0
  return Math.min(fresh.length, ((oldest - lookedAt) / (at - oldest)) * fresh.length)
}

function noticeCapacity({ sums }: Knowledge, { window, fresh }: Look, isFirst: boolean): void {
  const isFull = !isFirst && window.length < sums[SHOWN]! + fresh
  sums[CAPACITY] = isFull ? window.length : Math.max(USUAL_CAPACITY, window.length)
  sums[SHOWN] = window.length
}

function fade({ hours, weekdays, minutes, acts, exposure, sums }: Knowledge, passedMs: Millis): void {
  for (let level = 0; level < PROFILE_LEVELS; level++) {
    const left = 2 ** (-passedMs / HALF_LIVES[level]!)
    acts[level]! *= left
    exposure[level]! *= left
  }
  const left = 2 ** (-passedMs / PROFILE_HALF_LIFE)
  for (const counts of [hours, weekdays, minutes]) for (let i = 0; i < counts.length; i++) counts[i]! *= left
  sums[ENTRIES]! *= left
  sums[ACTS]! *= left
  sums[PACE]! *= 2 ** (-passedMs / PACE_HALF_LIFE)
}

/** Adds the time since `from` as tide time, by the current profile, with decay. */
function expose({ lookedAt, exposure }: Knowledge, from: Instant, profile: Profile): void {
  const passedMs = lookedAt - from
  if (passedMs <= 0) return
  const density = (tideAt(profile, lookedAt) - tideAt(profile, from)) / passedMs
  for (let level = 0; level < PROFILE_LEVELS; level++) {
    const halfLife = HALF_LIVES[level]!
    exposure[level]! += (density * (1 - 2 ** (-passedMs / halfLife)) * halfLife) / Math.LN2
  }
}

function add(knowledge: Knowledge, at: Instant, gapMs: Millis): void {
  const { lookedAt, newestAt, hours, weekdays, minutes, acts, sums } = knowledge
  const isAct = at - newestAt >= gapMs
  knowledge.newestAt = Math.max(newestAt, at)
  const ageMs = lookedAt - at
  const weight = 2 ** (-ageMs / PROFILE_HALF_LIFE)
  sums[ENTRIES]! += weight
  sums[PACE]! += 2 ** (-ageMs / PACE_HALF_LIFE)
  minutes[spanOf(at)]! += isAct ? weight : COMPANION * weight
  if (!isAct) return
  sums[ACTS]! += weight
  hours[hourOf(at)]! += weight
  weekdays[weekdayOf(at)]! += weight
  for (let level = 0; level < PROFILE_LEVELS; level++) acts[level]! += 2 ** (-ageMs / HALF_LIVES[level]!)
}
