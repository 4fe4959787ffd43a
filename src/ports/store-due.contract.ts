/** Store contract: due dates and leases. */
import { expect } from 'vitest'
import type { FeedId, SourceId } from '../model/index.ts'
import type { Store } from './index.ts'
import type { Promised } from './store-promise.contract.ts'
import { addFeed, addSource, newFeed, newSchedule, newSource, record, START } from './store-samples.contract.ts'

const HOUR = 3_600_000

export function duePromises(promised: Promised): void {
  promised('leases due items, longest due first, at most `limit` of each kind', async (store) => {
    await store.addFeeds([
      newFeed('second', {}, { dueAt: START - 10 }),
      newFeed('not-yet', {}, { dueAt: START + 1 }),
      newFeed('first', {}, { dueAt: START - 20 }),
      newFeed('third', {}, { dueAt: START }),
      newFeed('paused', { state: 'paused' }, { dueAt: START - 30 }),
      newFeed('gone', { state: 'gone' }, { dueAt: START - 30 }),
    ])
    await store.addSources([newSource('s2'), newSource('s1', { dueAt: START - 5 }), newSource('s3')])
    expect(await take(store, START, 2)).toEqual(['first', 'second', 's1', 's2'])
    expect(await take(store, START, 2)).toEqual(['third', 's3'])
    expect(await take(store, START, 2)).toEqual([])
  })

  promised('leases complete feeds and sources', async (store) => {
    const feed = newFeed('f', { validators: { etag: '1' } }, { memory: Uint8Array.of(1) })
    const feedId = (await store.addFeeds([feed]))[0]!.id
    const sourceId = await addSource(store, 's', { folder: 'x' })
    const lease = expect.any(String)
    expect(await store.leaseDue(START, 9, START + HOUR)).toStrictEqual({
      feeds: [{ feed: { ...feed.feed, id: feedId }, schedule: feed.schedule, revision: expect.any(Number), lease }],
      sources: [{ ...newSource('s', { folder: 'x' }), id: sourceId, state: 'looking', failures: 0, lease }],
    })
  })

  promised('leases an item to one caller until the lease expires', async (store) => {
    await addFeed(store, 'f')
    await addSource(store, 's')
    const both = await Promise.all([take(store, START, 9), take(store, START, 9)])
    expect(both).toEqual([['f', 's'], []])
    expect(await take(store, START + HOUR - 1, 9)).toEqual([])
    expect(await take(store, START + HOUR, 9)).toEqual(['f', 's'])
    expect(await take(store, START + HOUR, 9)).toEqual([])
  })

  promised('lists leases with their start', async (store) => {
    const f = await addFeed(store, 'f')
    const s = await addSource(store, 's')
    await addFeed(store, 'later', {}, { dueAt: START + 9 })
    expect(await store.leases()).toEqual([])
    await take(store, START + 3, 9)
    const lease = expect.any(String)
    expect(await store.leases()).toEqual([
      { kind: 'feed', id: f, lease, leasedAt: START + 3 },
      { kind: 'source', id: s, lease, leasedAt: START + 3 },
    ])
    await store.releaseLeases([{ kind: 'source', id: s }])
    await store.recordPolls([record(f, START + 4)])
    expect(await store.leases()).toEqual([])
  })

  promised('restores the due date of items whose lease expired', async (store) => {
    await addFeed(store, 'lost', {}, { dueAt: START - 100 })
    await take(store, START, 9)
    await addFeed(store, 'later', {}, { dueAt: START })
    expect(await take(store, START + HOUR, 9)).toEqual(['lost', 'later'])
  })

  promised('ends the lease when the poll is recorded', async (store) => {
    const id = await addFeed(store, 'f')
    await take(store, START, 9)
    const polled = record(id, START + 1, { schedule: newSchedule({ dueAt: START + 10, polledAt: START + 1 }) })
    await store.recordPolls([polled])
    expect((await store.nextDue()).pollAt).toBe(START + 10)
    expect(await take(store, START + 9, 9)).toEqual([])
    expect(await take(store, START + 10, 9)).toEqual(['f'])
    await store.recordPolls([polled])
    expect(await take(store, START + 20, 9)).toEqual([]) // an old record does not end the new lease
  })

  promised('ends the lease of a failed source', async (store) => {
    const id = await addSource(store, 's')
    await take(store, START, 9)
    await store.recordSourceFailed(id, { kind: 'timeout' }, START + 10)
    expect(await take(store, START + 9, 9)).toEqual([])
    expect(await take(store, START + 10, 9)).toEqual(['s'])
  })

  promised('never leases found sources or paused feeds', async (store) => {
    const source = await addSource(store, 's')
    await store.recordSourceFound(source, newFeed('f', { state: 'paused' }), record(0 as FeedId, START))
    expect(await take(store, START + 9 * HOUR, 9)).toEqual([])
    expect((await store.nextDue()).pollAt).toBeUndefined()
    const [scheduled] = await store.feeds({ order: 'id', limit: 1 })
    await store.changeFeed(scheduled!.feed.id, { state: 'active' }, { dueAt: START })
    expect(await take(store, START, 9)).toEqual(['f'])
  })

  promised('keeps a lease while its feed is paused, resumed or rescheduled', async (store) => {
    const id = await addFeed(store, 'f')
    await take(store, START, 9)
    await store.changeFeed(id, { state: 'paused' })
    expect((await store.nextDue()).pollAt).toBeUndefined()
    await store.changeFeed(id, { state: 'active' }, { dueAt: START - 1 })
    expect(await take(store, START + 1, 9)).toEqual([])
    expect((await store.nextDue()).pollAt).toBe(START + HOUR)
    expect(await take(store, START + HOUR, 9)).toEqual(['f'])
  })

  promised('keeps a lease when the source is added again', async (store) => {
    await addSource(store, 's')
    await take(store, START, 9)
    await store.addSources([newSource('s', { dueAt: START + 1 })])
    expect(await take(store, START + 1, 9)).toEqual([])
    expect((await store.nextDue()).pollAt).toBe(START + HOUR)
  })

  promised('releases leases, with the same or another due date', async (store) => {
    const a = await addFeed(store, 'a')
    const b = await addFeed(store, 'b')
    const s = await addSource(store, 's')
    const t = await addSource(store, 't')
    await take(store, START, 9)
    await store.releaseLeases([
      { kind: 'feed', id: a },
      { kind: 'feed', id: b, dueAt: START + 50 },
      { kind: 'source', id: s },
      { kind: 'source', id: t, dueAt: START + 50 },
    ])
    expect(await take(store, START, 9)).toEqual(['a', 's'])
    expect((await store.nextDue()).pollAt).toBe(START + 50)
    expect(await take(store, START + 50, 9)).toEqual(['b', 't'])
  })

  promised('stores why a released feed is due later, only with a date and under its lease', async (store) => {
    const because = { by: 'budget', price: 1234 } as const
    const before = { by: 'strategy', price: 1 } as const
    const ids = [
      await addFeed(store, 'a', {}, { because: before }),
      await addFeed(store, 'b', {}, { because: before }),
      await addFeed(store, 'c', {}, { because: before }),
    ]
    const [a, b, c] = ids as [FeedId, FeedId, FeedId]
    const { feeds } = await store.leaseDue(START, 9, START + HOUR)
    await store.releaseLeases([
      { kind: 'feed', id: a, lease: feeds[0]!.lease, dueAt: START + 50, because },
      { kind: 'feed', id: b, lease: feeds[1]!.lease, because },
      { kind: 'feed', id: c, lease: feeds[0]!.lease, dueAt: START + 50, because },
    ])
    const scheduledFeeds = await store.feedsById(ids)
    expect(scheduledFeeds.map((scheduled) => scheduled?.schedule.because)).toEqual([because, before, before])
  })

  promised('leases given items, due or not, unless they are leased', async (store) => {
    const a = await addFeed(store, 'a', {}, { dueAt: START + 50 })
    const b = await addFeed(store, 'b', { state: 'paused' })
    const s = await addSource(store, 's', { dueAt: START + 50 })
    const found = await addSource(store, 'found')
    await store.recordSourceFound(found, newFeed('a'), record(0 as FeedId, START))
    const named = { feeds: [b, a, 99 as FeedId, a], sources: [s, found, 99 as SourceId] }
    const taken = await store.leaseThese(named, START, START + HOUR)
    expect([taken.feeds.map(({ feed }) => feed.id), taken.sources.map(({ id }) => id)]).toEqual([[b, a], [s]])
    expect(await store.leaseThese(named, START + HOUR - 1, START + HOUR)).toEqual({ feeds: [], sources: [] })
    expect((await store.leaseThese(named, START + HOUR, START + 9 * HOUR)).feeds).toHaveLength(2)
  })

  promised('ignores releases and failures under an expired lease', async (store) => {
    const f = await addFeed(store, 'f')
    const s = await addSource(store, 's')
    const lost = await store.leaseDue(START, 9, START + 1)
    await take(store, START + 1, 9)
    await store.releaseLeases([{ kind: 'feed', id: f, lease: lost.feeds[0]!.lease, dueAt: START }])
    await store.releaseLeases([{ kind: 'source', id: s, lease: lost.sources[0]!.lease, dueAt: START }])
    await store.recordSourceFailed(s, { kind: 'timeout' }, START, lost.sources[0]!.lease)
    const late = { ...record(0 as FeedId, START), lease: lost.sources[0]!.lease }
    expect(await store.recordSourceFound(s, newFeed('late'), late)).toBeUndefined()
    expect(await take(store, START + 2, 9)).toEqual([])
    expect(await store.sourcesById([s])).toMatchObject([{ failures: 0, state: 'looking' }])
  })

  promised('ignores releases of items that are not leased, unless they get a due date', async (store) => {
    const a = await addFeed(store, 'a', {}, { dueAt: START + 5 })
    const paused = await addFeed(store, 'paused', { state: 'paused' })
    const found = await addSource(store, 's')
    await store.recordSourceFound(found, newFeed('a'), record(0 as FeedId, START))
    await store.releaseLeases([
      { kind: 'feed', id: a },
      { kind: 'feed', id: 999_999 as FeedId, dueAt: START },
      { kind: 'source', id: 999_999 as SourceId, dueAt: START },
      { kind: 'source', id: found, dueAt: START },
      { kind: 'feed', id: paused, dueAt: START },
    ])
    expect((await store.nextDue()).pollAt).toBe(START + 5)
    await store.releaseLeases([{ kind: 'feed', id: a, dueAt: START + 3 }])
    expect((await store.nextDue()).pollAt).toBe(START + 3)
    expect(await take(store, START + 4, 9)).toEqual(['a'])
  })

  promised('reports the next due date, including expiring leases', async (store) => {
    expect((await store.nextDue()).pollAt).toBeUndefined()
    await addFeed(store, 'paused', { state: 'paused' })
    expect((await store.nextDue()).pollAt).toBeUndefined()
    const a = await addFeed(store, 'a', {}, { dueAt: START + 20 })
    expect((await store.nextDue()).pollAt).toBe(START + 20)
    await addSource(store, 's', { dueAt: START + 10 })
    expect((await store.nextDue()).pollAt).toBe(START + 10)
    await store.leaseDue(START + 15, 9, START + 500)
    expect((await store.nextDue()).pollAt).toBe(START + 20)
    await store.leaseDue(START + 20, 9, START + 400)
    expect((await store.nextDue()).pollAt).toBe(START + 400)
    await store.changeFeed(a, {}, { dueAt: START + 450 })
    expect((await store.nextDue()).pollAt).toBe(START + 450) // it is not due when its lease ends
    await store.changeFeed(a, {}, { dueAt: START + 900 })
    expect((await store.nextDue()).pollAt).toBe(START + 500)
    expect(await take(store, START + 500, 9)).toEqual(['s'])
    await store.removeFeed(a)
    expect((await store.nextDue()).pollAt).toBe(START + 500 + HOUR)
  })
}

/** Leases due items for an hour and returns their names. */
async function take(store: Store, now: number, limit: number): Promise<string[]> {
  const { feeds, sources } = await store.leaseDue(now, limit, now + HOUR)
  return [...feeds.map(({ feed }) => feed.root), ...sources.map((source) => source.root)].map(
    (root) => root.split('.')[0]!,
  )
}
