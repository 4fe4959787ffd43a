/** What several of the store's promises look at. */
import { expect } from 'vitest'
import type { FeedId, ScheduledFeed } from '../model/index.ts'
import type { Counts, Store } from './store.ts'

export async function feedById(store: Store, id: FeedId): Promise<ScheduledFeed> {
  const [found] = await store.feedsById([id])
  expect(found).toBeDefined()
  return found!
}

const NOTHING = { feeds: { active: 0, paused: 0, gone: 0 }, troubled: 0, unpolled: 0, looking: 0, entries: 0, polls: 0 }

/** What is not named is 0. */
export async function expectCounts(
  store: Store,
  { feeds, ...rest }: Partial<Omit<Counts, 'feeds'>> & { feeds?: Partial<Counts['feeds']> },
): Promise<void> {
  const { bytes, ...counts } = await store.counts()
  expect(bytes).toBeGreaterThanOrEqual(0)
  expect(counts).toEqual({ ...NOTHING, ...rest, feeds: { ...NOTHING.feeds, ...feeds } })
}
