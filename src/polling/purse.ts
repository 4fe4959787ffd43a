/**
 * The last resort of a budget. The price keeps polls near it as long as strategies follow; where they do not, because feeds
 * are at their limits, windows overflow or a strategy knows no price, polls are paid from a purse, and who finds it empty
 * waits. It is filled at a rate somewhat above the budget, to leave what the market does by itself alone, busy hours and
 * busy weekdays included; and it holds some hours' worth, so that no hour can spend a day's polls.
 */
import { DAY, type Instant, type Market } from '../model/index.ts'

type Purse = NonNullable<Market['purse']>

/** Ours: so many times the budget there may be in a day, and no more. */
const OVER = 1.2
/** Of a day's polls; and one, where a day has few. */
const HELD = 0.25
const LEAST_HELD = 1

export function openPurse(at: Instant): Purse {
  return { polls: LEAST_HELD, at }
}

/** After so many polls. */
export function purseAfter(purse: Purse, polls: number, pollsPerDay: number, at: Instant): Purse {
  const filled = purse.polls + (Math.max(0, at - purse.at) / DAY) * OVER * pollsPerDay
  const most = Math.max(LEAST_HELD, HELD * pollsPerDay)
  return { polls: Math.min(most, filled) - polls, at: Math.max(at, purse.at) }
}

/** When there is a poll in it, and one more for each of those that wait already. */
export function affordableAt(purse: Purse, pollsPerDay: number, waiting: number): Instant {
  const missing = Math.max(0, 1 + waiting - purse.polls)
  return Math.ceil(purse.at + (missing * DAY) / (OVER * pollsPerDay))
}
