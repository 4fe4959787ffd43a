import { expect } from 'vitest'
import { NOTHING_SPENT } from './poll-market.ts'
import type { Promised } from './store-promise.contract.ts'
import { A_MARKET, addFeed, newFeed, START } from './store-samples.contract.ts'

export function marketPromises(promised: Promised): void {
  promised('keeps the market, as it was recorded last', async (store) => {
    expect(await store.market()).toBeUndefined()
    await store.recordMarket(A_MARKET)
    const market = { ...A_MARKET, price: 1234.5, debt: -2.5, week: { polls: [1, 2], planned: [0.5], since: START } }
    await store.recordMarket(market)
    expect(await store.market()).toStrictEqual(market)
  })

  promised('adds up what is spent, whoever says so, and gives it once', async (store, other) => {
    expect(await store.takeSpent()).toEqual(NOTHING_SPENT)
    const many = Array.from({ length: 20 }, (_, n) =>
      (n % 2 ? store : other).spend({ following: 1, others: n, entries: 2, waitedMs: 1e9 }),
    )
    await Promise.all(many)
    expect(await other.takeSpent()).toEqual({ following: 20, others: 190, entries: 40, waitedMs: 2e10 })
    expect(await store.takeSpent()).toEqual(NOTHING_SPENT)
    await store.spend({ following: 0, others: 2 })
    await store.recordMarket(A_MARKET)
    expect(await store.takeSpent()).toEqual({ ...NOTHING_SPENT, others: 2 })
  })

  promised('keeps the budget that somebody names, until it is taken away', async (store, other) => {
    expect(await store.namedBudget()).toBeUndefined()
    await store.nameBudget(undefined)
    await store.nameBudget(5000)
    await store.nameBudget(240.5)
    await store.recordMarket(A_MARKET)
    expect(await other.namedBudget()).toBe(240.5)
    await other.nameBudget(undefined)
    expect(await store.namedBudget()).toBeUndefined()
  })

  promised('keeps what is wanted of folders', async (store) => {
    expect(await store.folders()).toEqual(new Map())
    await store.wantOfFolder('News / World', { goalMs: 600_000 })
    await store.wantOfFolder('Ünïcode', { minMs: 1, maxMs: 2 })
    await store.wantOfFolder('News / World', { goalMs: 300_000 })
    await store.wantOfFolder('never heard of', {})
    expect(await store.folders()).toStrictEqual(
      new Map([
        ['News / World', { goalMs: 300_000 }],
        ['Ünïcode', { minMs: 1, maxMs: 2 }],
      ]),
    )
    await store.wantOfFolder('Ünïcode', {})
    expect([...(await store.folders()).keys()]).toEqual(['News / World'])
  })

  promised('gives the memories of the feeds of a root that one strategy has polled', async (store) => {
    const at = (name: string, root: string, strategy: string, memory: Uint8Array) =>
      store.addFeeds([newFeed(name, { root }, { strategy, memory })])
    await at('a', 'a.example', 'tide', Uint8Array.of(1))
    await at('b', 'a.example', 'tide', new Uint8Array(0))
    await at('c', 'a.example', 'other', Uint8Array.of(2))
    await at('d', 'd.example', 'tide', Uint8Array.of(3))
    await at('e', 'a.example', 'tide', Uint8Array.of(4))
    await addFeed(store, 'f')
    expect(await store.memoriesAt(['a.example', 'z.example', 'a.example'], 'tide', 9)).toStrictEqual([
      [Uint8Array.of(1), Uint8Array.of(4)],
      [],
      [Uint8Array.of(1), Uint8Array.of(4)],
    ])
    expect((await store.memoriesAt(['a.example'], 'tide', 1))[0]).toHaveLength(1)
    expect(await store.memoriesAt([], 'tide', 9)).toEqual([])
  })
}
