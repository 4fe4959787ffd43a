/** Store contract: leader election. */
import { expect } from 'vitest'
import type { Promised } from './store-promise.contract.ts'
import { START } from './store-samples.contract.ts'

const MINUTE = 60_000

export function leadershipPromises(promised: Promised): void {
  promised('elects and renews a single candidate', async (store) => {
    const epoch = await store.lead('index', 'ada', START, START + MINUTE)
    expect(epoch).toBeGreaterThan(0)
    expect(await store.lead('index', 'ada', START + 1, START + 1 + MINUTE)).toBe(epoch)
    await store.resign('index', 'ada')
  })
}

export function standbyPromises(promised: Promised): void {
  promised('has one leader per role, and replaces one that dies or resigns', async (store, other) => {
    const first = await store.lead('index', 'ada', START, START + MINUTE)
    expect(await other.lead('index', 'bob', START + 1, START + MINUTE)).toBeUndefined()
    expect(await other.lead('places', 'bob', START + 1, START + MINUTE)).toBeGreaterThan(0)
    expect(await other.lead('index', 'bob', START + MINUTE, START + 2 * MINUTE)).toBe(first! + 1)
    expect(await store.lead('index', 'ada', START + MINUTE + 1, START + 2 * MINUTE)).toBeUndefined()
    await store.resign('index', 'ada') // ada no longer leads
    expect(await store.lead('index', 'ada', START + MINUTE + 2, START + 2 * MINUTE)).toBeUndefined()
    await other.resign('index', 'bob')
    expect(await store.lead('index', 'ada', START + MINUTE + 3, START + 2 * MINUTE)).toBe(first! + 2)
  })

  promised('elects one of many concurrent candidates', async (store, other) => {
    const names = Array.from({ length: 8 }, (_, n) => `n${n}`)
    const claims = names.map((name, n) => (n % 2 ? store : other).lead('market', name, START, START + MINUTE))
    expect((await Promise.all(claims)).filter((epoch) => epoch !== undefined)).toHaveLength(1)
  })
}
