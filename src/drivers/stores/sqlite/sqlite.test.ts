/** The SQLite store and its index, held to the contracts. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { searchContract } from '../../../ports/search.contract.ts'
import { storeContract } from '../../../ports/store.contract.ts'
import { openSqliteStore, type SqliteStore } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'freshet-'))
const opened: SqliteStore[] = []
afterAll(async () => {
  for (const { store } of opened) await store.close()
  rmSync(folder, { recursive: true })
})

function open(): SqliteStore {
  const one = openSqliteStore({ file: join(folder, `${opened.length}.db`), mode: 'write', now: () => 0 })
  opened.push(one)
  return one
}

storeContract('sqlite', async () => open().store)
searchContract('sqlite', async () => open())

it('lets others have their turn after every bite of work in the house', async () => {
  const { store, search } = open()
  const bites: Record<string, () => Promise<unknown>> = {
    put: () => search.put([]),
    drop: () => search.drop([]),
    place: () => store.place([], 0, 0),
    placeAgain: () => store.placeAgain(0),
    forgetEntries: () => store.forgetEntries(0, 9),
    forgetPolls: () => store.forgetPolls(0, 9),
    forgetArticles: () => store.forgetArticles(0, 9),
    forgetPages: () => store.forgetPages(0, 9),
    forgetSignatures: () => store.forgetSignatures(0, 9),
    forgetRobots: () => store.forgetRobots(0, 9),
    shrinkRobots: () => store.shrinkRobots(0, 9),
    shrinkPages: () => store.shrinkPages(1, 9),
  }
  const hasty: string[] = []
  for (const [name, bite] of Object.entries(bites)) {
    let turned = false
    setImmediate(() => {
      turned = true
    })
    await bite()
    if (!turned) hasty.push(name)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(hasty).toEqual([])
})
