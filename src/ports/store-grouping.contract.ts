/** Store contract: the grouping queue, and signatures. */
import { expect } from 'vitest'
import type { FeedId } from '../model/index.ts'
import { articleOf, readArticle, sameArticle, want } from './article-samples.contract.ts'
import { idsIn, joined, placed, publishedAtOf, sampleSignature, say, waiting } from './group-samples.contract.ts'
import { ALL_FEEDS } from './pending-work.ts'
import type { Promised } from './store-promise.contract.ts'
import { addFeed, all, draft, record, START } from './store-samples.contract.ts'

export function groupingPromises(promised: Promised): void {
  promised('returns entries to group, longest waiting first, until they are grouped', async (store) => {
    const feedId = await addFeed(store, 'f')
    expect(await store.ungrouped(9)).toEqual({ positions: [], changes: [], hasMore: false, boilerplate: [] })
    const [a, b, c] = await say(store, feedId, 'a', 'b', 'c')
    const first = await store.ungrouped(2)
    expect([first.hasMore, (await store.ungrouped(9)).hasMore]).toEqual([true, false])
    expect(first.changes).toMatchObject([
      { id: a, entry: { title: 'title of a' }, wasGrouped: false },
      { id: b, wasGrouped: false },
    ])
    expect(await store.ungrouped(2)).toStrictEqual(first)
    await store.recordGroups([placed(a), placed(b)], first.positions, START)
    expect(await waiting(store)).toEqual([c])
    await store.recordPolls([record(feedId, START + 9, { changed: [draft('a', { title: 'a anew' })] })])
    expect(await waiting(store)).toEqual([c, a])
    expect((await store.ungrouped(9)).changes.map(({ wasGrouped }) => wasGrouped)).toEqual([false, true])
  })

  promised(
    'returns an entry again with the text once its article is read, but not when that is deleted',
    async (store) => {
      const feedId = await addFeed(store, 'f')
      const [a, b, c] = await say(store, feedId, 'a', 'b', 'c')
      await store.recordGroups([placed(a), placed(b), placed(c)], (await store.ungrouped(9)).positions, START)
      await store.queueArticles([want(a, 'x', 'a'), want(b, 'x', 'b')], START)
      const [ofA, ofB] = [await articleOf(store, a), await articleOf(store, b)]
      await store.recordArticles([readArticle(ofA.id, START + 5, { pageUrl: ofA.url, text: 'words' })])
      const named = async () =>
        (await store.ungrouped(9)).changes.map(({ id, text, wasGrouped }) => [id, text, wasGrouped])
      expect(await named()).toEqual([[a, 'words', true]])
      await store.recordArticles([sameArticle(ofB.id, START + 6, ofA.id)])
      await store.queueArticles([want(c, 'x', 'a')], START + 7)
      expect((await named()).sort()).toEqual([a, b, c].map((id) => [id, 'words', true]))
      await store.recordGroups([], (await store.ungrouped(9)).positions, START)
      await store.forget('articles', START + 99, 9)
      expect(await named()).toEqual([])
    },
  )

  promised('returns an entry again if it changed during processing', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [a, b] = await say(store, feedId, 'a', 'b')
    const { positions } = await store.ungrouped(1)
    await store.recordPolls([record(feedId, START + 9, { changed: [draft('a', { title: 'a anew' })] })])
    await store.recordGroups([placed(a)], positions, START)
    expect(await waiting(store)).toEqual([b, a])
  })

  promised('queues entries again by date, and moves those already queued', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [old, late, early] = await say(store, feedId, 'old', 'late', 'early')
    await store.recordGroups([placed(old), placed(late), placed(early)], (await store.ungrouped(9)).positions, START)
    const dates = { old: START - 9, late: START - 1, early: START - 2 }
    const changed = Object.entries(dates).map(([key, publishedAt]) => draft(key, { publishedAt }))
    await store.recordPolls([record(feedId, START + 9, { changed })])
    expect(await store.regroupSince(START - 5)).toBe(2)
    expect(await waiting(store)).toEqual([old, early, late])
    expect((await store.ungrouped(9)).changes.map(({ wasGrouped }) => wasGrouped)).toEqual([true, true, true])
    expect(await store.regroupSince(START + 99)).toBe(0)
  })

  promised('returns signatures in the order of grouping, with the groups of their entries', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [a, b, c] = await say(store, feedId, 'a', 'b', 'c')
    await store.recordGroups([placed(a), placed(c)], [], START)
    await store.recordGroups([placed(b, { copy: joined(a), story: joined(a) })], [], START + 5)
    const [group] = await store.groupsOfEntries([a], 'copy')
    const [story] = await store.groupsOfEntries([a], 'story')
    expect(group?.id).not.toBe(story?.id)
    const known = await all(store.signatures({ since: START }))
    expect(known.map(({ id }) => id)).toEqual([a, c, b])
    expect({ ...known[0], signature: Uint8Array.from(known[0]!.signature) }).toEqual({
      id: a,
      at: publishedAtOf(a),
      signature: sampleSignature(a),
      groups: { copy: group?.id, story: story?.id },
    })
    expect(known[1]?.groups).toEqual({})
    expect((await all(store.signatures({ since: START + 5 }))).map(({ id }) => id)).toEqual([b])
    expect((await all(store.signatures({ since: START, newest: 2 }))).map(({ id }) => id)).toEqual([c, b])
    await store.recordGroups([placed(a, { copy: joined(b) })], [], START + 6)
    expect((await all(store.signatures({ since: START }))).map(({ id }) => id)).toEqual([c, b, a])
  })

  promised('deletes signatures outside the window, and keeps groups', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [a, b, c] = await say(store, feedId, 'a', 'b', 'c')
    await store.recordGroups([placed(a), placed(b, { copy: joined(a) })], [], START)
    await store.recordGroups([placed(c)], [], START + 5)
    expect(await store.forget('signatures', START + 5, 1)).toBe(1)
    expect(await store.forget('signatures', START + 5, 9)).toBe(1)
    expect((await all(store.signatures({ since: START }))).map(({ id }) => id)).toEqual([c])
    expect(await idsIn(store, a)).toEqual([a, b])
  })

  promised('stores boilerplate per feed and of all feeds, until the feed is removed', async (store) => {
    const [one, other] = [await addFeed(store, 'f'), await addFeed(store, 'g')]
    const boilerplate = async () =>
      (await store.feedBoilerplate([other, ALL_FEEDS, one])).map((memory) => memory && [...memory])
    expect(await boilerplate()).toEqual([undefined, undefined, undefined])
    const memoryOf = (feedId: FeedId, ...memory: number[]) => ({ feedId, memory: Uint8Array.from(memory) })
    await store.recordGroups([], [], START, [memoryOf(one, 1), memoryOf(other, 2, 255), memoryOf(ALL_FEEDS, 3)])
    await store.recordGroups([], [], START, [memoryOf(one, 4), memoryOf(99 as FeedId, 5)])
    expect(await boilerplate()).toEqual([[2, 255], [3], [4]])
    await store.removeFeed(other)
    await store.recordGroups([], [], START, [memoryOf(other, 6)])
    expect(await boilerplate()).toEqual([undefined, [3], [4]])
    expect(await store.feedBoilerplate([99 as FeedId])).toEqual([undefined])
  })

  promised('returns entries to group with the boilerplate of their feeds and of all feeds', async (store) => {
    const [one, other] = [await addFeed(store, 'f'), await addFeed(store, 'g')]
    await say(store, one, 'a', 'b')
    expect((await store.ungrouped(9)).boilerplate).toEqual([])
    const memoryOf = (feedId: FeedId, ...memory: number[]) => ({ feedId, memory: Uint8Array.from(memory) })
    await store.recordGroups([], [], START, [memoryOf(one, 1), memoryOf(other, 2), memoryOf(ALL_FEEDS, 3)])
    const { boilerplate } = await store.ungrouped(9)
    expect(boilerplate.map(({ feedId, memory }) => [feedId, ...memory])).toEqual([
      [ALL_FEEDS, 3],
      [one, 1],
    ])
  })

  promised('marks entries as indexed by the write of their groups', async (store) => {
    await say(store, await addFeed(store, 'f'), 'a', 'b')
    const [[first], grouped] = [(await store.unindexed(9)).positions, (await store.ungrouped(9)).positions]
    await store.recordGroups([], grouped, START, [], [first!])
    expect((await store.unindexed(9)).changes.map(({ entry }) => entry?.title)).toEqual(['title of b'])
    expect((await store.ungrouped(9)).changes).toEqual([])
  })
}
