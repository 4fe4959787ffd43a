/**
 * A store that answers late, like one on another machine: before and after each call some turns of the event loop pass, drawn from a seed,
 * so other work runs in between. A store in memory answers at once and hides races between a read and the write based on it.
 *
 * The tests listed in vitest.config.ts run on both; `STORE_YIELDS=1 npx vitest run src/crawl` applies it to all.
 */
import { setImmediate as letOthers } from 'node:timers/promises'
import type { Store } from '../src/ports/index.ts'
import { createMemoryStore } from '../src/stores/index.ts'
import { createChance } from './invalid-values.ts'

const MOST_TURNS = 3
const STREAMS = new Set<keyof Store>([
  'everyFeed',
  'everyEntry',
  'everyPoll',
  'pollsToForget',
  'everyArticle',
  'everyFeedsReads',
  'signatures',
])

export interface YieldingStore {
  store: Store
  /** While it lets turns pass, for which a clock that is stepped has to wait; what a test makes slow is the test's to end. */
  isBusy: () => boolean
}

export const storeYields = process.env.STORE_YIELDS === '1'

/** In memory; it yields where this run's stores do. */
export function memoryStore(seed = 1): Store {
  const store = createMemoryStore()
  return storeYields ? createYieldingStore(store, seed).store : store
}

export function createYieldingStore(inner: Store, seed: number): YieldingStore {
  const chance = createChance(seed)
  let yielding = 0

  async function someTurns(): Promise<void> {
    yielding++
    for (let left = Math.floor(chance.next() * (MOST_TURNS + 1)); left > 0; left--) await letOthers()
    yielding--
  }

  /** Found anew at each call: a test may have put another in its place meanwhile. */
  const call = (name: keyof Store, given: unknown[]): unknown => Reflect.apply(inner[name], inner, given)

  const answering =
    (name: keyof Store) =>
    async (...given: unknown[]) => {
      await someTurns()
      try {
        return await call(name, given)
      } finally {
        await someTurns()
      }
    }

  const streaming = (name: keyof Store) =>
    async function* (...given: unknown[]) {
      for await (const one of call(name, given) as AsyncIterable<unknown>) {
        await someTurns()
        yield one
      }
    }

  const names = Object.keys(inner) as (keyof Store)[]
  const methods = names.map((name) => [name, STREAMS.has(name) ? streaming(name) : answering(name)])
  return { store: Object.fromEntries(methods), isBusy: () => yielding > 0 }
}
