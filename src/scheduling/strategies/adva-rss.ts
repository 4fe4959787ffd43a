/**
 * The training phase of advaRSS, without end (Adam et al. 2009 and 2010): M, T and ToE in rounds of six to ten minutes, see
 * rounds.ts.
 */
import type { Memory } from '../../model/index.ts'
import { decodeDoubles, EMPTY_MEMORY, encodeDoubles } from '../memory-encoding.ts'
import { createRounds, ROUND_SETTINGS, type RoundTimer, roundsToWait } from '../rounds.ts'
import { defineStrategy } from '../strategy-settings.ts'

/** Undefined for a feed that was never polled. */
export function decodeAdvaMemory(memory: Memory): { timer: RoundTimer; late: number } | undefined {
  const numbers = decodeDoubles(memory)
  if (numbers?.length !== 4) return undefined
  const [median = 0, timer = 0, most = 0, late = 0] = numbers
  return { timer: { median, timer, most }, late }
}

export const advaRss = defineStrategy(
  'Waits more rounds after each poll without news and fewer after news: M, T and ToE (Adam, Bouras, Poulopoulos 2010).',
  ROUND_SETTINGS,
  (settings) => {
    const rounds = createRounds(settings)

    const read = (memory: Memory) => decodeAdvaMemory(memory) ?? { timer: rounds.first, late: 0 }

    return {
      priced: false,
      begin: () => EMPTY_MEMORY,
      learn(memory, { at, fresh }) {
        const isFirst = memory.length === 0
        const { median, timer, most } = rounds.after(read(memory).timer, isFirst || fresh > 0)
        return encodeDoubles([median, timer, most, isFirst ? rounds.firstToE(at) : 0])
      },
      next(memory, lastAt) {
        const { timer, late } = read(memory)
        return rounds.endOf(roundsToWait(timer) + late, lastAt)
      },
      reason(memory) {
        const { timer, late } = read(memory)
        return rounds.reason(timer, late)
      },
    }
  },
)
