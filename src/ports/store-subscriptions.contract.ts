import { expect } from 'vitest'
import {
  DAY,
  type EntryId,
  type FeedId,
  followedFeedOf,
  type Schedule,
  type SourceId,
  type UserId,
  webAddress,
} from '../model/index.ts'
import { READ_HALF_LIFE_MS, type Store } from './index.ts'
import type { Promised } from './store-promise.contract.ts'
import { addFeed, addSource, all, draft, newFeed, newSchedule, record, START } from './store-samples.contract.ts'

/** Entries of a feed that are unread when a user starts to follow it. */
const UNREAD = 2

export async function addPerson(store: Store, name: string): Promise<UserId> {
  return (await store.addUser({ name, scope: 'write', addedAt: START, password: 'hash' })) as UserId
}

export function subscriptionPromises(promised: Promised): void {
  const follow = (store: Store, who: UserId, ...feedIds: FeedId[]) =>
    store.follow(
      who,
      feedIds.map((feedId) => ({ feedId })),
      START,
      UNREAD,
    )
  const news = (store: Store, feedId: FeedId, at: number, ...keys: string[]) =>
    store.recordPolls([record(feedId, at, { fresh: keys.map((key) => draft(key)) })])
  const subscribers = async (store: Store, id: FeedId) => (await store.feedsById([id]))[0]?.feed.subscribers

  promised('turns the unnamed user into the first account with all data', async (store, again) => {
    const first = await store.firstUser()
    expect(await again.firstUser()).toBe(first)
    expect(await store.allUsers()).toEqual([])
    const feed = await addFeed(store, 'a')
    await follow(store, first, feed)
    expect(await addPerson(store, 'Ada')).toBe(first)
    expect(await store.firstUser()).toBe(first)
    const bob = await addPerson(store, 'bob')
    expect(bob).not.toBe(first)
    expect(await store.subscriptionsOf(first, { limit: 9 })).toEqual([{ feedId: feed, addedAt: START, unread: 0 }])
    expect(await store.subscriptionsOf(bob, { limit: 9 })).toEqual([])
  })

  promised('stores a title and folder per user and feed', async (store) => {
    const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
    const [a, b] = [await addFeed(store, 'a'), await addFeed(store, 'b')]
    const wanted = [{ feedId: a, title: 'Mine', folder: 'News / Local' }, { feedId: b }, { feedId: 99 as FeedId }]
    expect(await store.follow(ada, wanted, START, UNREAD)).toEqual([true, true, false])
    expect(await store.follow(ada, [{ feedId: a, title: 'Other' }], START + 1, UNREAD)).toEqual([false])
    expect(await follow(store, bob, b)).toEqual([true])
    expect(await store.subscriptionsOf(ada, { limit: 9 })).toEqual([
      { feedId: a, title: 'Mine', folder: 'News / Local', addedAt: START, unread: 0 },
      { feedId: b, addedAt: START, unread: 0 },
    ])
    expect(await store.subscriptionsOf(ada, { after: a, limit: 9 })).toMatchObject([{ feedId: b }])
    expect(await store.subscriptionsOf(ada, { limit: 1 })).toMatchObject([{ feedId: a }])
    expect(await store.subscriptionsOf(ada, { folder: 'news', limit: 9 })).toMatchObject([{ feedId: a }])
    expect(await store.subscriptionsOf(ada, { folder: '', limit: 9 })).toMatchObject([{ feedId: b }])
    expect(await store.followedFeeds(ada, { after: a, limit: 9 })).toMatchObject([{ feedId: b }])
    expect(await store.followedFeeds(ada, { limit: 1 })).toMatchObject([{ feedId: a }])
    expect(await store.followedFeeds(ada, { folder: 'news', limit: 9 })).toMatchObject([{ feedId: a }])
    expect(await store.followedFeeds(ada, { folder: '', limit: 9 })).toMatchObject([{ feedId: b }])
    expect(await store.subscriptionsTo(bob, [a, b])).toMatchObject([undefined, { feedId: b }])
    expect(await store.changeSubscription(ada, b, { title: 'B', folder: 'Work' })).toBe(true)
    expect(await store.changeSubscription(bob, b, { title: 'His' })).toBe(true)
    expect(await store.changeSubscription(bob, a, { title: 'His' })).toBe(false)
    expect(await store.changeSubscription(ada, a, { title: null })).toBe(true)
    expect(await store.subscriptionsTo(ada, [b, a])).toEqual([
      { feedId: b, title: 'B', folder: 'Work', addedAt: START, unread: 0 },
      { feedId: a, folder: 'News / Local', addedAt: START, unread: 0 },
    ])
    expect(await store.subscriptionsTo(bob, [b])).toMatchObject([{ title: 'His' }])
  })

  promised('lists followed feeds with what is shown of them', async (store) => {
    const ada = await addPerson(store, 'Ada')
    const rich = {
      siteUrl: webAddress('https://a.example/')!,
      description: 'About it',
      language: 'fr',
      articles: 'always',
      validators: { etag: '"e"', lastModified: 'yesterday' },
      state: 'paused',
      addedAt: START - 1,
    } as const
    const failing = { polledAt: START, succeededAt: START - DAY, failures: 2, trouble: { kind: 'http', status: 503 } }
    const a = await addFeed(store, 'a', rich, failing as Partial<Schedule>)
    const [b, c] = [await addFeed(store, 'b', { title: '' }), await addFeed(store, 'c')]
    await follow(store, ada, a, b)
    await follow(store, await addPerson(store, 'bob'), b)
    await store.follow(ada, [{ feedId: c, title: 'Mine', folder: 'News' }], START, UNREAD)
    const ids = [a, b, c]
    const [feeds, subscriptions] = [await store.feedsById(ids), await store.subscriptionsTo(ada, ids)]
    const listed = await store.followedFeeds(ada, { limit: 9 })
    expect(listed).toEqual(
      ids.map((_, i) => ({ ...followedFeedOf(feeds[i]!, subscriptions[i]!), readers: 1 + Number(i === 1) })),
    )
    expect(listed.map(({ shownTitle }) => shownTitle)).toEqual(['a', 'https://b.example/feed.xml', 'Mine'])
    expect(listed[0]).toMatchObject({ etag: '"e"', failure: 'http', feedAddedAt: START - 1, state: 'paused' })
  })

  promised('counts every follower after the first as a subscriber of the feed', async (store) => {
    const [ada, bob, cem] = [
      await addPerson(store, 'Ada'),
      await addPerson(store, 'bob'),
      await addPerson(store, 'cem'),
    ]
    const [a, b] = [await addFeed(store, 'a'), await addFeed(store, 'b', { subscribers: 40 })]
    await follow(store, ada, a, b)
    expect([await subscribers(store, a), await subscribers(store, b)]).toEqual([1, 40])
    await follow(store, bob, a, b)
    await follow(store, cem, a)
    expect([await subscribers(store, a), await subscribers(store, b)]).toEqual([3, 41])
    expect(await store.followerCounts([b, 99 as FeedId, a].map((feedId) => ({ feedId })))).toEqual([2, 0, 3])
    expect(await store.unfollow(ada, [{ feedId: a }, { feedId: b }, { feedId: 99 as FeedId }])).toEqual([
      { wasFollowed: true, otherFollowers: 2 },
      { wasFollowed: true, otherFollowers: 1 },
      { wasFollowed: false, otherFollowers: 0 },
    ])
    expect([await subscribers(store, a), await subscribers(store, b)]).toEqual([2, 40])
    expect(await store.unfollow(bob, [{ feedId: b }])).toEqual([{ wasFollowed: true, otherFollowers: 0 }])
    expect(await subscribers(store, b)).toBe(40)
    expect(await store.subscriptionsOf(bob, { limit: 9 })).toMatchObject([{ feedId: a }])
  })

  promised('returns feeds without followers, unless they are listed', async (store) => {
    const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
    const [a, b] = [await addFeed(store, 'a'), await addFeed(store, 'b')]
    const listed = await addFeed(store, 'listed', { listed: true })
    await addFeed(store, 'never')
    await follow(store, ada, a, b, listed)
    await follow(store, bob, b)
    expect(await store.unfollowedFeeds(9)).toEqual([])
    await store.unfollow(ada, [{ feedId: a }, { feedId: b }, { feedId: listed }])
    expect(await store.unfollowedFeeds(9)).toEqual([a])
    await follow(store, bob, a)
    expect(await store.unfollowedFeeds(9)).toEqual([])
    expect(await store.removeUser(bob)).toBe('done')
    for (let chunks = 0; chunks < 99 && (await store.sweepRemoved(1)) > 0; chunks++);
    expect((await store.unfollowedFeeds(9)).sort()).toEqual([a, b])
    expect(await store.unfollowedFeeds(1)).toHaveLength(1)
    await store.removeFeed(a)
    expect(await store.unfollowedFeeds(9)).toEqual([b])
    await store.changeFeed(b, { listed: true })
    expect(await store.unfollowedFeeds(9)).toEqual([])
  })

  promised('stores pending subscriptions to the feed of a source', async (store) => {
    const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
    const [site, gone] = [await addSource(store, 'site'), await addSource(store, 'gone')]
    const wanted = [{ sourceId: site, title: 'Mine', folder: 'News' }, { sourceId: gone }, { sourceId: 99 as SourceId }]
    expect(await store.follow(ada, wanted, START, UNREAD)).toEqual([true, true, false])
    expect(await store.follow(ada, wanted.slice(0, 1), START, UNREAD)).toEqual([false])
    await store.follow(bob, [{ sourceId: site }], START, UNREAD)
    expect(await store.pendingSubscriptions(ada, { limit: 9 })).toEqual([
      { sourceId: site, title: 'Mine', folder: 'News', addedAt: START },
      { sourceId: gone, addedAt: START },
    ])
    expect(await store.pendingSubscriptions(ada, { after: site, limit: 9 })).toMatchObject([{ sourceId: gone }])
    expect(await store.unfollow(ada, [{ sourceId: gone }])).toEqual([{ wasFollowed: true, otherFollowers: 0 }])
    const { poll, ...first } = record(0 as FeedId, START + 1, { fresh: [draft('x'), draft('y'), draft('z')] })
    const found = await store.recordSourceFound(site, newFeed('found'), { ...first, poll, schedule: newSchedule() })
    expect(await store.pendingSubscriptions(ada, { limit: 9 })).toEqual([])
    expect(await store.subscriptionsOf(ada, { limit: 9 })).toEqual([
      { feedId: found!.feedId, title: 'Mine', folder: 'News', addedAt: START, unread: 3 },
    ])
    expect(await store.subscriptionsOf(bob, { limit: 9 })).toMatchObject([{ feedId: found!.feedId, unread: 3 }])
    expect(await subscribers(store, found!.feedId)).toBe(2)
    const cem = await addPerson(store, 'cem')
    expect(await store.follow(cem, [{ sourceId: site }], START + 2, UNREAD)).toEqual([true])
    expect(await store.subscriptionsOf(cem, { limit: 9 })).toMatchObject([{ feedId: found!.feedId, unread: UNREAD }])
    const other = await addSource(store, 'other')
    await store.follow(cem, [{ sourceId: other }], START, UNREAD)
    await store.removeSource(other)
    expect(await store.pendingSubscriptions(cem, { limit: 9 })).toEqual([])
  })

  promised('counts unread entries by feed and folder', async (store) => {
    const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
    const [a, b, c] = [await addFeed(store, 'a'), await addFeed(store, 'b'), await addFeed(store, 'c')]
    await news(store, a, START, 'a1', 'a2', 'a3')
    const wanted = [{ feedId: a, folder: 'News' }, { feedId: b, folder: 'News / Local' }, { feedId: c }]
    await store.follow(ada, wanted, START, UNREAD)
    await news(store, a, START + 1, 'a4')
    await news(store, b, START + 1, 'b1', 'b2')
    await store.follow(bob, [{ feedId: a, folder: 'News' }], START, 0)
    expect((await store.subscriptionsOf(ada, { limit: 9 })).map(({ unread }) => unread)).toEqual([3, 2, 0])
    expect((await store.readerCounts(ada)).folders).toEqual([
      { feeds: 1, unread: 0 },
      { folder: 'News', feeds: 1, unread: 3 },
      { folder: 'News / Local', feeds: 1, unread: 2 },
    ])
    expect(await store.readerCounts(ada)).toMatchObject({ feeds: 3, unread: 5, starred: 0 })
    expect(await store.readerCounts(bob)).toMatchObject({ feeds: 1, unread: 0, starred: 0 })
    await store.recordEntries([{ feedId: a, at: START + 2, fresh: [draft('a5'), draft('a4')], changed: [draft('a1')] }])
    expect(await store.readerCounts(bob)).toMatchObject({ unread: 1 })
    expect(await store.readerCounts(ada)).toMatchObject({ unread: 6 })
    await store.forget('entries', START + 2, 9) // five entries; a1 is not one of the unread ones of Ada
    expect(await store.readerCounts(ada)).toMatchObject({ feeds: 3, unread: 1, starred: 0 })
    expect(await store.readerCounts(bob)).toMatchObject({ unread: 1 })
  })

  promised('renames folders with nested folders', async (store) => {
    const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
    const [a, b, c] = [await addFeed(store, 'a'), await addFeed(store, 'b'), await addFeed(store, 'c')]
    const wanted = [
      { feedId: a, folder: 'News' },
      { feedId: b, folder: 'News / Local' },
      { feedId: c, folder: 'Newsletters' },
    ]
    await store.follow(ada, wanted, START, UNREAD)
    await store.follow(bob, wanted, START, UNREAD)
    const folders = async (who: UserId) => (await store.subscriptionsOf(who, { limit: 9 })).map(({ folder }) => folder)
    expect(await store.renameFolder(ada, 'News', 'World')).toBe(2)
    expect(await folders(ada)).toEqual(['World', 'World / Local', 'Newsletters'])
    expect(await store.renameFolder(ada, 'World', null)).toBe(2)
    expect(await folders(ada)).toEqual([undefined, 'Local', 'Newsletters'])
    expect(await store.renameFolder(ada, 'Nowhere', 'X')).toBe(0)
    expect(await folders(bob)).toEqual(['News', 'News / Local', 'Newsletters'])
  })

  promised('reports recent reading activity by feed', async (store) => {
    const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
    const [a, b] = [await addFeed(store, 'a'), await addFeed(store, 'b')]
    await follow(store, ada, a, b)
    await follow(store, bob, a)
    await news(store, a, START, 'a1', 'a2', 'a3')
    const ids = (await all(store.everyEntry({}))).map(({ id }) => id)
    await store.markEntries(ada, ids.slice(0, 2), 'read', START)
    await store.markEntries(ada, ids, 'read', START + READ_HALF_LIFE_MS)
    await store.markEntries(bob, ids.slice(0, 1), 'read', START + READ_HALF_LIFE_MS)
    await store.markEntries(bob, ids.slice(0, 1), 'unread', START + READ_HALF_LIFE_MS)
    await store.markAllRead(bob, {})
    const reads = await all(store.everyFeedReads(START + READ_HALF_LIFE_MS))
    expect(reads.sort((x, y) => x.feedId - y.feedId)).toEqual([
      { feedId: a, readers: 2, reads: expect.closeTo(3, 5) },
      { feedId: b, readers: 1, reads: 0 },
    ])
  })

  promised('deletes the data of a removed user and of a removed feed, in chunks', async (store) => {
    const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
    const feeds = [await addFeed(store, 'a'), await addFeed(store, 'b'), await addFeed(store, 'c')]
    await follow(store, ada, ...feeds)
    await follow(store, bob, ...feeds)
    await news(store, feeds[0]!, START, 'a1', 'a2')
    const ids = (await all(store.everyEntry({}))).map(({ id }) => id)
    await store.markEntries(ada, ids, 'read', START)
    await store.starEntries(ada, ids, true, START)
    await store.starEntries(bob, ids, true, START)
    await store.addSharedItem('search', { userId: ada, name: 'x', query: 'x', addedAt: START })
    expect(await store.removeUser(ada)).toBe('done')
    expect(await store.subscriptionsOf(ada, { limit: 9 })).toEqual([])
    expect(await store.entryStates(ada, ids)).toEqual([{ starred: false }, { starred: false }])
    for (let chunks = 0; ; chunks++) {
      const swept = await store.sweepRemoved(2)
      if (swept === 0) break
      if (chunks > 99) throw new Error('it never ends')
    }
    expect(await store.sharedItems('search', ada)).toEqual([])
    expect(await store.followerCounts(feeds.map((feedId) => ({ feedId })))).toEqual([1, 1, 1])
    expect(await subscribers(store, feeds[0]!)).toBe(1)
    await store.removeFeed(feeds[0]!)
    for (let chunks = 0; chunks < 99 && (await store.sweepRemoved(2)) > 0; chunks++);
    expect(await store.subscriptionsOf(bob, { limit: 9 })).toMatchObject([{ feedId: feeds[1] }, { feedId: feeds[2] }])
    expect(await store.readerCounts(bob)).toMatchObject({ feeds: 2, unread: 0, starred: 0 })
    expect(await store.entriesFor(bob, { starred: true, limit: 9 })).toEqual({ entries: [] })
  })

  promised('does not delete starred entries', async (store) => {
    const ada = await addPerson(store, 'Ada')
    const a = await addFeed(store, 'a')
    await news(store, a, START, 'old', 'starred', 'older')
    const [, starred] = (await all(store.everyEntry({}))).map(({ id }) => id)
    await store.starEntries(ada, [starred as EntryId], true, START)
    expect(await store.forget('entries', START + DAY, 9)).toBe(2)
    expect(await store.forget('entries', START + DAY, 9)).toBe(0)
    expect((await all(store.everyEntry({}))).map(({ key }) => key)).toEqual(['starred'])
    await store.starEntries(ada, [starred as EntryId], false, START)
    expect(await store.forget('entries', START + DAY, 9)).toBe(1)
  })
}
