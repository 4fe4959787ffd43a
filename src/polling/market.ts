/**
 * One price for all feeds. A budget says how many polls a day there may be; the market counts them and moves the price of a
 * poll until that many are bought. Whole days and whole weeks are compared, so the rhythm within them is left alone.
 *
 * Polls go with the price to the power of -1/2 (at a constant rate a feed is best polled every sqrt(2 price / rate)), so
 * multiplying the price by (spent / budget)^2 would set it right at once. Smaller powers let noise pass.
 */
import { HOUR, type Instant, type Market, MINUTE, type Millis } from '../model/index.ts'

const TURN_MS: Millis = 6 * HOUR
const TURNS_A_DAY = 4
const TURNS_A_WEEK = 28
const FIRST_PRICE: Millis = 30 * MINUTE
/** A day that is off by more than this factor is answered at once; less is left to the week. */
const OFF = Math.exp(0.4)

export function openMarket(at: Instant, price: Millis = FIRST_PRICE): Market {
  return { price, turns: [], polls: 0, turnAt: at + TURN_MS }
}

/** What is aimed at: so many polls a day, at a price that never falls below the least. */
export interface Aim {
  pollsPerDay: number
  leastPrice: Millis
}

/** Counts `polls` at `at`, and moves the price at the end of every turn. Turns in which nobody ran teach nothing. */
export function marketAfter(market: Market, polls: number, at: Instant, aim: Aim): Market {
  let now = market
  if (at >= now.turnAt) now = turned(now, aim)
  if (at >= now.turnAt) now = { ...now, turnAt: at + TURN_MS }
  return { ...now, polls: now.polls + polls }
}

function turned({ price, turns: before, polls, turnAt }: Market, { pollsPerDay, leastPrice }: Aim): Market {
  const turns = [...before, polls].slice(-TURNS_A_WEEK)
  const spent = (last: number) => {
    const those = turns.slice(-last)
    return ((those.reduce((sum, one) => sum + one, 0) / those.length) * TURNS_A_DAY) / pollsPerDay
  }
  const day = Math.min(4, Math.max(0.25, spent(TURNS_A_DAY)))
  const isOff = turns.length < TURNS_A_WEEK || day > OFF || day < 1 / OFF
  const factor = isOff ? day ** 0.25 : Math.max(0.25, spent(TURNS_A_WEEK)) ** 0.08
  return { price: Math.max(leastPrice, price * factor), turns, polls: 0, turnAt: turnAt + TURN_MS }
}
