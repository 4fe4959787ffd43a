import { expect, it } from 'vitest'
import { DAY, MINUTE } from '../model/index.ts'
import { openPurse, purseAfter } from './index.ts'

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
