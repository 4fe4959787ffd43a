/**
 * A store that answers late, like one on another machine: before and after each call some turns of the event loop pass, drawn from a seed,
 * so other work runs in between. A store in memory answers at once and hides races between a read and the write based on it.
 *
 * The tests listed in vitest.config.ts run on both; `STORE_YIELDS=1 npx vitest run src/crawl` applies it to all.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Store } from '../src/ports/index.ts'
import { createMemoryStore } from '../src/stores/index.ts'
import { createRandom } from './invalid-values.ts'

const MAX_TURNS = 3
const STREAMS = new Set<keyof Store>([
  'everyFeed',
  'everyEntry',
  'everyPoll',
  'pollsToForget',
  'everyArticle',
  'everyFeedReads',
  'signatures',
])

export interface YieldingStore {
  store: Store
  /** Whether the store is yielding, which a stepped clock has to wait for. Delays that a test adds are up to the test. */
  isBusy: () => boolean
}

export const storeYields = process.env.STORE_YIELDS === '1'

/** A memory store that yields if STORE_YIELDS is set. */
export function memoryStore(seed = 1): Store {
  const store = createMemoryStore()
  return storeYields ? createYieldingStore(store, seed).store : store
}

export function createYieldingStore(inner: Store, seed: number): YieldingStore {
  const chance = createRandom(seed)
  let yielding = 0

  async function yieldSomeTurns(): Promise<void> {
    yielding++
    for (let left = Math.floor(chance.next() * (MAX_TURNS + 1)); left > 0; left--) await yieldToEventLoop()
    yielding--
  }

  /** Looks up the method at each call, because a test may have replaced it. */
  const call = (name: keyof Store, args: unknown[]): unknown => Reflect.apply(inner[name], inner, args)

  const yieldingCall =
    (name: keyof Store) =>
    async (...args: unknown[]) => {
      await yieldSomeTurns()
      try {
        return await call(name, args)
      } finally {
        await yieldSomeTurns()
      }
    }

  const yieldingStream = (name: keyof Store) =>
    async function* (...args: unknown[]) {
      for await (const item of call(name, args) as AsyncIterable<unknown>) {
        await yieldSomeTurns()
        yield item
      }
    }

  const names = Object.keys(inner) as (keyof Store)[]
  const methods = names.map((name) => [name, STREAMS.has(name) ? yieldingStream(name) : yieldingCall(name)])
  return { store: Object.fromEntries(methods), isBusy: () => yielding > 0 }
}
