/**
 * One price for all feeds. A budget says how many polls a day there may be; the market counts them and moves the price of a
 * poll until that many are bought. Whole days and whole weeks are compared, so the rhythm within them is left alone.
 *
 * Polls go with the price to the power of -1/2 (at a constant rate a feed is best polled every sqrt(2 price / rate)), so
 * multiplying the price by (spent / budget)^2 would set it right at once. Smaller powers let noise pass. When the price
 * moves, the polls of past turns are reckoned anew, as many as they would have been: else a week of them would ask again and
 * again for what has been done, and the price would swing.
 *
 * Some polls are made at any price: of strategies that know none or still train, where a window would overflow, after failures,
 * when a person or a server says so. They are taken off the budget, and the price shares out what is left; where there are no others, it stands.
 *
 * Where the purse was empty (purse.ts), the polls that were made do not tell how many would have been: as many at least, so the price is
 * set right for these at once, in every turn until it is not empty any more.
 *
 * Where those that should follow the price cannot (feeds at their limits), it must not run away: what has become four times
 * as much, and has left polls as they were, only creeps until they answer.
 */
import { DAY, HOUR, type Instant, type Market, MINUTE, type Millis } from '../model/index.ts'

const TURN_MS: Millis = 6 * HOUR
const TURNS_A_DAY = 4
const TURNS_A_WEEK = 28
const FIRST_PRICE: Millis = 30 * MINUTE
const ELASTICITY = 0.5
/** A day that is off by more than this factor is answered at once, and what was before it forgotten; less is left to the week. */
const OFF = Math.exp(0.4)
const DAY_POWER = 0.25
/** The first day that is counted at a price that was reckoned tells by how much it was reckoned wrongly. */
const FIRST_POWER = 1.5
const WEEK_POWER = 0.3
/** Over so much polls should halve or double; if they change by less than this, nobody follows. */
const FAR = 4
const FOLLOWED = 1.4
const CREEP = 1.02
/** An empty purse hides whether they follow: for so long they are believed to. */
const FAR_WHEN_BROKE = 64
/** Who takes less of the budget than this did not empty it; and who emptied it would have taken so much at least. */
const EMPTIED = 0.95
const HIDDEN = 1.05
/** Beyond this nobody follows any more, and it would take long to come back. */
const MOST_WHEN_BROKE: Millis = 30 * DAY
/** However much the others take, so much of the budget is left to share out. */
const LEAST_LEFT = 0.05

export function openMarket(at: Instant, price: Millis = FIRST_PRICE): Market {
  return { price, turns: [], polls: 0, turnAt: at + TURN_MS }
}

/** What is aimed at: so many polls a day, at a price that never falls below the least. */
export interface Aim {
  pollsPerDay: number
  leastPrice: Millis
  /** Somebody found the purse empty in this turn. */
  isBroke?: boolean
}

/** Polls that followed the price, and others. */
export interface Spent {
  following: number
  others: number
}

/** Counts what was spent at `at`, and moves the price at the end of every turn. Turns in which nobody ran teach nothing. */
export function marketAfter(market: Market, { following, others }: Spent, at: Instant, aim: Aim): Market {
  let now = market
  if (at >= now.turnAt) now = turned(now, aim)
  // Nobody ran for long, or the clock was ahead when the turn began.
  if (at >= now.turnAt || at < now.turnAt - TURN_MS) now = { ...now, turnAt: at + TURN_MS }
  now = { ...now, polls: now.polls + following }
  if (others === 0) return now
  return { ...now, others: { turns: now.others?.turns ?? [], polls: (now.others?.polls ?? 0) + others } }
}

/** At a price that was reckoned and not found by counting: what was counted at another says nothing of it. */
export function repriced(
  { turnAt, others, purse }: Market,
  price: Millis,
  { feeds, learnt }: { feeds: number; learnt: number },
  { pollsPerDay, leastPrice }: Aim,
): Market {
  // Until feeds have been polled once at a price, they are polled by the one before it.
  const holds = Math.min(TURNS_A_WEEK, Math.floor((TURNS_A_DAY * feeds) / pollsPerDay))
  return {
    price: Math.max(leastPrice, price),
    turns: [],
    polls: 0,
    turnAt,
    reckoned: { feeds, learnt, holds },
    ...(others && { others }),
    ...(purse && { purse }),
  }
}

