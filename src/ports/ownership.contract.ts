/** Store contract: ownership of buckets, and filtering by owned buckets. */
import { expect } from 'vitest'
import { allBuckets, BUCKETS, type Bucket, bucketOf, ownerOf } from '../model/index.ts'
import { articleOf, want } from './article-samples.contract.ts'
import { say } from './group-samples.contract.ts'
import type { Store } from './index.ts'
import type { Promised } from './store-promise.contract.ts'
import { addFeed, addSource, START } from './store-samples.contract.ts'

const MINUTE = 60_000

/** For stores with a single owner, which owns everything. */
export function ownershipPromises(promised: Promised): void {
  promised('gives all buckets to a single owner', async (store) => {
    const { owned, surplus } = await store.claim('ada', START, START + MINUTE)
    expect([...owned.keys()].sort((a, b) => a - b)).toEqual(allBuckets())
    expect(surplus).toEqual([])
    const again = await store.claim('ada', START + 1, START + 1 + MINUTE)
    expect(again).toEqual({ owned, surplus: [] })
    await addFeed(store, 'f')
    await addSource(store, 's')
    const { feeds, sources } = await store.leaseDue(START, 9, START + 9, owned)
    expect([feeds.length, sources.length]).toEqual([1, 1])
    await store.releaseBuckets('ada')
  })
}

export function sharedOwnershipPromises(promised: Promised): void {
  promised('gives a bucket to one owner at a time, and to the next one after its release', async (store) => {
    const before = await store.claim('ada', START, START + MINUTE)
    const waiting = await store.claim('bob', START, START + MINUTE)
    expect(waiting).toEqual({ owned: new Map(), surplus: [] })
    const { owned, surplus } = await store.claim('ada', START + 1, START + MINUTE)
    expect(owned).toEqual(before.owned)
    expect(surplus).toEqual(allBuckets().filter((bucket) => ownerOf(bucket, ['ada', 'bob']) === 'bob'))
    await store.releaseBuckets('ada', surplus)
    await store.releaseBuckets('bob', [...owned.keys()]) // bob does not own them
    const bobs = await store.claim('bob', START + 2, START + MINUTE)
    expect([...bobs.owned.keys()].sort((a, b) => a - b)).toEqual(surplus)
    const adas = await store.claim('ada', START + 3, START + MINUTE)
    expect(adas.surplus).toEqual([])
    expect(adas.owned.size + bobs.owned.size).toBe(BUCKETS)
    for (const [bucket, epoch] of bobs.owned) expect(epoch).toBe(before.owned.get(bucket)! + 1)
  })

  promised('redistributes the buckets of owners that died or retired', async (store) => {
    await store.claim('ada', START, START + MINUTE)
    expect((await store.claim('bob', START + MINUTE - 1, START + 2 * MINUTE)).owned.size).toBe(0)
    expect((await store.claim('bob', START + MINUTE, START + 2 * MINUTE)).owned.size).toBe(BUCKETS)
    expect((await store.claim('cleo', START + MINUTE, START + 3 * MINUTE)).owned.size).toBe(0)
    await store.releaseBuckets('bob')
    expect((await store.claim('cleo', START + MINUTE, START + 3 * MINUTE)).owned.size).toBe(BUCKETS)
  })

  promised('leases only items in owned buckets, and nothing for outdated epochs', async (store) => {
    await addFeed(store, 'f')
    const led = await addFeed(store, 'led', { bucket: bucketOf('cdn.example') })
    await addSource(store, 's')
    const due = async (...buckets: Bucket[]) => {
      const owned = new Map(buckets.map((bucket) => [bucket, 1]))
      const next = (await store.nextDue(owned)).pollAt
      const { feeds, sources } = await store.leaseDue(START, 9, START + MINUTE, owned)
      await store.releaseLeases(feeds.map(({ feed, lease }) => ({ kind: 'feed', id: feed.id, lease })))
      await store.releaseLeases(sources.map(({ id, lease }) => ({ kind: 'source', id, lease })))
      return [next, ...feeds.map(({ feed }) => feed.root), ...sources.map(({ root }) => root)]
    }
    expect(await due()).toEqual([undefined])
    expect(await due(bucketOf('f.example'))).toEqual([START, 'f.example'])
    expect(await due(bucketOf('led.example'))).toEqual([undefined])
    expect(await due(bucketOf('cdn.example'), bucketOf('s.example'))).toEqual([START, 'led.example', 's.example'])
    await store.changeFeed(led, { bucket: null })
    expect(await due(bucketOf('led.example'))).toEqual([START, 'led.example'])
    const { owned: adas } = await store.claim('ada', START, START + MINUTE)
    await store.claim('bob', START + MINUTE, START + 2 * MINUTE)
    expect(await store.leaseDue(START + MINUTE, 9, START + 9 * MINUTE, adas)).toEqual({ feeds: [], sources: [] })
    expect((await store.nextDue(adas)).pollAt).toBeUndefined()
  })

  promised('filters articles, hub subscriptions and leases by owned buckets', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [a, b] = await say(store, feedId, 'a', 'b')
    const [here, there] = [bucketOf('here.example'), bucketOf('there.example')]
    await store.queueArticles(
      [
        { ...want(a!, 'x', 'a'), bucket: here },
        { ...want(b!, 'y', 'b'), bucket: there },
      ],
      START,
    )
    expect((await store.nextDue(new Map([[bucketOf('nowhere.example'), 1]]))).articleAt).toBeUndefined()
    expect((await store.nextDue(new Map([[there, 1]]))).articleAt).toBe(START)
    const pages = await store.leaseDueArticles(START, 9, START + MINUTE, new Map([[there, 1]]))
    expect(pages.map(({ id }) => id)).toEqual([(await articleOf(store, b!)).id])
    await store.leaseThese({ feeds: [feedId], sources: [] }, START, START + MINUTE)
    expect(await store.leases(new Map([[bucketOf('f.example'), 1]]))).toHaveLength(1)
    expect(await store.leases(new Map([[here, 1]]))).toEqual([])
    const [page] = pages
    const leased = { kind: 'article' as const, id: page!.id, lease: page!.lease }
    expect(await store.leases(new Map([[there, 1]]))).toEqual([{ ...leased, leasedAt: START }])
    await store.releaseLeases([leased])
    expect((await store.leases()).map(({ kind }) => kind)).toEqual(['feed'])
    await hub(store, 't1', here)
    await hub(store, 't2', there)
    expect((await store.dueHubSubscriptions(START, 9, new Map([[there, 1]]))).map(({ token }) => token)).toEqual(['t2'])
    expect((await store.nextDue(new Map([[bucketOf('nowhere.example'), 1]]))).hubAt).toBeUndefined()
  })
}

async function hub(store: Store, token: string, bucket: Bucket): Promise<void> {
  const feedId = await addFeed(store, token)
  const [scheduled] = await store.feedsById([feedId])
  const { url } = scheduled!.feed
  await store.recordHubSubscriptions([
    { token, feedId, hub: url, bucket, topic: url, secret: '', state: 'waiting', dueAt: START, failures: 0, pushes: 0 },
  ])
}
