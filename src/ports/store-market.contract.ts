import { expect } from 'vitest'
import { NOTHING_SPENT } from './poll-market.ts'
import type { Promised } from './store-promise.contract.ts'
import { A_MARKET, addFeed, newFeed, START } from './store-samples.contract.ts'

export function marketPromises(promised: Promised): void {
  promised('stores the last recorded market', async (store) => {
    expect(await store.market()).toBeUndefined()
    await store.recordMarket(A_MARKET)
    const market = { ...A_MARKET, price: 1234.5, debt: -2.5, week: { polls: [1, 2], planned: [0.5], since: START } }
    await store.recordMarket(market)
    expect(await store.market()).toStrictEqual(market)
  })

  promised('adds up spent polls of all callers, and returns them once', async (store, other) => {
    expect(await store.takeSpent()).toEqual(NOTHING_SPENT)
    const many = Array.from({ length: 20 }, (_, n) =>
      (n % 2 ? store : other).recordSpent({ following: 1, others: n, entries: 2, waitedMs: 1e9 }),
    )
    await Promise.all(many)
    expect(await other.takeSpent()).toEqual({ following: 20, others: 190, entries: 40, waitedMs: 2e10 })
    expect(await store.takeSpent()).toEqual(NOTHING_SPENT)
    await store.recordSpent({ following: 0, others: 2 })
    await store.recordMarket(A_MARKET)
    expect(await store.takeSpent()).toEqual({ ...NOTHING_SPENT, others: 2 })
  })

  promised('stores the budget set by a user until it is removed', async (store, other) => {
    expect(await store.userBudget()).toBeUndefined()
    await store.setUserBudget(undefined)
    await store.setUserBudget(5000)
    await store.setUserBudget(240.5)
    await store.recordMarket(A_MARKET)
    expect(await other.userBudget()).toBe(240.5)
    await other.setUserBudget(undefined)
    expect(await store.userBudget()).toBeUndefined()
  })

  promised('stores the goals of folders', async (store) => {
    expect(await store.folderGoals()).toEqual(new Map())
    await store.setFolderGoal('News / World', { goalMs: 600_000 })
    await store.setFolderGoal('Ünïcode', { minMs: 1, maxMs: 2 })
    await store.setFolderGoal('News / World', { goalMs: 300_000 })
    await store.setFolderGoal('never heard of', {})
    expect(await store.folderGoals()).toStrictEqual(
      new Map([
        ['News / World', { goalMs: 300_000 }],
        ['Ünïcode', { minMs: 1, maxMs: 2 }],
      ]),
    )
    await store.setFolderGoal('Ünïcode', {})
    expect([...(await store.folderGoals()).keys()]).toEqual(['News / World'])
  })

  promised('returns memories of one strategy for the feeds of a root', async (store) => {
    const at = (name: string, root: string, strategy: string, memory: Uint8Array) =>
      store.addFeeds([newFeed(name, { root }, { strategy, memory })])
    await at('a', 'a.example', 'tide', Uint8Array.of(1))
    await at('b', 'a.example', 'tide', new Uint8Array(0))
    await at('c', 'a.example', 'other', Uint8Array.of(2))
    await at('d', 'd.example', 'tide', Uint8Array.of(3))
    await at('e', 'a.example', 'tide', Uint8Array.of(4))
    await addFeed(store, 'f')
    expect(await store.memoriesOfRoots(['a.example', 'z.example', 'a.example'], 'tide', 9)).toStrictEqual([
      [Uint8Array.of(1), Uint8Array.of(4)],
      [],
      [Uint8Array.of(1), Uint8Array.of(4)],
    ])
    expect((await store.memoriesOfRoots(['a.example'], 'tide', 1))[0]).toHaveLength(1)
    expect(await store.memoriesOfRoots([], 'tide', 9)).toEqual([])
  })
}
