/**
 * advaRSS's training phase, for ever (Adam et al. 2009 and 2010): M, T and ToE in rounds, see rounds.ts. The papers run a
 * round every six to ten minutes; ours are eight. The papers' first ToE, 0 to 3 rounds at random, spreads the first polls;
 * here a feed is polled when it is added, so `spread` delays its second poll instead, by its date's last digits.
 */
import { HOUR, type Memory, MINUTE } from '../../model/index.ts'
import { doublesIn, NOTHING, packedDoubles } from '../packing.ts'
import { type RoundTimer, roundsAfter, roundsToWait } from '../rounds.ts'
import { recipe } from '../strategy-settings.ts'

export const advaRss = recipe(
  'Waits more rounds after each poll in vain and few after news: M, T and ToE (Adam, Bouras, Poulopoulos 2010).',
  {
    max: { kind: 'number', default: 80, least: 1, most: 10_000, sentence: 'The most rounds between two polls.' },
    upto: {
      kind: 'number',
      default: 0,
      least: 0,
      most: 10_000,
      sentence: 'What the most may double to while nothing comes; the paper of 2009 has max=25,upto=640.',
    },
    round: { kind: 'duration', default: 8 * MINUTE, least: MINUTE, most: 24 * HOUR, sentence: 'How long a round is.' },
    median: { kind: 'number', default: 4, least: 1, most: 100, sentence: 'The first M.' },
    timer: { kind: 'number', default: 1, least: 1, most: 100, sentence: 'The first T.' },
    spread: { kind: 'number', default: 0, least: 0, most: 100, sentence: 'Rounds over which second polls are spread.' },
    step: { kind: 'choice', default: 'timer', choices: ['timer', 'median'], sentence: 'What M changes by.' },
  },
  ({ max, upto, round, median, timer, spread, step }) => {
    const options = { step: step === 'median' ? ('median' as const) : ('timer' as const), limit: Math.max(max, upto) }
    const first: RoundTimer = { median, timer, most: max }

    function roundsIn(memory: Memory): { rounds: RoundTimer; delay: number } {
      const numbers = doublesIn(memory)
      if (numbers?.length !== 4) return { rounds: first, delay: 0 }
      const [m = 0, t = 0, most = 0, delay = 0] = numbers
      return { rounds: { median: m, timer: t, most }, delay }
    }

    return {
      priced: false,
      begin: () => NOTHING,
      learn(memory, { at, fresh }) {
        const isFirst = memory.length === 0
        const { median, timer, most } = roundsAfter(roundsIn(memory).rounds, isFirst || fresh > 0, options)
        return packedDoubles([median, timer, most, isFirst ? at % (spread + 1) : 0])
      },
      next(memory, lastAt) {
        const { rounds, delay } = roundsIn(memory)
        return lastAt + (roundsToWait(rounds) + delay) * round
      },
    }
  },
)
