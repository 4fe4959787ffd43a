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
    expect((await store.pollSettings()).pollsPerDay).toBeUndefined()
    await store.changePollSettings({ pollsPerDay: undefined })
    await store.changePollSettings({ pollsPerDay: 5000 })
    await store.changePollSettings({ pollsPerDay: 240.5 })
    await store.recordMarket(A_MARKET)
    expect((await other.pollSettings()).pollsPerDay).toBe(240.5)
    await other.changePollSettings({ pollsPerDay: undefined })
    expect((await store.pollSettings()).pollsPerDay).toBeUndefined()
  })

  promised('stores the goals of folders', async (store) => {
    expect((await store.pollSettings()).folderGoals).toEqual(new Map())
    await store.changePollSettings({ folder: 'News / World', goals: { goalMs: 600_000 } })
    await store.changePollSettings({ folder: 'Ünïcode', goals: { minMs: 1, maxMs: 2 } })
    await store.changePollSettings({ folder: 'News / World', goals: { goalMs: 300_000 } })
    await store.changePollSettings({ folder: 'never heard of', goals: {} })
    expect((await store.pollSettings()).folderGoals).toStrictEqual(
      new Map([
        ['News / World', { goalMs: 300_000 }],
        ['Ünïcode', { minMs: 1, maxMs: 2 }],
      ]),
    )
    await store.changePollSettings({ folder: 'Ünïcode', goals: {} })
    expect([...(await store.pollSettings()).folderGoals.keys()]).toEqual(['News / World'])
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
