/** Polls that all controllers spent since the price was last set. */
import { NOTHING_SPENT, type PollsSpent, type Store } from '../../ports/index.ts'
import type { PostgresSession } from './session.ts'

export function spendingMethods(session: PostgresSession): Pick<Store, 'recordSpent' | 'takeSpent'> {
  return {
    recordSpent({ following, others, entries = 0, waitedMs = 0 }) {
      return session.write(async (tx) => {
        await tx.run(
          `INSERT INTO market_spent AS m (id, following, others, entries, waited_ms) VALUES (1, $1, $2, $3, $4)
           ON CONFLICT (id) DO UPDATE SET following = m.following + $1, others = m.others + $2,
             entries = m.entries + $3, waited_ms = m.waited_ms + $4`,
          [following, others, entries, waitedMs],
        )
      })
    },

    takeSpent() {
      return session.write(async (tx) => {
        const [row] = await tx.rows<Required<PollsSpent>>(
          'DELETE FROM market_spent RETURNING following, others, entries, waited_ms AS "waitedMs"',
        )
        return row ?? NOTHING_SPENT
      })
    },
  }
}
