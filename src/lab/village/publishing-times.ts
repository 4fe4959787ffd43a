/** Publication times of a site on one of its days, random or by the rhythm's rule. */
import type { Instant, Millis } from '../../model/index.ts'
import { countUpTo } from '../instants.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { Rhythm } from './spec.ts'

/** Ascending, within the day that begins at `day * dayMs`. */
export function publishingTimes(rhythm: Rhythm, day: number, dayMs: Millis, chance: SeededRandom): Instant[] {
  const startAt = day * dayMs
  const hourMs = dayMs / 24
  const weekday = (((day + 4) % 7) + 7) % 7 // day 0 was a Thursday
  switch (rhythm.kind) {
    case 'office-hours': {
      if ((weekday === 0 || weekday === 6) && !rhythm.weekends) return []
      return draw(around(rhythm.perDay, chance), () => startAt + (officeHour(chance) + chance.next()) * hourMs)
    }
    case 'daily':
      return chance.happens(0.1) ? [] : [Math.floor(startAt + (rhythm.hour + chance.next() * 0.7) * hourMs)]
    case 'weekly':
      return weekday === rhythm.weekday ? [Math.floor(startAt + rhythm.hour * hourMs)] : []
    case 'clockwork': {
      const first = Math.ceil(startAt / rhythm.everyMs)
      const count = Math.ceil((startAt + dayMs) / rhythm.everyMs) - first
      return Array.from({ length: count }, (_, i) => (first + i) * rhythm.everyMs)
    }
    case 'bursts':
      return bursts(rhythm.perDay, startAt, dayMs, chance)
    case 'round-the-clock':
      return draw(around(rhythm.perDay, chance), () => startAt + chance.next() * dayMs)
    case 'at':
      return rhythm.instants.slice(
        countUpTo(rhythm.instants, startAt - 1),
        countUpTo(rhythm.instants, startAt + dayMs - 1),
      )
  }
}

/** Varies the number by up to a third. */
function around(usual: number, chance: SeededRandom): number {
  return Math.round(usual * (0.67 + chance.next() * 0.66))
}

function draw(count: number, drawInstant: () => Instant): Instant[] {
  return Array.from({ length: count }, () => Math.floor(drawInstant())).sort((a, b) => a - b)
}

const OFFICE_FROM = 7
/** Weights of the hours from seven on: morning edition, lunch, afternoon, evening. */
const OFFICE_WEIGHTS = [2, 4, 5, 4, 3, 1, 1, 2, 3, 3, 2, 1]
const OFFICE_TOTAL = OFFICE_WEIGHTS.reduce((sum, weight) => sum + weight, 0)

function officeHour(chance: SeededRandom): number {
  let remaining = chance.next() * OFFICE_TOTAL
  for (let i = 0; i < OFFICE_WEIGHTS.length; i++) {
    remaining -= OFFICE_WEIGHTS[i]!
    if (remaining < 0) return OFFICE_FROM + i
  }
  return OFFICE_FROM
}

/** One to three discussions a day, with very frequent comments. Every third day is quiet. */
function bursts(perDay: number, startAt: Instant, dayMs: Millis, chance: SeededRandom): Instant[] {
  if (chance.happens(1 / 3)) return []
  const beginnings = Array.from({ length: 1 + chance.below(3) }, () => startAt + chance.next() * dayMs)
  const each = Math.max(1, Math.round((perDay * 1.5) / beginnings.length))
  const instants = beginnings.flatMap((beginAt) => {
    let at = beginAt
    return Array.from({ length: each }, () => {
      at += (-Math.log(1 - chance.next()) * dayMs) / 500
      return Math.floor(at)
    })
  })
  return instants.filter((at) => at < startAt + dayMs).sort((a, b) => a - b)
}
