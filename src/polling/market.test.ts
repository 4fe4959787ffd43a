/** The price beside a purse: what is not made for want of polls is not seen, and the price finds its way all the same. */
import { expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../model/index.ts'
import { canPay, marketAfter, openMarket, openPurse, purseAfter } from './index.ts'

const PER_DAY = 60
const STEP_MS = 5 * MINUTE

/** Of feeds that would be polled so often at a price of one hour, and `others` that are at any price. */
function polledBy(day: number, wishes: { following: number; others?: number }, price = HOUR) {
  let market = openMarket(0, price)
  let purse = openPurse(0)
  const days: number[] = []
  const owed = { following: 0, others: 0 }
  let isBroke = false
  for (let at = 0; at < day * DAY; at += STEP_MS) {
    const share = STEP_MS / DAY
    owed.following += wishes.following * share * Math.sqrt(HOUR / market.price)
    owed.others += (wishes.others ?? 0) * share
    const spent = { following: 0, others: 0 }
    purse = purseAfter(purse, 0, PER_DAY, at)
    for (const kind of ['others', 'following'] as const)
      while (owed[kind] >= 1) {
        if (!canPay(purse)) {
          isBroke = true
          owed[kind] = 1 // it waits; nobody wants the same poll twice
          break
        }
        purse = purseAfter(purse, 1, PER_DAY, at)
        owed[kind]--
        spent[kind]++
      }
    const { turnAt } = market
    market = marketAfter(market, spent, at, { pollsPerDay: PER_DAY, leastPrice: 0, isBroke })
    if (market.turnAt !== turnAt) isBroke = false
    const today = Math.floor(at / DAY)
    days[today] = (days[today] ?? 0) + spent.following + spent.others
  }
  return { market, days }
}

it.each([
  ['ten times as many polls as there may be', { following: 600 }],
  ['twice as many', { following: 120 }],
  ['as many again at any price', { following: 300, others: 40 }],
])('finds the price though the purse hides %s', (_name, wishes) => {
  const { market, days } = polledBy(14, wishes)
  for (const polls of days.slice(7)) expect(Math.abs(polls / PER_DAY - 1)).toBeLessThan(0.08)
  const wished = wishes.following * Math.sqrt(HOUR / market.price) + ('others' in wishes ? wishes.others : 0)
  expect(wished / PER_DAY).toBeLessThan(1.1)
  expect(wished / PER_DAY).toBeGreaterThan(0.9)
})

it('does not run away where nobody follows', () => {
  const { market, days } = polledBy(60, { following: 1, others: 600 }, HOUR)
  expect(market.price).toBeLessThanOrEqual(30 * DAY)
  expect(days.slice(7).every((polls) => polls <= PER_DAY + 1)).toBe(true)
})
