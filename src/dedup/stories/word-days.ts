/**
 * How often a word is used on a usual day. An event has words of its own, used on its days and rarely on others; a field
 * ("quarterly", "shares") and a publisher's name have theirs every day. A word's weight is thus how much rarer than once per
 * telling it is on other days, whatever its use today.
 *
 * A usual day is a power mean of the days held: ((sqrt(a) + sqrt(b) + ...) / days)^2. A single day with three hundred uses
 * hardly counts, since that was another event; a few uses every day count in full.
 */
import { DAY, type Instant } from '../../model/index.ts'
import { createLargeMap } from '../large-map.ts'

export interface WordDays {
  /** Adds a telling with these words at that date; with -1, removes it. */
  count(words: readonly number[], at: Instant, change: 1 | -1): void
  /** Weights of words at a date, in nats, as far as days tell; Infinity while no other days are known. */
  weightsAt(at: Instant): (word: number) => number
}

/** The day itself and its neighbours belong to the event. */
const NEAR_DAYS = 1
/** Added to a usual day's uses: how rare a word is that was never used before is unknown. */
const UNSEEN_USES = 0.1
/** Added to its tellings: where there are few, a word used yesterday need not be an everyday one. */
const FEW_A_DAY = 100
/** A word that one in twelve uses on a usual day (e^2.5) has weight zero; above that, weights rise steeply. */
const EVERYDAY = 2.5
const STEEPNESS = 2
const MOST_USES = 2 ** 21
/** Days are counted from before the first, so that packed numbers stay small for a year. */
const DAYS_BEFORE = 400

const NONE: number[] = []

export function createWordDays(): WordDays {
  /** Uses per day, packed as day * 2^21 + uses: most words are used on a single day. */
  const uses = createLargeMap<number | number[]>()
  const tellings = new Map<number, number>()
  let firstDay: number | undefined

  function dayOf(at: Instant): number {
    const day = Math.floor(at / DAY)
    firstDay ??= day - DAYS_BEFORE
    return day - firstDay
  }

  function count(words: readonly number[], at: Instant, change: 1 | -1): void {
    const day = dayOf(at)
    const left = (tellings.get(day) ?? 0) + change
    if (left > 0) tellings.set(day, left)
    else tellings.delete(day)
    for (const word of words) {
      const after = changed(uses.get(word), day, change)
      if (after === undefined) uses.delete(word)
      else uses.set(word, after)
    }
  }

  function weightsAt(at: Instant): (word: number) => number {
    const day = dayOf(at)
    const isOther = (other: number) => Math.abs(other - day) > NEAR_DAYS
    let days = 0
    let volume = 0
    for (const [other, count] of tellings) {
      if (!isOther(other)) continue
      days++
      volume += count
    }
    if (days === 0) return () => Number.POSITIVE_INFINITY
    const rootOf = (packed: number) => {
      const other = Math.floor(packed / MOST_USES)
      return isOther(other) ? Math.sqrt(packed - other * MOST_USES) : 0
    }
    return (word) => {
      const own = uses.get(word) ?? NONE
      let roots = 0
      if (typeof own === 'number') roots = rootOf(own)
      else for (let i = 0; i < own.length; i++) roots += rootOf(own[i]!)
      const tellingsAUse = (volume / days + FEW_A_DAY) / ((roots / days) ** 2 + UNSEEN_USES)
      return STEEPNESS * Math.max(0, Math.log(tellingsAUse) - EVERYDAY)
    }
  }

  return { count, weightsAt }
}

function changed(before: number | number[] | undefined, day: number, change: number): number | number[] | undefined {
  if (before === undefined) return day * MOST_USES + change
  const all = typeof before === 'number' ? [before] : before
  const place = all.findIndex((packed) => Math.floor(packed / MOST_USES) === day)
  if (place < 0) all.push(day * MOST_USES + change)
  else if ((all[place]! + change) % MOST_USES === 0) all.splice(place, 1)
  else all[place]! += change
  return all.length > 1 ? all : all[0]
}
