/** Store contract: removal of large feeds, which are hidden at once and deleted in chunks, and of single entries. */
import { expect } from 'vitest'
import type { EntryId, FeedId } from '../model/index.ts'
import type { Store } from './index.ts'
import { expectCounts } from './store-expectations.contract.ts'
import type { Promised } from './store-promise.contract.ts'
import { addFeed, all, draft, record, START } from './store-samples.contract.ts'

const ENTRIES = 700
const CHUNK = 90

export function removalPromises(promised: Promised): void {
  promised('hides a large feed as soon as it is removed', async (store) => {
    const { large, small } = await largeAndSmall(store)
    const ids = (await store.entries({ feedId: large, limit: 3 })).map(({ id }) => id)
    await store.markIndexed((await store.unindexed(9999)).positions)
    expect(await store.removeFeed(large)).toBe(true)
    expect(await store.removeFeed(large)).toBe(false)

    expect(await store.feedsById([large])).toEqual([undefined])
    expect((await store.entries({ limit: 9999 })).map(({ feedId }) => feedId)).toEqual([small])
    expect(await store.entries({ feedId: large, limit: 9 })).toEqual([])
    expect(await store.entriesById(ids)).toEqual([undefined, undefined, undefined])
    expect((await all(store.everyEntry({}))).map(({ feedId }) => feedId)).toEqual([small])
    expect(await all(store.everyEntry({ feedId: large }))).toEqual([])
    expect(await store.knownEntries([{ feedId: large, keys: ['e1', 'old'] }])).toEqual([new Map()])
    expect((await store.polls({ limit: 9999 })).map(({ feedId }) => feedId)).toEqual([small])
    expect((await all(store.everyPoll({}))).map(({ feedId }) => feedId)).toEqual([small])
    expect(await store.statistics(0)).toMatchObject({ entries: 1, byFeed: [{ feedId: small }], polls: { count: 1 } })
    expect((await store.counts()).entries).toBe(1)
    expect(await store.forget('entries', START + 2, 9999)).toBe(0)
    expect(await store.recordPolls([record(large, START + 9, { fresh: [draft('late')] })])).toEqual(['void'])
  })

  promised('deletes the rest of removed feeds in batches, and queues all of it for the index', async (store) => {
    const { large, small } = await largeAndSmall(store)
    await store.markIndexed((await store.unindexed(9999)).positions)
    await store.removeFeed(large)
    const again = await addFeed(store, 'large')
    expect(again).not.toBe(large)
    for (let chunks = 0; ; chunks++) {
      const swept = await store.sweepRemoved(CHUNK)
      expect(swept).toBeLessThanOrEqual(CHUNK)
      if (swept === 0) break
      if (chunks > (3 * ENTRIES) / CHUNK) throw new Error('it never ends')
    }
    const { changes } = await store.unindexed(9999)
    expect(changes.filter(({ entry }) => !entry)).toHaveLength(ENTRIES)
    await expectCounts(store, { feeds: { active: 2 }, unpolled: 1, entries: 1, polls: 1 })
    expect(await store.knownEntries([{ feedId: again, keys: ['e1', 'old'] }])).toEqual([new Map()])
    expect((await store.entries({ limit: 9 })).map(({ feedId }) => feedId)).toEqual([small])
  })

  promised('deletes old entry texts except starred ones, and keeps groups, read and starred state', async (store) => {
    const feedId = await addFeed(store, 'f')
    await store.recordPolls([record(feedId, START, { fresh: ['a', 'b', 'c'].map((key) => draft(key)) })])
    const ids = (await all(store.everyEntry({ feedId }))).map(({ id }) => id)
    const [a, b, c] = ids as [EntryId, EntryId, EntryId]
    const userId = await store.firstUser()
    await store.follow(userId, [{ feedId }], START, 99)
    await store.markEntries(userId, [a], 'read', START)
    await store.starEntries(userId, [c], true, START)
    await store.markIndexed((await store.unindexed(99)).positions)
    expect(await store.forgetEntriesById([b, c, b, 999 as EntryId])).toBe(1)
    expect((await store.entriesById([a, b, c])).map((entry) => entry?.id)).toEqual([a, undefined, c])
    const [known] = await store.knownEntries([{ feedId, keys: ['a', 'b'] }])
    expect([known!.get('a'), known!.get('b')]).toMatchObject([{ seenAt: START }, 'forgotten'])
    expect((await store.unindexed(99)).changes.filter(({ entry }) => !entry).map(({ id }) => id)).toEqual([b])
    expect((await store.subscriptionsTo(userId, [feedId]))[0]).toMatchObject({ unread: 1 })
    await expectCounts(store, { feeds: { active: 1 }, entries: 2, polls: 1 })
    expect(await store.forgetEntriesById([b])).toBe(0)
  })
}

/** Many entries, a key of a deleted entry, and more polls than a batch has. */
async function largeAndSmall(store: Store): Promise<{ large: FeedId; small: FeedId }> {
  const large = await addFeed(store, 'large')
  const small = await addFeed(store, 'small')
  await store.recordPolls([record(large, START, { fresh: [draft('old')] })])
  await store.forget('entries', START + 1, 1)
  const fresh = Array.from({ length: ENTRIES }, (_, i) => draft(`e${i}`))
  await store.recordPolls([record(large, START + 1, { fresh })])
  for (let i = 0; i < 2 * CHUNK; i++) await store.recordPolls([record(large, START + 2 + i)])
  await store.recordPolls([record(small, START + 2, { fresh: [draft('x')] })])
  return { large, small }
}
