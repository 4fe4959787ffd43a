/** Store contract: the queue of entries for the search index. */
import { expect } from 'vitest'
import type { Store } from './index.ts'
import type { Promised } from './store-promise.contract.ts'
import { addFeed, all, draft, record, START } from './store-samples.contract.ts'

export function indexPromises(promised: Promised): void {
  promised('returns new and changed entries, longest waiting first, until they are indexed', async (store) => {
    const feedId = await addFeed(store, 'f')
    expect((await store.unindexed(9)).changes).toEqual([])
    await store.recordPolls([record(feedId, START, { fresh: [draft('a'), draft('b'), draft('c')] })])
    const entries = await all(store.everyEntry({}))
    const first = await store.unindexed(2)
    expect([first.hasMore, (await store.unindexed(9)).hasMore]).toEqual([true, false])
    expect(first.changes).toStrictEqual(entries.slice(0, 2).map((entry) => ({ id: entry.id, entry })))
    expect(await store.unindexed(2)).toStrictEqual(first)
    await store.markIndexed(first.positions)
    await store.markIndexed(first.positions)
    expect(await waiting(store)).toEqual(['title of c'])
    await store.recordPolls([record(feedId, START + 1, { changed: [draft('a', { title: 'a anew' })] })])
    expect(await waiting(store)).toEqual(['title of c', 'a anew'])
  })

  promised('returns an entry again if it changed during processing', async (store) => {
    const feedId = await addFeed(store, 'f')
    await store.recordPolls([record(feedId, START, { fresh: [draft('a'), draft('b'), draft('c')] })])
    const { positions } = await store.unindexed(2)
    await store.recordPolls([record(feedId, START + 1, { changed: [draft('a', { title: 'a anew' })] })])
    await store.markIndexed(positions)
    expect(await waiting(store)).toEqual(['title of c', 'a anew'])
  })

  promised('removes only indexed changes from the queue', async (store) => {
    const feedId = await addFeed(store, 'f')
    await store.recordPolls([record(feedId, START, { fresh: ['a', 'b', 'c', 'd'].map((key) => draft(key)) })])
    const { positions } = await store.unindexed(9)
    await store.markIndexed([positions[3]!, positions[1]!])
    expect(await waiting(store)).toEqual(['title of a', 'title of c'])
    const places = (await store.ungrouped(9)).positions
    await store.recordGroups([], [places[2]!], START)
    const unplaced = (await store.ungrouped(9)).changes.map(({ entry }) => entry?.title)
    expect(unplaced).toEqual(['title of a', 'title of b', 'title of d'])
    await store.markIndexed(positions)
    await store.markIndexed([])
    expect(await waiting(store)).toEqual([])
  })

  promised('counts entries waiting for indexing and grouping', async (store) => {
    const feedId = await addFeed(store, 'f')
    expect((await store.counts()).waiting).toEqual({ index: 0, groups: 0 })
    const fresh = Array.from({ length: 300 }, (_, i) => draft(`e${i}`))
    await store.recordPolls([record(feedId, START, { fresh })])
    expect((await store.counts()).waiting).toEqual({ index: 300, groups: 300 })
    await store.markIndexed((await store.unindexed(100)).positions)
    await store.recordGroups([], (await store.ungrouped(1)).positions, START)
    expect((await store.counts()).waiting).toEqual({ index: 200, groups: 299 })
  })

  promised('returns all waiting entries despite long texts, at least one per batch', async (store) => {
    const feedId = await addFeed(store, 'f')
    const fresh = Array.from({ length: 8 }, (_, i) => draft(`e${i}`, { content: 'x'.repeat(450_000) }))
    await store.recordPolls([record(feedId, START, { fresh })])
    let [named, chunks] = [0, 0]
    for (;;) {
      const { positions, changes } = await store.unindexed(100)
      expect((await store.ungrouped(100)).changes.length).toBeGreaterThan(0)
      if (changes.length === 0) break
      await store.markIndexed(positions)
      named += changes.length
      if (++chunks > 8) throw new Error('it never ends')
    }
    expect(named).toBe(8)
  })

  promised('returns changes that arrive after an empty result', async (store) => {
    const feedId = await addFeed(store, 'f')
    await store.recordPolls([record(feedId, START, { fresh: [draft('a')] })])
    await store.markIndexed((await store.unindexed(9)).positions)
    const { positions, changes } = await store.unindexed(9)
    expect(changes).toEqual([])
    await store.recordPolls([record(feedId, START + 1, { fresh: [draft('b')] })])
    await store.markIndexed(positions)
    expect(await waiting(store)).toEqual(['title of b'])
  })

  promised('returns deleted and removed entries, so that the index drops them', async (store) => {
    const a = await addFeed(store, 'a')
    const b = await addFeed(store, 'b')
    await store.recordPolls([
      record(a, START, { fresh: [draft('a1'), draft('a2')] }),
      record(b, START + 5, { fresh: [draft('b1')] }),
      record(a, START + 6, { fresh: [draft('a3')] }),
    ])
    const [a1, a2, b1, a3] = (await all(store.everyEntry({}))).map((entry) => entry.id)
    await store.markIndexed((await store.unindexed(9)).positions)
    await store.forget('entries', START + 1, 1)
    expect((await store.unindexed(9)).changes).toStrictEqual([{ id: a1 }])
    await store.forget('entries', START + 1, 1)
    await store.removeFeed(b)
    const { positions, changes } = await store.unindexed(9)
    expect(changes).toStrictEqual([{ id: a1 }, { id: a2 }, { id: b1 }])
    await store.markIndexed(positions)
    expect((await store.unindexed(9)).changes).toEqual([])
    await store.removeFeed(a)
    expect((await store.unindexed(9)).changes).toStrictEqual([{ id: a3 }])
  })

  promised('returns an entry that was deleted before indexing only to be dropped', async (store) => {
    const feedId = await addFeed(store, 'f')
    await store.recordPolls([record(feedId, START, { fresh: [draft('a')] })])
    const { positions } = await store.unindexed(9)
    await store.forget('entries', START + 1, 9)
    await store.markIndexed(positions)
    expect((await store.unindexed(9)).changes.map((change) => change.entry)).toEqual([undefined])
  })
}

async function waiting(store: Store): Promise<(string | undefined)[]> {
  return (await store.unindexed(99)).changes.map((change) => change.entry?.title)
}
