/** What waits in the lines of a ledger with a library: names are short, and what they name may be long. */
import { expect, test } from 'vitest'
import type { EntryId, Instant } from '../../model/index.ts'
import type { Library, Store } from '../../ports/index.ts'
import { addFeed, record } from '../../ports/store-samples.contract.ts'
import { createMemoryStore } from '../memory/index.ts'
import { createMemoryLibrary } from '../memory/library.ts'
import { withLibrary } from './index.ts'
import { saidIn } from './names.ts'

const START = Date.UTC(2026, 2, 14, 12) as Instant
const ENTRIES = 60
/** A bite ends with the text that exceeds a million characters; what was looked up together with it is seven more at most. */
const MOST_TOLD = 1_000_000 + 400_000
const MOST_LOOKED_UP = 8 * 400_000

test.each([
  ['unindexed', 'long', 400_000],
  ['unindexed', 'short', 4000],
  ['unplaced', 'long', 400_000],
  ['unplaced', 'short', 4000],
] as const)(
  '%s: of %s texts no more are read at once than is promised, and each is told once',
  async (line, _, length) => {
    const { store, looked, filed } = await stage(length)
    const told: EntryId[] = []
    let bites = 0
    for (;;) {
      const { marks, changes } = await store[line](ENTRIES)
      if (changes.length === 0) break
      expect(marks).toHaveLength(changes.length)
      const characters = changes.map(({ entry }) => entry!.content!.length)
      expect(Math.min(...characters)).toBe(length)
      expect(characters.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(MOST_TOLD)
      told.push(...changes.map(({ id }) => id))
      await (line === 'unindexed' ? store.indexed(marks) : store.place([], marks, START))
      bites++
    }
    expect(told).toHaveLength(ENTRIES)
    expect(new Set(told).size).toBe(ENTRIES)
    expect(bites).toBe(length > 100_000 ? ENTRIES / 3 : 1)
    expect(Math.max(...looked)).toBeLessThanOrEqual(MOST_LOOKED_UP)
    expect(filed).toEqual(line === 'unindexed' ? told : []) // a card is written with its bite, and not with every one before
  },
)

test.each([
  ['long', 400_000],
  ['short', 4000],
] as const)('a walk over all entries looks up no more of %s texts at once than is promised', async (_, length) => {
  const { store, looked } = await stage(length)
  const told: EntryId[] = []
  for await (const { id, content } of store.everyEntry({})) {
    expect(content).toHaveLength(length)
    told.push(id)
  }
  expect(new Set(told).size).toBe(ENTRIES)
  expect(Math.max(...looked)).toBeLessThanOrEqual(MOST_LOOKED_UP)
  expect(Math.max(...looked.slice(1))).toBeLessThanOrEqual(1_000_000)
  expect(looked.length).toBeGreaterThanOrEqual(length > 100_000 ? ENTRIES / 3 : 3)
})

async function stage(length: number): Promise<{ store: Store; looked: number[]; filed: EntryId[] }> {
  const own = createMemoryLibrary()
  const looked: number[] = []
  const filed: EntryId[] = []
  const library: Library = {
    ...own,
    async textsOf(names) {
      const found = await own.textsOf(names)
      looked.push(found.reduce((sum, bytes) => sum + saidIn(bytes!).length, 0))
      return found
    },
    async file(entries, at) {
      filed.push(...entries.map(({ id }) => id))
      await own.file(entries, at)
    },
  }
  const store = withLibrary(createMemoryStore(), library, { now: () => START })
  const feedId = await addFeed(store, 'a')
  const fresh = Array.from({ length: ENTRIES }, (_, i) => {
    return { key: `e${i}`, title: `e${i}`, content: `${i} `.repeat(length).slice(0, length) }
  })
  await store.recordPolls([record(feedId, START, { fresh })])
  return { store, looked, filed }
}
