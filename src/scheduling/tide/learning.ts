/**
 * Updates the knowledge with an observation. First everything decays by the time since the previous poll; that time counts
 * as exposure, so that silence teaches, too; then each new entry is added, decayed by its age.
 */
import { DAY, type Instant, MINUTE, type Millis } from '../../model/index.ts'
import type { Observation } from '../strategy.ts'
import { PACE_HALF_LIFE } from './burst.ts'
import { spanOf } from './hour-spans.ts'
import { ACTS, CAPACITY, ENTRIES, type Knowledge, PACE, PROFILE_LEVELS, SHOWN } from './knowledge.ts'
import { computeProfile, hourOf, type Profile, tideAt, weekdayOf } from './profile.ts'
import { HALF_LIVES, longRunActs } from './rate.ts'

const PROFILE_HALF_LIFE: Millis = 120 * DAY
/** Entries closer than 15 minutes, or than 4 % of the mean gap, are one act. */
const MAX_ACT_GAP: Millis = 15 * MINUTE
const ACT_GAP_SHARE = 0.04
/** What further entries of an act add to the minutes: batches follow the clock more than single entries do. */
const FOLLOWER_WEIGHT = 0.15
/** Limit for feeds that show thousands of entries. */
const MAX_ENTRIES = 1000
/** A feed that shows fewer may just have begun to fill its window. */
const USUAL_CAPACITY = 10

/** Changes `knowledge`, and returns its new profile. */
export function learn(knowledge: Knowledge, observation: Observation): Profile {
  const isFirst = knowledge.lastPollAt === 0
  const fresh = newEntriesIn(observation, isFirst)
  if (isFirst) beginObserving(knowledge, fresh, observation.at)
  const from = knowledge.lastPollAt
  const lostEntries = isFirst ? 0 : estimateLost(fresh, observation, from)
  if (observation.window.length > 0) updateCapacity(knowledge, observation, isFirst)

  knowledge.lastPollAt = Math.max(from, observation.at)
  decay(knowledge, knowledge.lastPollAt - from)
  const gapMs = Math.min(MAX_ACT_GAP, ACT_GAP_SHARE / longRunActs(knowledge, fresh.length, knowledge.lastPollAt - from))
  for (const at of fresh) addEntry(knowledge, at, gapMs)
  knowledge.sums[ENTRIES]! += lostEntries
  knowledge.sums[PACE]! += lostEntries
  const profile = computeProfile(knowledge)
  addExposure(knowledge, from, profile)
  return profile
}

/** The new entries, oldest first. At the first poll, the oldest entry only marks the beginning of the observed time. */
function newEntriesIn({ at, window, fresh }: Observation, isFirst: boolean): Instant[] {
  const dates: Instant[] = []
  for (const publishedAt of window.slice(-MAX_ENTRIES)) if (publishedAt > 0) dates.push(Math.min(publishedAt, at))
  dates.sort((a, b) => a - b)
  const count = isFirst ? dates.length : Math.min(dates.length, Math.max(0, fresh))
  return dates.slice(dates.length - count)
}

/** The observed time begins with the oldest entry of the first poll. */
function beginObserving(knowledge: Knowledge, fresh: Instant[], at: Instant): void {
  const oldest = fresh.shift()
  knowledge.lastPollAt = oldest ?? at - DAY
  knowledge.newestAt = oldest ?? 0
  const hasSiblings = knowledge.hours.some((count) => count > 0) // their hours count as observed for a week
  knowledge.sinceDay[0] = Math.max(0, Math.min(knowledge.lastPollAt, hasSiblings ? at - 7 * DAY : at) / DAY)
}

/**
 * Estimates lost entries. If no known entry is left in the window, some were lost: as many as the pace of the shown ones
 * suggests.
 */
function estimateLost(fresh: Instant[], { at, window }: Observation, lastPollAt: Instant): number {
  const oldest = fresh[0]
  if (oldest === undefined || fresh.length < window.length || oldest <= lastPollAt || at <= oldest) return 0
  return Math.min(fresh.length, ((oldest - lastPollAt) / (at - oldest)) * fresh.length)
}

function updateCapacity({ sums }: Knowledge, { window, fresh }: Observation, isFirst: boolean): void {
  const isFull = !isFirst && window.length < sums[SHOWN]! + fresh
  sums[CAPACITY] = isFull ? window.length : Math.max(USUAL_CAPACITY, window.length)
  sums[SHOWN] = window.length
}

function decay({ hours, weekdays, minutes, acts, exposure, sums }: Knowledge, passedMs: Millis): void {
  for (let level = 0; level < PROFILE_LEVELS; level++) {
    const retained = 2 ** (-passedMs / HALF_LIVES[level]!)
    acts[level]! *= retained
    exposure[level]! *= retained
  }
  const retainedProfile = 2 ** (-passedMs / PROFILE_HALF_LIFE)
  for (const counts of [hours, weekdays, minutes]) for (let i = 0; i < counts.length; i++) counts[i]! *= retainedProfile
  sums[ENTRIES]! *= retainedProfile
  sums[ACTS]! *= retainedProfile
  sums[PACE]! *= 2 ** (-passedMs / PACE_HALF_LIFE)
}

/** Adds the time since `from` as tide time, by the current profile, with decay. */
function addExposure({ lastPollAt, exposure }: Knowledge, from: Instant, profile: Profile): void {
  const passedMs = lastPollAt - from
  if (passedMs <= 0) return
  const density = (tideAt(profile, lastPollAt) - tideAt(profile, from)) / passedMs
  for (let level = 0; level < PROFILE_LEVELS; level++) {
    const halfLife = HALF_LIVES[level]!
    exposure[level]! += (density * (1 - 2 ** (-passedMs / halfLife)) * halfLife) / Math.LN2
  }
}

function addEntry(knowledge: Knowledge, at: Instant, gapMs: Millis): void {
  const { lastPollAt, newestAt, hours, weekdays, minutes, acts, sums } = knowledge
  const isAct = at - newestAt >= gapMs
  knowledge.newestAt = Math.max(newestAt, at)
  const ageMs = lastPollAt - at
  const weight = 2 ** (-ageMs / PROFILE_HALF_LIFE)
  sums[ENTRIES]! += weight
  sums[PACE]! += 2 ** (-ageMs / PACE_HALF_LIFE)
  minutes[spanOf(at)]! += isAct ? weight : FOLLOWER_WEIGHT * weight
  if (!isAct) return
  sums[ACTS]! += weight
  hours[hourOf(at)]! += weight
  weekdays[weekdayOf(at)]! += weight
  for (let level = 0; level < PROFILE_LEVELS; level++) acts[level]! += 2 ** (-ageMs / HALF_LIVES[level]!)
}
