/**
 * How advaRSS adapts to a feed, in rounds of some minutes (Adam et al. 2009 and 2010, eqs 1-4). M is the number of rounds
 * between two polls, T the number of rounds since the feed last changed. After a poll without new entries:
 *
 *   Temp = T + M,  M = M + 0.3 T,  T = Temp     (2)
 *
 * and after one with new entries:
 *
 *   T = 1,  M = 0.2 M + 0.8 T                   (3)
 *
 * The next poll comes after ToE = ceil(M) rounds (4) of six to ten minutes each, at random. In the papers the first ToE is
 * random (0 to 3), which spreads first polls; here a feed is polled when it is added, and its second poll comes that many
 * rounds later.
 *
 * Strategies are pure, so the random numbers are derived from the date of the poll: to within a millisecond nobody can
 * predict that, and the lab and the crawl draw the same numbers.
 *
 * The pseudo-code of the second paper has M in place of T in both lines, so that M would grow by 30 % and never fall. Its
 * text and the first paper have T; `step: 'median'` exists for comparison.
 */
import { formatDuration, HOUR, type Instant, MINUTE } from '../model/index.ts'
import type { Reason } from './strategy.ts'
import type { Values } from './strategy-settings.ts'

/** Settings of every strategy that polls in rounds. */
export const ROUND_SETTINGS = {
  max: { kind: 'number', default: 80, min: 1, max: 10_000, description: 'Maximum number of rounds between two polls.' },
  upto: {
    kind: 'number',
    default: 0,
    min: 0,
    max: 10_000,
    description: 'The maximum doubles up to this while there is no news; the paper of 2009 has max=25,upto=640.',
  },
  round: { kind: 'duration', default: 8 * MINUTE, min: MINUTE, max: 24 * HOUR, description: 'Length of a round.' },
  vary: {
    kind: 'duration',
    default: 2 * MINUTE,
    min: 0,
    max: 24 * HOUR,
    description: 'Random variation of the length of a round; 0 for none.',
  },
  median: { kind: 'number', default: 4, min: 1, max: 100, description: 'Initial M.' },
  timer: { kind: 'number', default: 1, min: 1, max: 100, description: 'Initial T.' },
  spread: {
    kind: 'number',
    default: 3,
    min: 0,
    max: 100,
    description: 'The initial ToE is random, up to this many rounds.',
  },
  step: { kind: 'choice', default: 'timer', choices: ['timer', 'median'], description: 'Value by which M changes.' },
} as const

/** Rounds with the settings applied. */
export interface Rounds {
  /** State of a feed that was never polled. */
  first: RoundTimer
  after(before: RoundTimer, found: boolean): RoundTimer
  /** Extra rounds before the second poll, after the first one at `at`. */
  firstToE(at: Instant): number
  /** The instant `rounds` rounds after `from`. */
  endOf(rounds: number, from: Instant): Instant
  reason(timer: RoundTimer, late: number): Reason
}

export function createRounds(settings: Values<typeof ROUND_SETTINGS>): Rounds {
  const { max, upto, round, median, timer, spread, step } = settings
  const options = { step: step === 'median' ? ('median' as const) : ('timer' as const), limit: Math.max(max, upto) }
  const vary = Math.min(settings.vary, round)
  return {
    first: { median, timer, most: max },
    after: (before, found) => updateTimer(before, found, options),
    firstToE: (at) => Math.floor(pseudoRandom(at, FIRST_TOE) * (Math.floor(spread) + 1)),
    endOf(rounds, from) {
      if (vary === 0) return from + rounds * round
      let end = from
      for (let i = 0; i < rounds; i++) end += round + (2 * pseudoRandom(from, i) - 1) * vary
      return end
    },
    reason(now, late) {
      const ToE = roundsToWait(now) + late
      const { median: M, timer: T } = now
      const length =
        vary === 0 ? formatDuration(round) : `${formatDuration(round - vary)} to ${formatDuration(round + vary)}`
      return {
        text: `M is ${formatFigure(M)} and T ${formatFigure(T)}, so ToE is ${ToE} rounds of ${length}`,
        figures: { M, T, ToE },
      }
    },
  }
}

const FIRST_TOE = -1

/** Deterministic pseudo-random number in [0, 1) from a date and an index. */
function pseudoRandom(at: Instant, number: number): number {
  let mixed =
    Math.imul(Math.floor(at / 2 ** 32) ^ 0x9e3779b9, 0x85ebca6b) ^ Math.floor(at) ^ Math.imul(number, 0xc2b2ae35)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
}

function formatFigure(n: number): string {
  return String(Math.round(n * 100) / 100)
}

export interface RoundTimer {
  median: number
  timer: number
  /** Current upper limit of M. */
  most: number
}

interface RoundsOptions {
  step: 'timer' | 'median'
  /** M never exceeds `most`; it may double whenever M has reached it, up to `limit` (2009: from 25 to 640; 2010: 80). */
  limit: number
}

function updateTimer({ median, timer, most }: RoundTimer, found: boolean, { step, limit }: RoundsOptions): RoundTimer {
  if (found) return { median: Math.max(1, 0.2 * median + 0.8 * (step === 'timer' ? 1 : median)), timer: 1, most }
  const grown = median + 0.3 * (step === 'timer' ? timer : median)
  return { median: Math.min(most, grown), timer: timer + median, most: grown > most ? Math.min(limit, 2 * most) : most }
}

/** ToE: the rounds until the next poll. */
export function roundsToWait({ median }: RoundTimer): number {
  return Math.ceil(median)
}
