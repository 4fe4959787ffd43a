/** The price of a poll, what people want of folders, and what is known of the feeds of one root. */
import type { Market, Wants } from '../../../model/index.ts'
import { NOTHING_SPENT, type Store, spentTogether } from '../../../ports/index.ts'
import { jsonInColumn } from '../sql/columns.ts'
import { ownBytes } from '../sql/rows.ts'
import type { SqliteSession } from './session.ts'

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

export function marketQueries(session: SqliteSession): Pick<Store, MarketMethods> {
  const { db } = session
  const memories = db
    .prepare<[string, string, number], Buffer>(
      `SELECT s.memory FROM feeds f JOIN schedules s ON s.feed_id = f.id
       WHERE f.root = ? AND s.strategy = ? AND length(s.memory) > 0 ORDER BY f.id LIMIT ?`,
    )
    .pluck()
  const market = db.prepare<[], string>('SELECT state FROM market').pluck()
  const keepMarket = db.prepare('INSERT OR REPLACE INTO market (id, state) VALUES (1, ?)')
  const budget = db.prepare<[], number>('SELECT polls_per_day FROM named_budget').pluck()
  const keepBudget = db.prepare('INSERT OR REPLACE INTO named_budget (id, polls_per_day) VALUES (1, ?)')
  const dropBudget = db.prepare('DELETE FROM named_budget')
  const folders = db.prepare<[], { name: string; wants: string }>('SELECT name, wants FROM folders ORDER BY name')
  const keepFolder = db.prepare('INSERT OR REPLACE INTO folders (name, wants) VALUES (?, ?)')
  const dropFolder = db.prepare('DELETE FROM folders WHERE name = ?')

  /** Its one owner spends and sets the price; what a crash swallows is less than what is counted between two writings. */
  let spent = NOTHING_SPENT

  return {
    memoriesAt(roots, strategy, limit) {
      return session.read(() => roots.map((root) => memories.all(root, strategy, limit).map(ownBytes)))
    },

    market() {
      return session.read(() => jsonInColumn<Market>(market.get()))
    },

    recordMarket(state) {
      return session.write(() => void keepMarket.run(JSON.stringify(state)))
    },

    async spend(more) {
      spent = spentTogether(spent, more)
    },

    async takeSpent() {
      const taken = spent
      spent = NOTHING_SPENT
      return taken
    },

    namedBudget() {
      return session.read(() => budget.get())
    },

    nameBudget(pollsPerDay) {
      return session.write(() => void (pollsPerDay === undefined ? dropBudget.run() : keepBudget.run(pollsPerDay)))
    },

    folders() {
      return session.read(
        () => new Map(folders.all().map(({ name, wants }) => [name, jsonInColumn<Wants>(wants) ?? {}])),
      )
    },

    wantOfFolder(folder, wants) {
      return session.write(() => {
        if (Object.keys(wants).length > 0) keepFolder.run(folder, JSON.stringify(wants))
        else dropFolder.run(folder)
      })
    },
  }
}
