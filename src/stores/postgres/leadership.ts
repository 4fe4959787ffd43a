/** Leadership per role. Each claim is one statement, so only one of several concurrent claims succeeds. */
import type { Leadership } from '../../ports/index.ts'
import type { PostgresSession } from './session.ts'

export function leadershipMethods(session: PostgresSession): Leadership {
  return {
    lead(role, name, now, until) {
      return session.write(async (tx) => {
        const [row] = await tx.rows<{ epoch: number }>(
          `INSERT INTO leaders AS l (role, name, until, epoch) VALUES ($1, $2, $4, 1)
           ON CONFLICT (role) DO UPDATE SET name = $2, until = $4,
             epoch = l.epoch + CASE WHEN l.name = $2 AND l.until > $3 THEN 0 ELSE 1 END
           WHERE l.name = $2 OR l.name IS NULL OR l.until <= $3 RETURNING epoch`,
          [role, name, now, until],
        )
        return row?.epoch
      })
    },

    resign(role, name) {
      return session.write(async (tx) => {
        await tx.run('UPDATE leaders SET name = NULL WHERE role = $1 AND name = $2', [role, name])
      })
    },
  }
}
