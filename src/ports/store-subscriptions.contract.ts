import { expect } from 'vitest'
import { DAY, type EntryId, type FeedId, type PersonId, type SourceId } from '../model/index.ts'
import { READING_HALVES_MS, type Store } from './index.ts'
import type { Promised } from './store-promise.contract.ts'
import { addFeed, addSource, all, draft, newFeed, newSchedule, record, START } from './store-samples.contract.ts'

/** Of what a feed has when somebody begins to follow it, so many are unread. */
const UNREAD = 2

export async function addPerson(store: Store, name: string): Promise<PersonId> {
  return (await store.addPerson({ name, allows: 'write', addedAt: START, password: 'hash' })) as PersonId
}

export function readingPromises(promised: Promised): void {
  const follow = (store: Store, who: PersonId, ...feedIds: FeedId[]) =>
    store.follow(
      who,
      feedIds.map((feedId) => ({ feedId })),
      START,
      UNREAD,
    )
  const news = (store: Store, feedId: FeedId, at: number, ...keys: string[]) =>
    store.recordPolls([record(feedId, at, { fresh: keys.map((key) => draft(key)) })])
  const subscribers = async (store: Store, id: FeedId) => (await store.feedsById([id]))[0]?.feed.subscribers

  promised('has somebody without an account, who becomes the first with all that is his', async (store, again) => {
    const first = await store.firstPerson()
    expect(await again.firstPerson()).toBe(first)
    expect(await store.people()).toEqual([])
    const feed = await addFeed(store, 'a')
    await follow(store, first, feed)
    expect(await addPerson(store, 'Ada')).toBe(first)
    expect(await store.firstPerson()).toBe(first)
    const bob = await addPerson(store, 'bob')
    expect(bob).not.toBe(first)
    expect(await store.readings(first, { limit: 9 })).toEqual([{ feedId: feed, addedAt: START, unread: 0 }])
    expect(await store.readings(bob, { limit: 9 })).toEqual([])
  })

  promised('lets each follow a feed by his own title, in his own folder', async (store) => {
    const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
    const [a, b] = [await addFeed(store, 'a'), await addFeed(store, 'b')]
    const wanted = [{ feedId: a, title: 'Mine', folder: 'News / Local' }, { feedId: b }, { feedId: 99 as FeedId }]
    expect(await store.follow(ada, wanted, START, UNREAD)).toEqual([true, true, false])
    expect(await store.follow(ada, [{ feedId: a, title: 'Other' }], START + 1, UNREAD)).toEqual([false])
    expect(await follow(store, bob, b)).toEqual([true])
    expect(await store.readings(ada, { limit: 9 })).toEqual([
      { feedId: a, title: 'Mine', folder: 'News / Local', addedAt: START, unread: 0 },
      { feedId: b, addedAt: START, unread: 0 },
    ])
    expect(await store.readings(ada, { after: a, limit: 9 })).toMatchObject([{ feedId: b }])
    expect(await store.readings(ada, { limit: 1 })).toMatchObject([{ feedId: a }])
    expect(await store.readings(ada, { folder: 'news', limit: 9 })).toMatchObject([{ feedId: a }])
    expect(await store.readings(ada, { folder: '', limit: 9 })).toMatchObject([{ feedId: b }])
    expect(await store.readingsOf(bob, [a, b])).toMatchObject([undefined, { feedId: b }])
    expect(await store.changeReading(ada, b, { title: 'B', folder: 'Work' })).toBe(true)
    expect(await store.changeReading(bob, b, { title: 'His' })).toBe(true)
    expect(await store.changeReading(bob, a, { title: 'His' })).toBe(false)
    expect(await store.changeReading(ada, a, { title: null })).toBe(true)
    expect(await store.readingsOf(ada, [b, a])).toEqual([
      { feedId: b, title: 'B', folder: 'Work', addedAt: START, unread: 0 },
      { feedId: a, folder: 'News / Local', addedAt: START, unread: 0 },
    ])
    expect(await store.readingsOf(bob, [b])).toMatchObject([{ title: 'His' }])
  })

  promised('counts the second and every further reader among the subscribers of a feed', async (store) => {
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
    expect(await store.readersOf([b, 99 as FeedId, a].map((feedId) => ({ feedId })))).toEqual([2, 0, 3])
    expect(await store.unfollow(ada, [{ feedId: a }, { feedId: b }, { feedId: 99 as FeedId }])).toEqual([
      { was: true, others: 2 },
      { was: true, others: 1 },
      { was: false, others: 0 },
    ])
    expect([await subscribers(store, a), await subscribers(store, b)]).toEqual([2, 40])
    expect(await store.unfollow(bob, [{ feedId: b }])).toEqual([{ was: true, others: 0 }])
    expect(await subscribers(store, b)).toBe(40)
    expect(await store.readings(bob, { limit: 9 })).toMatchObject([{ feedId: a }])
  })

  promised('names feeds that nobody follows any more, unless they are listed', async (store) => {
    const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
    const [a, b] = [await addFeed(store, 'a'), await addFeed(store, 'b')]
    const listed = await addFeed(store, 'listed', { listed: true })
    await addFeed(store, 'never')
    await follow(store, ada, a, b, listed)
    await follow(store, bob, b)
    expect(await store.unwanted(9)).toEqual([])
    await store.unfollow(ada, [{ feedId: a }, { feedId: b }, { feedId: listed }])
    expect(await store.unwanted(9)).toEqual([a])
    await follow(store, bob, a)
    expect(await store.unwanted(9)).toEqual([])
    expect(await store.removePerson(bob)).toBe('done')
    for (let bites = 0; bites < 99 && (await store.sweepRemoved(1)) > 0; bites++);
    expect((await store.unwanted(9)).sort()).toEqual([a, b])
    expect(await store.unwanted(1)).toHaveLength(1)
    await store.removeFeed(a)
    expect(await store.unwanted(9)).toEqual([b])
    await store.changeFeed(b, { listed: true })
    expect(await store.unwanted(9)).toEqual([])
  })

  promised('lets people wait for the feed of a source', async (store) => {
    const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
    const [site, gone] = [await addSource(store, 'site'), await addSource(store, 'gone')]
    const wanted = [{ sourceId: site, title: 'Mine', folder: 'News' }, { sourceId: gone }, { sourceId: 99 as SourceId }]
    expect(await store.follow(ada, wanted, START, UNREAD)).toEqual([true, true, false])
    expect(await store.follow(ada, wanted.slice(0, 1), START, UNREAD)).toEqual([false])
    await store.follow(bob, [{ sourceId: site }], START, UNREAD)
    expect(await store.waitingReadings(ada, { limit: 9 })).toEqual([
      { sourceId: site, title: 'Mine', folder: 'News', addedAt: START },
      { sourceId: gone, addedAt: START },
    ])
    expect(await store.waitingReadings(ada, { after: site, limit: 9 })).toMatchObject([{ sourceId: gone }])
    expect(await store.unfollow(ada, [{ sourceId: gone }])).toEqual([{ was: true, others: 0 }])
    const { poll, ...first } = record(0 as FeedId, START + 1, { fresh: [draft('x'), draft('y'), draft('z')] })
    const found = await store.sourceFound(site, newFeed('found'), { ...first, poll, schedule: newSchedule() })
    expect(await store.waitingReadings(ada, { limit: 9 })).toEqual([])
    expect(await store.readings(ada, { limit: 9 })).toEqual([
      { feedId: found!.feedId, title: 'Mine', folder: 'News', addedAt: START, unread: 3 },
    ])
    expect(await store.readings(bob, { limit: 9 })).toMatchObject([{ feedId: found!.feedId, unread: 3 }])
    expect(await subscribers(store, found!.feedId)).toBe(2)
    const cem = await addPerson(store, 'cem')
    expect(await store.follow(cem, [{ sourceId: site }], START + 2, UNREAD)).toEqual([true])
    expect(await store.readings(cem, { limit: 9 })).toMatchObject([{ feedId: found!.feedId, unread: UNREAD }])
    const other = await addSource(store, 'other')
    await store.follow(cem, [{ sourceId: other }], START, UNREAD)
    await store.removeSource(other)
    expect(await store.waitingReadings(cem, { limit: 9 })).toEqual([])
  })

  promised('counts what is unread, by feed and by folder', async (store) => {
    const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
    const [a, b, c] = [await addFeed(store, 'a'), await addFeed(store, 'b'), await addFeed(store, 'c')]
    await news(store, a, START, 'a1', 'a2', 'a3')
    const wanted = [{ feedId: a, folder: 'News' }, { feedId: b, folder: 'News / Local' }, { feedId: c }]
    await store.follow(ada, wanted, START, UNREAD)
    await news(store, a, START + 1, 'a4')
    await news(store, b, START + 1, 'b1', 'b2')
    await store.follow(bob, [{ feedId: a, folder: 'News' }], START, 0)
    expect((await store.readings(ada, { limit: 9 })).map(({ unread }) => unread)).toEqual([3, 2, 0])
    expect((await store.standing(ada)).folders).toEqual([
      { feeds: 1, unread: 0 },
      { folder: 'News', feeds: 1, unread: 3 },
      { folder: 'News / Local', feeds: 1, unread: 2 },
    ])
    expect(await store.standing(ada)).toMatchObject({ feeds: 3, unread: 5, starred: 0 })
    expect(await store.standing(bob)).toMatchObject({ feeds: 1, unread: 0, starred: 0 })
    await store.recordNews([{ feedId: a, at: START + 2, fresh: [draft('a5'), draft('a4')], changed: [draft('a1')] }])
    expect(await store.standing(bob)).toMatchObject({ unread: 1 })
    expect(await store.standing(ada)).toMatchObject({ unread: 6 })
    await store.forgetEntries(START + 2, 9) // five of them: of Ada's unread a1 is not one
    expect(await store.standing(ada)).toMatchObject({ feeds: 3, unread: 1, starred: 0 })
    expect(await store.standing(bob)).toMatchObject({ unread: 1 })
  })

  promised('renames folders, with those below them', async (store) => {
    const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
    const [a, b, c] = [await addFeed(store, 'a'), await addFeed(store, 'b'), await addFeed(store, 'c')]
    const wanted = [
      { feedId: a, folder: 'News' },
      { feedId: b, folder: 'News / Local' },
      { feedId: c, folder: 'Newsletters' },
    ]
    await store.follow(ada, wanted, START, UNREAD)
    await store.follow(bob, wanted, START, UNREAD)
    const folders = async (who: PersonId) => (await store.readings(who, { limit: 9 })).map(({ folder }) => folder)
    expect(await store.renameFolder(ada, 'News', 'World')).toBe(2)
    expect(await folders(ada)).toEqual(['World', 'World / Local', 'Newsletters'])
    expect(await store.renameFolder(ada, 'World', null)).toBe(2)
    expect(await folders(ada)).toEqual([undefined, 'Local', 'Newsletters'])
    expect(await store.renameFolder(ada, 'Nowhere', 'X')).toBe(0)
    expect(await folders(bob)).toEqual(['News', 'News / Local', 'Newsletters'])
  })

  promised('tells how much of each feed is read of late', async (store) => {
    const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
    const [a, b] = [await addFeed(store, 'a'), await addFeed(store, 'b')]
    await follow(store, ada, a, b)
    await follow(store, bob, a)
    await news(store, a, START, 'a1', 'a2', 'a3')
    const ids = (await all(store.everyEntry({}))).map(({ id }) => id)
    await store.mark(ada, ids.slice(0, 2), 'read', START)
    await store.mark(ada, ids, 'read', START + READING_HALVES_MS)
    await store.mark(bob, ids.slice(0, 1), 'read', START + READING_HALVES_MS)
    await store.mark(bob, ids.slice(0, 1), 'unread', START + READING_HALVES_MS)
    await store.markAllRead(bob, {})
    const reads = await all(store.everyFeedsReads(START + READING_HALVES_MS))
    expect(reads.sort((x, y) => x.feedId - y.feedId)).toEqual([
      { feedId: a, readers: 2, reads: expect.closeTo(3, 5) },
      { feedId: b, readers: 1, reads: 0 },
    ])
  })

  promised(
    'lets go of all that is a person’s, in bites, and of what was made of a feed that is removed',
    async (store) => {
      const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
      const feeds = [await addFeed(store, 'a'), await addFeed(store, 'b'), await addFeed(store, 'c')]
      await follow(store, ada, ...feeds)
      await follow(store, bob, ...feeds)
      await news(store, feeds[0]!, START, 'a1', 'a2')
      const ids = (await all(store.everyEntry({}))).map(({ id }) => id)
      await store.mark(ada, ids, 'read', START)
      await store.star(ada, ids, true, START)
      await store.star(bob, ids, true, START)
      await store.addSavedSearch({ personId: ada, name: 'x', query: 'x', addedAt: START })
      expect(await store.removePerson(ada)).toBe('done')
      expect(await store.readings(ada, { limit: 9 })).toEqual([])
      expect(await store.marksOf(ada, ids)).toEqual([{ starred: false }, { starred: false }])
      for (let bites = 0; ; bites++) {
        const swept = await store.sweepRemoved(2)
        if (swept === 0) break
        if (bites > 99) throw new Error('it never ends')
      }
      expect(await store.savedSearches(ada)).toEqual([])
      expect(await store.readersOf(feeds.map((feedId) => ({ feedId })))).toEqual([1, 1, 1])
      expect(await subscribers(store, feeds[0]!)).toBe(1)
      await store.removeFeed(feeds[0]!)
      for (let bites = 0; bites < 99 && (await store.sweepRemoved(2)) > 0; bites++);
      expect(await store.readings(bob, { limit: 9 })).toMatchObject([{ feedId: feeds[1] }, { feedId: feeds[2] }])
      expect(await store.standing(bob)).toMatchObject({ feeds: 2, unread: 0, starred: 0 })
      expect(await store.entriesFor(bob, { starred: true, limit: 9 })).toEqual({ entries: [] })
    },
  )

  promised('does not forget what somebody starred', async (store) => {
    const ada = await addPerson(store, 'Ada')
    const a = await addFeed(store, 'a')
    await news(store, a, START, 'old', 'starred', 'older')
    const [, starred] = (await all(store.everyEntry({}))).map(({ id }) => id)
    await store.star(ada, [starred as EntryId], true, START)
    expect(await store.forgetEntries(START + DAY, 9)).toBe(2)
    expect(await store.forgetEntries(START + DAY, 9)).toBe(0)
    expect((await all(store.everyEntry({}))).map(({ key }) => key)).toEqual(['starred'])
    await store.star(ada, [starred as EntryId], false, START)
    expect(await store.forgetEntries(START + DAY, 9)).toBe(1)
  })
}
