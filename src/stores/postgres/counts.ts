/** How many there are of everything: what all slots of the counters say together, and what waits. */
import type { Store } from '../../ports/index.ts'
import { type CountChanges, type CounterName, noCountChanges } from '../sql/count-changes.ts'
import { storeBytes } from './disk-usage.ts'
import { countPending } from './pending-counts.ts'
import type { PostgresSession, RowReader } from './session.ts'

export function countMethods(session: PostgresSession): Pick<Store, 'counts'> {
  return {
    async counts() {
      const [counted, index, groups, bytes] = await Promise.all([
        allCounted(session),
        countPending(session, 'unindexed'),
        countPending(session, 'ungrouped'),
        storeBytes(session),
      ])
      const { active, paused, gone, troubled, unpolled, looking, entries, polls, ...articles } = counted
      const feeds = { active, paused, gone }
      return {
        feeds,
        failing: troubled,
        unpolled,
        looking,
        entries,
        polls,
        articles,
        waiting: { index, groups },
        bytes,
      }
    },
  }
}

async function allCounted(query: RowReader): Promise<CountChanges> {
  const rows = await query.rows<{ name: CounterName; value: number }>(
    'SELECT name, sum(value)::bigint AS value FROM counters GROUP BY name',
  )
  const tally = noCountChanges()
  for (const { name, value } of rows) tally[name] = value
  return tally
}
