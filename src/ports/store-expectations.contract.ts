/** Assertions shared by the store contract. */
import { expect } from 'vitest'
import type { FeedId, ScheduledFeed } from '../model/index.ts'
import type { Counts, Store } from './index.ts'

export async function feedById(store: Store, id: FeedId): Promise<ScheduledFeed> {
  const [found] = await store.feedsById([id])
  expect(found).toBeDefined()
  return found!
}

const NO_ARTICLES = { waiting: 0, read: 0, refused: 0, failed: 0, pages: 0 }
const NOTHING = { feeds: { active: 0, paused: 0, gone: 0 }, failing: 0, unpolled: 0, looking: 0, entries: 0, polls: 0 }

/** Counts that are not given must be 0. */
export async function expectCounts(
  store: Store,
  {
    feeds,
    articles,
    ...rest
  }: Partial<Omit<Counts, 'feeds' | 'articles' | 'waiting'>> & {
    feeds?: Partial<Counts['feeds']>
    articles?: Partial<Counts['articles']>
  },
): Promise<void> {
  const { bytes, waiting: _, articles: counted, ...counts } = await store.counts()
  const { textBytes, pageBytes, ...states } = counted
  expect(Math.min(bytes, textBytes, pageBytes)).toBeGreaterThanOrEqual(0)
  expect(counts).toEqual({ ...NOTHING, ...rest, feeds: { ...NOTHING.feeds, ...feeds } })
  expect(states).toEqual({ ...NO_ARTICLES, ...articles })
}
