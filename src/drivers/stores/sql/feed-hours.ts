/** How many entries each feed brought in which hour, and how many pages it has had fetched: for two days, a row an hour. */
import { HOUR } from '../../../model/index.ts'
import type { Store } from '../../../ports/index.ts'
import type { SqlSession } from './session.ts'
import { inOrder } from './values.ts'

export function hourMethods(session: SqlSession): Pick<Store, 'storedSince'> {
  return {
    async storedSince(what, ids, since) {
      const rows = await session.rows<{ id: number; sum: number }>(
        `SELECT w.value AS id, (SELECT CAST(coalesce(sum(${what}), 0) AS bigint) FROM feed_hours h
         WHERE h.feed_id = w.value AND h.hour >= $2) AS sum FROM ${session.dialect.list('$1')}`,
        [ids, Math.floor(since / HOUR)],
      )
      return inOrder<number, { id: number; sum: number }, number>(
        ids,
        rows,
        ({ id }) => id,
        ({ sum }) => sum,
      ).map((sum) => sum ?? 0)
    },
  }
}
