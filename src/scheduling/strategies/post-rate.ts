/**
 * Post Rate (Urbansky et al. 2011, 3.4). For each of the 1,440 minutes of a day: how many entries were posted in it, divided
 * by how often it has passed since the feed is known. The next poll is when those rates add up to one entry (eq. 3):
 *
 *   newItems(t_goal) = sum from t_now to t_goal of postRate(t) >= 1
 *
 * In the authors' program minutes count only up to the newest entry, so that silence does not lower the rates; that is the
 * default. With `silence=counted` they count up to the poll.
 *
 * Encoding: dates of the first and the last counted minute, then a pair (minute, entries) for each minute with entries.
 */
import { DAY, HOUR, type Instant, type Memory, MINUTE } from '../../model/index.ts'
import { formatAmount } from '../format-amount.ts'
import { copyToOwnBuffer, EMPTY_MEMORY } from '../memory-encoding.ts'
import { newEntryDates } from '../observation.ts'
import { defineStrategy } from '../strategy-settings.ts'

const MINUTES = 1440
const DATES = 16 // bytes of the two dates
const MAX_COUNT = 0xffff

interface History {
  fromAt: Instant
  upTo: Instant
  posts: Uint16Array
}

export const postRate = defineStrategy(
  'Polls when the rates of the minutes of the day add up to one new entry (Urbansky et al. 2011).',
  {
    silence: {
      kind: 'choice',
      default: 'ignored',
      choices: ['ignored', 'counted'],
      description: 'Whether the time since the newest entry counts as time without entries.',
    },
  },
  ({ silence }) => ({
    priced: false,
    begin: () => EMPTY_MEMORY,

    learn(memory, observation) {
      const { at, window } = observation
      const before = unpack(memory)
      const fresh = before ? newEntryDates(observation) : window.map((publishedAt) => Math.min(publishedAt, at))
      const newest = fresh.at(-1)
      if (newest === undefined && (!before || silence === 'ignored')) return memory
      const upTo = silence === 'counted' || newest === undefined ? at : newest
      const history = before ?? { fromAt: fresh[0] ?? at, upTo, posts: new Uint16Array(MINUTES) }
      for (const publishedAt of fresh) {
        const minute = minuteOf(publishedAt)
        history.posts[minute] = Math.min(MAX_COUNT, history.posts[minute]! + 1)
      }
      return pack({ ...history, upTo: Math.max(history.upTo, upTo) })
    },

    next(memory, lastAt, { limits }) {
      const history = unpack(memory)
      if (!history) return lastAt + HOUR // our choice: a feed that has shown no entries yet has no rates
      const rates = ratesOf(history)
      const perDay = rates.reduce((sum, rate) => sum + rate, 0)
      if (perDay <= 0) return lastAt + limits.maxMs
      const wholeDays = Math.max(0, Math.floor(1 / perDay) - 1)
      let expected = wholeDays * perDay
      let minute = minuteOf(lastAt)
      let passed = wholeDays * MINUTES
      const enough = limits.maxMs / MINUTE
      while (passed < enough) {
        expected += rates[minute]!
        if (expected >= 1) break
        minute = (minute + 1) % MINUTES
        passed++
      }
      return lastAt + passed * MINUTE
    },

    reason(memory) {
      const history = unpack(memory)
      if (!history) return { text: 'it has shown no entries yet, and is polled every hour', figures: {} }
      const entriesPerDay = ratesOf(history).reduce((sum, rate) => sum + rate, 0)
      return {
        text: `by minute of the day, it posts ${formatAmount(entriesPerDay)} entries a day, and one is expected by then`,
        figures: { entriesPerDay },
      }
    },
  }),
)

function ratesOf({ fromAt, upTo, posts }: History): Float64Array {
  const first = Math.floor(fromAt / MINUTE)
  const minutes = Math.floor(upTo / MINUTE) - first + 1
  const days = Math.floor(minutes / MINUTES)
  const rates = new Float64Array(MINUTES)
  for (let i = 0; i < MINUTES; i++) {
    const sinceFirst = (i - (first % MINUTES) + MINUTES) % MINUTES
    const passes = days + (sinceFirst < minutes - days * MINUTES ? 1 : 0)
    if (passes > 0) rates[i] = posts[i]! / passes
  }
  return rates
}

function minuteOf(at: Instant): number {
  return Math.floor((at % DAY) / MINUTE)
}

function pack({ fromAt, upTo, posts }: History): Memory {
  const pairs: number[] = []
  for (const [minute, count] of posts.entries()) if (count > 0) pairs.push(minute, count)
  const memory = new Uint8Array(DATES + 2 * pairs.length)
  memory.set(new Uint8Array(Float64Array.of(fromAt, upTo).buffer))
  memory.set(new Uint8Array(Uint16Array.from(pairs).buffer), DATES)
  return memory
}

function unpack(memory: Memory): History | undefined {
  if (memory.length < DATES || memory.length % 4 !== 0) return undefined
  const buffer = copyToOwnBuffer(memory)
  const [fromAt = 0, upTo = 0] = new Float64Array(buffer, 0, 2)
  const pairs = new Uint16Array(buffer, DATES)
  const posts = new Uint16Array(MINUTES)
  for (let i = 0; i < pairs.length; i += 2) posts[pairs[i]! % MINUTES] = pairs[i + 1]!
  return { fromAt, upTo, posts }
}
