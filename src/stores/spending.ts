/** What was spent on polls since the price was set last. The one owner of the store spends and sets the price, so it is kept in memory. */
import { NOTHING_SPENT, type Store, spentTogether } from '../ports/index.ts'

/** A crash loses less than what is counted between two writings of the price. */
export function createSpending(): Pick<Store, 'spend' | 'takeSpent'> {
  let spent = NOTHING_SPENT
  return {
    async spend(more) {
      spent = spentTogether(spent, more)
    },
    async takeSpent() {
      const taken = spent
      spent = NOTHING_SPENT
      return taken
    },
  }
}
