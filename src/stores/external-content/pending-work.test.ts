/** Pending changes of a store with a content store: references are short, but their texts may be long. */
import { expect, test } from 'vitest'
import type { EntryId, Instant } from '../../model/index.ts'
import type { ContentStore, Store } from '../../ports/index.ts'
import { addFeed, record } from '../../ports/store-samples.contract.ts'
import { createMemoryContentStore } from '../memory/content-store.ts'
import { createMemoryStore } from '../memory/index.ts'
import { unpackContent } from './content-addresses.ts'
import { withContentStore } from './index.ts'

const START = Date.UTC(2026, 2, 14, 12) as Instant
const ENTRIES = 60
/** A batch ends with the text that exceeds a million characters; at most seven more were looked up together with it. */
const TEXT_LIMIT = 1_000_000 + 400_000
const MOST_LOOKED_UP = 8 * 400_000

test.each([
  ['unindexed', 'long', 400_000],
  ['unindexed', 'short', 4000],
  ['ungrouped', 'long', 400_000],
  ['ungrouped', 'short', 4000],
] as const)('%s: bounds how many %s texts are read at once, and returns each change once', async (queue, _, length) => {
  const { store, looked, filed } = await stage(length)
  const returned: EntryId[] = []
  let batches = 0
  for (;;) {
    const { positions, changes } = await store[queue](ENTRIES)
    if (changes.length === 0) break
    expect(positions).toHaveLength(changes.length)
    const characters = changes.map(({ entry }) => entry!.content!.length)
    expect(Math.min(...characters)).toBe(length)
    expect(characters.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(TEXT_LIMIT)
    returned.push(...changes.map(({ id }) => id))
    await (queue === 'unindexed' ? store.markIndexed(positions) : store.recordGroups([], positions, START))
    batches++
  }
  expect(returned).toHaveLength(ENTRIES)
  expect(new Set(returned).size).toBe(ENTRIES)
  expect(batches).toBe(length > 100_000 ? ENTRIES / 3 : 1)
  expect(Math.max(...looked)).toBeLessThanOrEqual(MOST_LOOKED_UP)
  expect(filed).toEqual(queue === 'unindexed' ? returned : []) // an entry record is written with its own batch only
})

test.each([
  ['long', 400_000],
  ['short', 4000],
] as const)('bounds how many %s texts a scan of all entries looks up at once', async (_, length) => {
  const { store, looked } = await stage(length)
  const returned: EntryId[] = []
  for await (const { id, content } of store.everyEntry({})) {
    expect(content).toHaveLength(length)
    returned.push(id)
  }
  expect(new Set(returned).size).toBe(ENTRIES)
  expect(Math.max(...looked)).toBeLessThanOrEqual(MOST_LOOKED_UP)
  expect(Math.max(...looked.slice(1))).toBeLessThanOrEqual(1_000_000)
  expect(looked.length).toBeGreaterThanOrEqual(length > 100_000 ? ENTRIES / 3 : 3)
})

async function stage(length: number): Promise<{ store: Store; looked: number[]; filed: EntryId[] }> {
  const innerContentStore = createMemoryContentStore()
  const looked: number[] = []
  const filed: EntryId[] = []
  const contentStore: ContentStore = {
    ...innerContentStore,
    async getTexts(names) {
      const found = await innerContentStore.getTexts(names)
      looked.push(found.reduce((sum, bytes) => sum + unpackContent(bytes!).length, 0))
      return found
    },
    async putEntries(entries, at) {
      filed.push(...entries.map(({ id }) => id))
      await innerContentStore.putEntries(entries, at)
    },
  }
  const store = withContentStore(createMemoryStore(), contentStore, { now: () => START })
  const feedId = await addFeed(store, 'a')
  const fresh = Array.from({ length: ENTRIES }, (_, i) => {
    return { key: `e${i}`, title: `e${i}`, content: `${i} `.repeat(length).slice(0, length) }
  })
  await store.recordPolls([record(feedId, START, { fresh })])
  return { store, looked, filed }
}
