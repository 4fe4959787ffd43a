/** Poll market: price of a poll, wants by folder, and strategy memories of the feeds of a root. */
import type { Market, PollingGoals } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'
import { parseJsonColumn } from './columns.ts'
import { type TypedColumn, upsertRowsSql } from './dialect.ts'
import { copyBytes } from './rows.ts'
import type { SqlSession } from './session.ts'
import { atMost } from './values.ts'

type MarketMethods = 'memoriesOfRoots' | 'market' | 'recordMarket' | 'pollSettings' | 'changePollSettings'

export function marketMethods({ dialect, ...session }: SqlSession): Pick<Store, MarketMethods> {
  const folderKey = dialect.textKey('name')
  const folderColumns: TypedColumn[] = ['name text', 'wants text', ...folderKey.extraColumns]
  const upsertFolder = upsertRowsSql('folders', folderKey.column, folderColumns)

  return {
    async memoriesOfRoots(roots, strategy, limit) {
      const rows = await session.each<{ root: string; memory: Buffer }>(
        `SELECT g.root AS root, m.memory AS memory FROM given g CROSS JOIN LATERAL (
           SELECT f.id, s.memory FROM feeds f JOIN schedules s ON s.feed_id = f.id
           WHERE f.root = g.root AND s.strategy = g.strategy AND length(s.memory) > 0 ORDER BY f.id LIMIT ${atMost(limit)}
         ) AS m ORDER BY g.n, m.id`,
        ['root text', 'strategy text'],
        [...new Set(roots)].map((root) => [root, strategy]),
      )
      const byRoot = Map.groupBy(rows, ({ root }) => root)
      return roots.map((root) => (byRoot.get(root) ?? []).map(({ memory }) => copyBytes(memory)))
    },

    async market() {
      const row = await session.row<{ state: string }>('SELECT state FROM market')
      return parseJsonColumn<Market>(row?.state)
    },

    async recordMarket(state) {
      await session.run(
        'INSERT INTO market (id, state) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET state = excluded.state',
        [JSON.stringify(state)],
      )
    },

    pollSettings() {
      return session.read(function* (query) {
        const budget = yield* query.row<{ polls_per_day: number }>('SELECT polls_per_day FROM named_budget')
        const folders = yield* query.rows<{ name: string; wants: string }>(
          `SELECT name, wants FROM folders ORDER BY name ${dialect.bytewise}`,
        )
        const goals = folders.map(({ name, wants }) => [name, parseJsonColumn<PollingGoals>(wants) ?? {}] as const)
        return { ...(budget && { pollsPerDay: budget.polls_per_day }), folderGoals: new Map(goals) }
      })
    },

    async changePollSettings(change) {
      if ('folder' in change) {
        const { folder, goals } = change
        const key = folderKey.keyOf(folder)
        if (Object.keys(goals).length === 0)
          await session.run(`DELETE FROM folders WHERE ${folderKey.column} = $1`, [key])
        else await session.runEach(upsertFolder, folderColumns, [[folder, JSON.stringify(goals), key]])
      } else if (change.pollsPerDay === undefined) await session.run('DELETE FROM named_budget')
      else
        await session.run(
          `INSERT INTO named_budget (id, polls_per_day) VALUES (1, $1)
           ON CONFLICT (id) DO UPDATE SET polls_per_day = excluded.polls_per_day`,
          [change.pollsPerDay],
        )
    },
  }
}
