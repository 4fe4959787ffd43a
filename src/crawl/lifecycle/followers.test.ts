/** One crawl for several users: each has their own subscriptions, and feeds without followers are removed. */
import { expect, it } from 'vitest'
import { createCrawlHarness, newspaperSite, subscribe } from '../../../test/crawl-harness.ts'
import { HOUR, type UserId } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'

const site = { ...newspaperSite, name: 'second' }

async function addPerson(store: Store, name: string): Promise<UserId> {
  return (await store.addUser({ name, scope: 'write', addedAt: 0, password: '' })) as UserId
}

it('lets a user who adds an existing feed follow it, and polls it once', async () => {
  const { crawler, store, village, clock } = createCrawlHarness([newspaperSite])
  const first = await store.firstUser()
  await subscribe(crawler, village)
  await clock.advance(HOUR)
  const bob = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')][1]!
  const before = village.requests.length
  const url = village.site('gazette').feeds[0]!.url
  const [again] = await crawler.subscribe([{ url, kind: 'feed', title: 'His', folder: 'Papers' }], { userId: bob })
  expect(again).toMatchObject({ kind: 'feed', added: false, followed: true })
  expect(village.requests).toHaveLength(before)
  const [scheduled] = await store.feeds({ order: 'id', limit: 9 })
  expect(scheduled?.feed).toMatchObject({ subscribers: 2 })
  expect(scheduled?.feed).not.toHaveProperty('folder')
  expect(await store.subscriptionsOf(bob, { limit: 9 })).toMatchObject([{ title: 'His', folder: 'Papers' }])
  expect((await store.subscriptionsOf(bob, { limit: 9 }))[0]?.unread).toBeGreaterThan(0)
  expect(await store.subscriptionsOf(first, { limit: 9 })).toHaveLength(1)
})

it('lets all users who added a source follow its feed', async () => {
  const { crawler, store, village, clock } = createCrawlHarness([newspaperSite])
  const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
  const home = village.site('gazette').home
  await crawler.subscribe([{ url: home, kind: 'any', folder: 'A' }], { userId: ada })
  await crawler.subscribe([{ url: home, kind: 'any', folder: 'B' }], { userId: bob })
  await clock.advance(HOUR)
  for (const [who, folder] of [
    [ada, 'A'],
    [bob, 'B'],
  ] as const)
    expect(await store.subscriptionsOf(who, { limit: 9 })).toMatchObject([{ folder }])
})

it('renames a folder of the crawl with that of its only user', async () => {
  const { crawler, store, village, clock } = createCrawlHarness([newspaperSite])
  const only = await store.firstUser()
  const url = village.site('gazette').feeds[0]!.url
  await crawler.subscribe([{ url, kind: 'feed', folder: 'Papers / City' }], { userId: only })
  await clock.advance(HOUR)
  const folderOfCrawl = async () => (await store.feeds({ order: 'id', limit: 1 }))[0]?.feed.folder
  expect(await crawler.renameFolder(only, 'Papers', 'News')).toBe(1)
  expect(await folderOfCrawl()).toBe('News / City')
  expect(await crawler.renameFolder(only, 'News', null)).toBe(1)
  expect(await folderOfCrawl()).toBe('City')
})

it('removes a feed when its last follower leaves, unless it is listed', async () => {
  const { crawler, store, village, clock } = createCrawlHarness([newspaperSite, site])
  const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
  const [mine, listed] = ['gazette', 'second'].map((name) => village.site(name).feeds[0]!.url) as [string, string]
  await crawler.subscribe([{ url: listed, kind: 'feed' }], { listed: true })
  for (const userId of [ada, bob])
    await crawler.subscribe(
      [mine, listed].map((url) => ({ url, kind: 'feed' as const })),
      { userId },
    )
  await clock.advance(HOUR)
  const ids = [(await store.feedAt(mine))!, (await store.feedAt(listed))!]
  const both = ids.map((feedId) => ({ feedId }))
  expect(await crawler.unsubscribe(ada, both)).toEqual([true, true])
  expect(await store.feedsById(ids)).toMatchObject([{}, {}])
  expect(await crawler.unsubscribe(ada, both)).toEqual([false, false])
  expect(await crawler.unsubscribe(bob, both)).toEqual([true, true])
  expect(await store.feedsById(ids)).toMatchObject([undefined, { feed: { listed: true } }])
})