/** Polls a day that others leave to those who follow, by what the last turns took. */
export function pollsLeft({ others }: Pick<Market, 'others'>, pollsPerDay: number): number {
  const turns = others?.turns ?? []
  const taken = Math.min(perDay(turns), perDay(turns.slice(-1)))
  return Math.max(LEAST_LEFT * pollsPerDay, pollsPerDay - taken)
}

function turned(market: Market, { pollsPerDay, leastPrice, isBroke = false }: Aim): Market {
  const { price, turnAt } = market
  const others = [...(market.others?.turns ?? []), market.others?.polls ?? 0].slice(-TURNS_A_DAY)
  const begun = {
    polls: 0,
    turnAt: turnAt + TURN_MS,
    ...(sumOf(others) > 0 && { others: { turns: others, polls: 0 } }),
    ...(market.reckoned && { reckoned: { ...market.reckoned, holds: Math.max(0, market.reckoned.holds - 1) } }),
  }
  if (market.reckoned && market.reckoned.holds > 0) return { price, turns: [], ...begun }
  const all = [...market.turns, market.polls]
  // What was reckoned for whole days is not measured by less than one.
  if (market.reckoned && !market.followed && all.length < TURNS_A_DAY) return { price, turns: all, ...begun }
  const dayPolls = perDay(all.slice(-TURNS_A_DAY))
  if (dayPolls === 0 && sumOf(others) > 0) return { price, turns: [], ...begun } // nobody follows yet
  const left = pollsLeft({ others: { turns: others, polls: 0 } }, pollsPerDay)
  const day = Math.min(4, Math.max(0.25, dayPolls / left))
  const turns = all.slice(day > OFF || day < 1 / OFF ? -TURNS_A_DAY : -TURNS_A_WEEK)
  const isWeek = turns.length === TURNS_A_WEEK
  const isFirst = market.reckoned !== undefined && !market.followed
  const power = isFirst ? FIRST_POWER : DAY_POWER
  const isHidden = isBroke && day > EMPTIED
  const counted = isWeek ? Math.max(0.25, perDay(turns) / left) ** WEEK_POWER : day ** power
  const factor = isHidden ? Math.max(HIDDEN, day) ** (1 / ELASTICITY) : counted
  const followed = followedAfter(market, dayPolls)
  const isWithin = Math.abs(Math.log((price * factor) / followed.price)) <= Math.log(isHidden ? FAR_WHEN_BROKE : FAR)
  const step = isWithin ? factor : Math.min(CREEP, Math.max(1 / CREEP, factor))
  const highest = isHidden ? Math.max(price, MOST_WHEN_BROKE) : Number.POSITIVE_INFINITY
  const next = Math.max(leastPrice, Math.min(highest, price * step))
  const answer = (price / next) ** ELASTICITY
  return { price: next, turns: isHidden ? [] : turns.map((polls) => polls * answer), ...begun, followed }
}

function followedAfter({ price, followed }: Market, dayPolls: number): NonNullable<Market['followed']> {
  const fresh = { price, most: dayPolls, least: dayPolls }
  if (!followed) return fresh
  const { most, least } = followed
  const moved = price / followed.price
  if (Math.max(moved, 1 / moved) < FAR / 2)
    return { price: followed.price, most: Math.max(most, dayPolls), least: Math.min(least, dayPolls) }
  const isFollowed = moved > 1 ? dayPolls * FOLLOWED < most : dayPolls > least * FOLLOWED
  return isFollowed ? fresh : followed
}

function perDay(turns: readonly number[]): number {
  return (sumOf(turns) / Math.max(1, turns.length)) * TURNS_A_DAY
}

function sumOf(turns: readonly number[]): number {
  return turns.reduce((sum, polls) => sum + polls, 0)
}
