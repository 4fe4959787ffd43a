/** Counts spending on polls since the price was last set. Kept in memory: the single owner of the store both spends and sets the price. */
import { addSpent, NOTHING_SPENT, type Store } from '../ports/index.ts'

/** A crash loses at most the spending counted since the price was last written. */
export function createPollSpending(): Pick<Store, 'recordSpent' | 'takeSpent'> {
  let spent = NOTHING_SPENT
  return {
    async recordSpent(more) {
      spent = addSpent(spent, more)
    },
    async takeSpent() {
      const total = spent
      spent = NOTHING_SPENT
      return total
    },
  }
}
