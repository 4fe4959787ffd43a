/** How many there are of everything: what all slots of the counters say together, and what waits. */
import type { Store } from '../../ports/index.ts'
import { type CountedName, type CountTally, emptyTally } from '../sql/tally.ts'
import { storeBytes } from './disk-usage.ts'
import type { PostgresSession, RowAsker } from './session.ts'
import { lineLength } from './waiting-lines.ts'

export function countMethods(session: PostgresSession): Pick<Store, 'counts'> {
  return {
    async counts() {
      const [counted, index, groups, bytes] = await Promise.all([
        allCounted(session),
        lineLength(session, 'unindexed'),
        lineLength(session, 'unplaced'),
        storeBytes(session),
      ])
      const { active, paused, gone, troubled, unpolled, looking, entries, polls, ...articles } = counted
      const feeds = { active, paused, gone }
      return { feeds, troubled, unpolled, looking, entries, polls, articles, waiting: { index, groups }, bytes }
    },
  }
}

async function allCounted(query: RowAsker): Promise<CountTally> {
  const rows = await query.rows<{ name: CountedName; value: number }>(
    'SELECT name, sum(value)::bigint AS value FROM counters GROUP BY name',
  )
  const tally = emptyTally()
  for (const { name, value } of rows) tally[name] = value
  return tally
}