it('removes feeds that were followed only by a deleted user', async () => {
  const { crawler, store, village, clock } = createCrawlHarness([newspaperSite, site])
  const [, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
  await subscribe(crawler, village)
  await clock.advance(HOUR)
  const [one] = await store.feeds({ order: 'id', limit: 9 })
  await crawler.follow(bob, [one!.feed.id])
  const url = village.site('second').feeds[0]!.url
  const other = (await store.feedAt(url))!
  await crawler.follow(bob, [other])
  await crawler.unsubscribe(await store.firstUser(), [{ feedId: other }])
  await store.removeUser(bob)
  await clock.advance(2 * HOUR)
  expect((await store.feeds({ order: 'id', limit: 9 })).map(({ feed }) => feed.id)).not.toContain(other)
  expect(await store.feedsById([one!.feed.id])).toMatchObject([{ feed: { subscribers: 1 } }])
})

it('shares titles and folders with its only user, and not with several users', async () => {
  const { crawler, store, village, clock } = createCrawlHarness([newspaperSite])
  await subscribe(crawler, village)
  await clock.advance(HOUR)
  const first = await store.firstUser()
  const [scheduled] = await store.feeds({ order: 'id', limit: 9 })
  const { id } = scheduled!.feed
  await crawler.edit(id, { title: 'G', folder: 'News' })
  expect(await store.subscriptionsTo(first, [id])).toMatchObject([{ title: 'G', folder: 'News' }])
  expect(await crawler.editSubscription(first, id, { folder: 'World', title: null })).toBe(true)
  expect(await store.feedsById([id])).toMatchObject([{ feed: { folder: 'World', title: 'G' } }])
  const bob = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')][1]!
  await crawler.follow(bob, [id])
  await crawler.editSubscription(bob, id, { folder: 'His' })
  await crawler.editSubscription(first, id, { folder: 'Secret', title: 'My lawyer' })
  await crawler.edit(id, { folder: 'Secret', title: 'My lawyer' })
  await crawler.subscribe([{ url: 'https://b.example/feed', kind: 'feed', title: 'My lawyer', folder: 'Secret' }])
  await crawler.subscribe([{ url: 'https://c.example/feed', kind: 'feed', folder: 'All' }], { listed: true })
  const rows = (await store.feeds({ order: 'id', limit: 9 })).map(({ feed: { title, folder } }) => ({ title, folder }))
  expect(rows).toEqual([{ title: 'G' }, { title: '' }, { title: '', folder: 'All' }])
  expect(await store.subscriptionsTo(first, [id])).toMatchObject([{ title: 'My lawyer', folder: 'Secret' }])
  expect(await crawler.editSubscription(bob, 99 as never, { folder: 'His' })).toBe(false)
  const long = 'x'.repeat(3_000)
  await crawler.editSubscription(bob, id, { title: long, folder: long })
  const short = long.slice(0, 1_000)
  expect(await store.subscriptionsOf(bob, { limit: 9 })).toMatchObject([{ title: short, folder: short }])
})

it('gives access to a feed with credentials only to users who know them', async () => {
  const { crawler, store } = createCrawlHarness([])
  const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
  const add = async (who: UserId, url: string, kind: 'feed' | 'any') =>
    (await crawler.subscribe([{ url, kind }], { userId: who }))[0]
  expect(await add(ada, 'https://ada:pw@a.example/feed', 'feed')).toMatchObject({ kind: 'feed', added: true })
  const refused = { kind: 'refused', url: 'https://a.example/feed', reason: expect.stringContaining('credentials') }
  expect(await add(bob, 'https://a.example/feed', 'feed')).toEqual(refused)
  expect(await add(bob, 'https://a.example/feed', 'any')).toEqual(refused)
  expect(await add(bob, 'https://ada:guess@a.example/feed', 'feed')).toEqual(refused)
  expect(await store.subscriptionsOf(bob, { limit: 9 })).toEqual([])
  expect(await add(ada, 'https://a.example/feed', 'feed')).toMatchObject({ kind: 'feed', added: false })
  expect(await add(bob, 'https://ada:pw@a.example/feed', 'feed')).toMatchObject({ kind: 'feed', followed: true })

  expect(await add(ada, 'https://ada:pw@b.example/', 'any')).toMatchObject({ kind: 'source', added: true })
  expect(await add(bob, 'https://b.example/', 'any')).toMatchObject({ kind: 'refused' })
  expect(await add(bob, 'https://bob:his@b.example/', 'any')).toMatchObject({ kind: 'refused' })
  expect(await add(ada, 'https://ada:new@b.example/', 'any')).toMatchObject({ kind: 'source', added: false })
  expect(await store.sources({ limit: 9 })).toMatchObject([{ credentials: { user: 'ada', password: 'new' } }])
  expect(await add(ada, 'https://c.example/', 'any')).toMatchObject({ kind: 'source', added: true })
  expect(await add(bob, 'https://bob:his@c.example/', 'any')).toMatchObject({ kind: 'refused' })
  expect(await add(bob, 'https://c.example/', 'any')).toMatchObject({ kind: 'source', followed: true })
})
