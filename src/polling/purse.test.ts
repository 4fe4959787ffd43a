import { expect, it } from 'vitest'
import { DAY, MINUTE } from '../model/index.ts'
import { affordableAt, canPay, openPurse, purseAfter } from './index.ts'

/** So many polls are paid for in a day, by somebody who would make one every minute. */
function spentInADay(pollsPerDay: number, quietDays: number): number {
  let purse = purseAfter(openPurse(0), 0, pollsPerDay, quietDays * DAY)
  let spent = 0
  for (let at = quietDays * DAY; at < (quietDays + 1) * DAY; at += MINUTE) {
    purse = purseAfter(purse, 0, pollsPerDay, at)
    if (purse.polls < 1) continue
    purse = purseAfter(purse, 1, pollsPerDay, at)
    spent++
  }
  return spent
}

it('pays for a fifth more than the budget in a day, and for a quarter on top after a quiet time, however long', () => {
  expect(spentInADay(240, 0)).toBeLessThanOrEqual(1.2 * 240 + 1)
  for (const quietDays of [1, 30]) expect(spentInADay(240, quietDays)).toBeLessThanOrEqual(1.45 * 240)
  expect(spentInADay(240, 30)).toBeGreaterThan(1.4 * 240)
})

it('pays over weeks for no more than the budget, and half a day', () => {
  for (const pollsPerDay of [24, 240, 5000]) {
    let purse = openPurse(0)
    let spent = 0
    for (let at = 0; at < 28 * DAY; at += (DAY / pollsPerDay) * 0.3) {
      purse = purseAfter(purse, 0, pollsPerDay, at)
      if (!canPay(purse)) continue
      purse = purseAfter(purse, 1, pollsPerDay, at)
      spent++
    }
    expect(spent).toBeLessThanOrEqual(28.5 * pollsPerDay + 1)
    expect(spent).toBeGreaterThan(28 * pollsPerDay)
  }
})

it('says when it will have enough for all who wait', () => {
  const purse = { polls: 0, saved: -2, at: 0 }
  for (const waiting of [0, 3]) {
    const at = affordableAt(purse, 24, waiting)
    const then = purseAfter(purse, 0, 24, at)
    expect(Math.min(then.polls, then.saved!)).toBeGreaterThanOrEqual(1 + waiting)
    expect(canPay(purseAfter(purse, 0, 24, at - MINUTE))).toBe(waiting > 0)
  }
})
