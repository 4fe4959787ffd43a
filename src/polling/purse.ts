/**
 * The last resort of a budget. The price keeps polls near it as long as strategies follow; where they do not, because feeds
 * are at their limits, windows overflow or a strategy knows no price, polls are paid from a purse, and who finds it empty
 * waits. It is filled at a rate somewhat above the budget, to leave what the market does by itself alone, busy hours and
 * busy weekdays included; and it holds some hours' worth, so that no hour can spend a day's polls. Beside it runs an account over
 * weeks, filled at the budget's own rate, with a day's worth for busy weekdays: in the long run there are no more polls than that.
 */
import { DAY, type Instant, type Market } from '../model/index.ts'

type Purse = NonNullable<Market['purse']>

/** Ours: so many times the budget there may be in a day, and no more. */
const OVER = 1.2
/** Of a day's polls; and one, where a day has few. */
const HELD = 0.25
const LEAST_HELD = 1
/** Of a day's polls, in the account over weeks; it opens with half of that. */
const SAVED = 1

export function openPurse(at: Instant): Purse {
  return { polls: LEAST_HELD, at }
}

/** After so many polls. */
export function purseAfter(purse: Purse, polls: number, pollsPerDay: number, at: Instant): Purse {
  const days = Math.max(0, at - purse.at) / DAY
  const most = Math.max(LEAST_HELD, HELD * pollsPerDay)
  const mostSaved = Math.max(most, SAVED * pollsPerDay)
  const { saved = mostSaved / 2 } = purse
  return {
    polls: Math.min(most, purse.polls + days * OVER * pollsPerDay) - polls,
    saved: Math.min(mostSaved, saved + days * pollsPerDay) - polls,
    at: Math.max(at, purse.at),
  }
}

/** Whether there is a poll in it. */
export function canPay({ polls, saved = 1 }: Purse): boolean {
  return Math.min(polls, saved) >= 1
}

/** When there is a poll in it, and one more for each of those that wait already. */
export function affordableAt({ polls, saved = polls, at }: Purse, pollsPerDay: number, waiting: number): Instant {
  const days = Math.max((1 + waiting - polls) / OVER, 1 + waiting - saved, 0) / pollsPerDay
  return Math.ceil(at + days * DAY)
}
