/** The price of a poll, what people want of folders, and what is known of the feeds of one root. */
import type { Market, Wants } from '../../../model/index.ts'
import type { Store } from '../../../ports/index.ts'
import { jsonInColumn } from './columns.ts'
import { replaceGiven, type TypedColumn } from './dialect.ts'
import { ownBytes } from './rows.ts'
import type { SqlSession } from './session.ts'
import { atMost } from './values.ts'

type MarketMethods =
  | 'memoriesAt'
  | 'market'
  | 'recordMarket'
  | 'namedBudget'
  | 'nameBudget'
  | 'folders'
  | 'wantOfFolder'

export function marketMethods({ dialect, ...session }: SqlSession): Pick<Store, MarketMethods> {
  const folder = dialect.textKey('name')
  const folderColumns: TypedColumn[] = ['name text', 'wants text', ...folder.written]
  const keepFolder = replaceGiven('folders', folder.column, folderColumns)

  return {
    async memoriesAt(root, strategy, limit) {
      const rows = await session.rows<{ memory: Buffer }>(
        `SELECT s.memory FROM feeds f JOIN schedules s ON s.feed_id = f.id
         WHERE f.root = $1 AND s.strategy = $2 AND length(s.memory) > 0 ORDER BY f.id LIMIT $3`,
        [root, strategy, atMost(limit)],
      )
      return rows.map(({ memory }) => ownBytes(memory))
    },

    async market() {
      const row = await session.row<{ state: string }>('SELECT state FROM market')
      return jsonInColumn<Market>(row?.state)
    },

    async recordMarket(state) {
      await session.run(
        'INSERT INTO market (id, state) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET state = excluded.state',
        [JSON.stringify(state)],
      )
    },

    async namedBudget() {
      const row = await session.row<{ polls_per_day: number }>('SELECT polls_per_day FROM named_budget')
      return row?.polls_per_day
    },

    async nameBudget(pollsPerDay) {
      if (pollsPerDay === undefined) await session.run('DELETE FROM named_budget')
      else {
        await session.run(
          `INSERT INTO named_budget (id, polls_per_day) VALUES (1, $1)
           ON CONFLICT (id) DO UPDATE SET polls_per_day = excluded.polls_per_day`,
          [pollsPerDay],
        )
      }
    },

    async folders() {
      const rows = await session.rows<{ name: string; wants: string }>(
        `SELECT name, wants FROM folders ORDER BY name ${dialect.bytewise}`,
      )
      return new Map(rows.map(({ name, wants }) => [name, jsonInColumn<Wants>(wants) ?? {}]))
    },

    async wantOfFolder(name, wants) {
      const key = folder.of(name)
      if (Object.keys(wants).length === 0) await session.run(`DELETE FROM folders WHERE ${folder.column} = $1`, [key])
      else await session.runEach(keepFolder, folderColumns, [[name, JSON.stringify(wants), key]])
    },
  }
}
