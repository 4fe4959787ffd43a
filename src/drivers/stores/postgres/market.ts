/** The price of a poll, what people want of folders, and what is known of the feeds of one root. */
import type { Market, Wants } from '../../../model/index.ts'
import { NOTHING_SPENT, type PollsSpent, type Store } from '../../../ports/index.ts'
import { jsonInColumn } from '../sql/columns.ts'
import { keyHash, ownBytes } from '../sql/rows.ts'
import { atMost } from '../sql/values.ts'
import type { PostgresSession } from './session.ts'

type MarketMethods =
  | 'memoriesAt'
  | 'market'
  | 'recordMarket'
  | 'spend'
  | 'takeSpent'
  | 'namedBudget'
  | 'nameBudget'
  | 'folders'
  | 'wantOfFolder'

export function marketMethods(session: PostgresSession): Pick<Store, MarketMethods> {
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
      const [row] = await session.rows<{ state: string }>('SELECT state FROM market')
      return jsonInColumn<Market>(row?.state)
    },

    recordMarket(state) {
      return session.write(async (tx) => {
        await tx.run(
          'INSERT INTO market (id, state) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET state = excluded.state',
          [JSON.stringify(state)],
        )
      })
    },

    spend({ following, others, entries = 0, waitedMs = 0 }) {
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

    async namedBudget() {
      const [row] = await session.rows<{ polls_per_day: number }>('SELECT polls_per_day FROM named_budget')
      return row?.polls_per_day
    },

    nameBudget(pollsPerDay) {
      return session.write(async (tx) => {
        if (pollsPerDay === undefined) await tx.run('DELETE FROM named_budget', [])
        else {
          await tx.run(
            `INSERT INTO named_budget (id, polls_per_day) VALUES (1, $1)
             ON CONFLICT (id) DO UPDATE SET polls_per_day = excluded.polls_per_day`,
            [pollsPerDay],
          )
        }
      })
    },

    async folders() {
      const rows = await session.rows<{ name: string; wants: string }>(
        'SELECT name, wants FROM folders ORDER BY name COLLATE "C"',
      )
      return new Map(rows.map(({ name, wants }) => [name, jsonInColumn<Wants>(wants) ?? {}]))
    },

    wantOfFolder(folder, wants) {
      const hash = keyHash(folder)
      return session.write(async (tx) => {
        if (Object.keys(wants).length === 0) await tx.run('DELETE FROM folders WHERE name_hash = $1', [hash])
        else {
          await tx.run(
            `INSERT INTO folders (name_hash, name, wants) VALUES ($1, $2, $3)
             ON CONFLICT (name_hash) DO UPDATE SET wants = excluded.wants`,
            [hash, folder, JSON.stringify(wants)],
          )
        }
      })
    },
  }
}
