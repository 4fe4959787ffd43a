/** What a store promises of the line in which entries wait for the search index. */
import { expect } from 'vitest'
import type { Store } from './index.ts'
import type { Promised } from './store-promise.contract.ts'
import { addFeed, all, draft, record, START } from './store-samples.contract.ts'

export function indexPromises(promised: Promised): void {
  promised('names new and changed entries, longest waiting first, until they were dealt with', async (store) => {
    const feedId = await addFeed(store, 'f')
    expect((await store.unindexed(9)).changes).toEqual([])
    await store.recordPolls([record(feedId, START, { fresh: [draft('a'), draft('b'), draft('c')] })])
    const entries = await all(store.everyEntry({}))
    const first = await store.unindexed(2)
    expect(first.changes).toStrictEqual(entries.slice(0, 2).map((entry) => ({ id: entry.id, entry })))
    expect(await store.unindexed(2)).toStrictEqual(first)
    await store.indexed(first.marks)
    await store.indexed(first.marks)
    expect(await waiting(store)).toEqual(['title of c'])
    await store.recordPolls([record(feedId, START + 1, { changed: [draft('a', { title: 'a anew' })] })])
    expect(await waiting(store)).toEqual(['title of c', 'a anew'])
  })

  promised('names an entry again that changed while it was on its way', async (store) => {
    const feedId = await addFeed(store, 'f')
    await store.recordPolls([record(feedId, START, { fresh: [draft('a'), draft('b'), draft('c')] })])
    const { marks } = await store.unindexed(2)
    await store.recordPolls([record(feedId, START + 1, { changed: [draft('a', { title: 'a anew' })] })])
    await store.indexed(marks)
    expect(await waiting(store)).toEqual(['title of c', 'a anew'])
  })

  promised('takes out what was dealt with, and nobody who stood before or between', async (store) => {
    const feedId = await addFeed(store, 'f')
    await store.recordPolls([record(feedId, START, { fresh: ['a', 'b', 'c', 'd'].map((key) => draft(key)) })])
    const { marks } = await store.unindexed(9)
    await store.indexed([marks[3]!, marks[1]!])
    expect(await waiting(store)).toEqual(['title of a', 'title of c'])
    const places = (await store.unplaced(9)).marks
    await store.place([], [places[2]!], START)
    const unplaced = (await store.unplaced(9)).changes.map(({ entry }) => entry?.title)
    expect(unplaced).toEqual(['title of a', 'title of b', 'title of d'])
    await store.indexed(marks)
    await store.indexed([])
    expect(await waiting(store)).toEqual([])
  })

  promised('says how many entries wait for the index and for their place', async (store) => {
    const feedId = await addFeed(store, 'f')
    expect((await store.counts()).waiting).toEqual({ index: 0, groups: 0 })
    const fresh = Array.from({ length: 300 }, (_, i) => draft(`e${i}`))
    await store.recordPolls([record(feedId, START, { fresh })])
    expect((await store.counts()).waiting).toEqual({ index: 300, groups: 300 })
    await store.indexed((await store.unindexed(100)).marks)
    await store.place([], (await store.unplaced(1)).marks, START)
    expect((await store.counts()).waiting).toEqual({ index: 200, groups: 299 })
  })

  promised('names all that wait, however long their texts are, and in a bite one at least', async (store) => {
    const feedId = await addFeed(store, 'f')
    const fresh = Array.from({ length: 8 }, (_, i) => draft(`e${i}`, { content: 'x'.repeat(450_000) }))
    await store.recordPolls([record(feedId, START, { fresh })])
    let [named, bites] = [0, 0]
    for (;;) {
      const { marks, changes } = await store.unindexed(100)
      expect((await store.unplaced(100)).changes.length).toBeGreaterThan(0)
      if (changes.length === 0) break
      await store.indexed(marks)
      named += changes.length
      if (++bites > 8) throw new Error('it never ends')
    }
    expect(named).toBe(8)
  })

  promised('loses nothing that comes after an empty answer', async (store) => {
    const feedId = await addFeed(store, 'f')
    await store.recordPolls([record(feedId, START, { fresh: [draft('a')] })])
    await store.indexed((await store.unindexed(9)).marks)
    const { marks, changes } = await store.unindexed(9)
    expect(changes).toEqual([])
    await store.recordPolls([record(feedId, START + 1, { fresh: [draft('b')] })])
    await store.indexed(marks)
    expect(await waiting(store)).toEqual(['title of b'])
  })

  promised('names what was forgotten or removed, so that the index drops it', async (store) => {
    const a = await addFeed(store, 'a')
    const b = await addFeed(store, 'b')
    await store.recordPolls([
      record(a, START, { fresh: [draft('a1'), draft('a2')] }),
      record(b, START + 5, { fresh: [draft('b1')] }),
      record(a, START + 6, { fresh: [draft('a3')] }),
    ])
    const [a1, a2, b1, a3] = (await all(store.everyEntry({}))).map((entry) => entry.id)
    await store.indexed((await store.unindexed(9)).marks)
    await store.forgetEntries(START + 1, 1)
    expect((await store.unindexed(9)).changes).toStrictEqual([{ id: a1 }])
    await store.forgetEntries(START + 1, 1)
    await store.removeFeed(b)
    const { marks, changes } = await store.unindexed(9)
    expect(changes).toStrictEqual([{ id: a1 }, { id: a2 }, { id: b1 }])
    await store.indexed(marks)
    expect((await store.unindexed(9)).changes).toEqual([])
    await store.removeFeed(a)
    expect((await store.unindexed(9)).changes).toStrictEqual([{ id: a3 }])
  })

  promised('names an entry that went before it was ever indexed only to be dropped', async (store) => {
    const feedId = await addFeed(store, 'f')
    await store.recordPolls([record(feedId, START, { fresh: [draft('a')] })])
    const { marks } = await store.unindexed(9)
    await store.forgetEntries(START + 1, 9)
    await store.indexed(marks)
    expect((await store.unindexed(9)).changes.map((change) => change.entry)).toEqual([undefined])
  })
}

async function waiting(store: Store): Promise<(string | undefined)[]> {
  return (await store.unindexed(99)).changes.map((change) => change.entry?.title)
}
