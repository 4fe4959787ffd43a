/** One crawl for several who read: what each follows is his own, and what nobody follows is not crawled. */
import { expect, it } from 'vitest'
import { box, newspaperSite, subscribe } from '../../../test/crawl-harness.ts'
import { HOUR, type PersonId } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'

const site = { ...newspaperSite, name: 'second' }

async function addPerson(store: Store, name: string): Promise<PersonId> {
  return (await store.addPerson({ name, allows: 'write', addedAt: 0, password: '' })) as PersonId
}

it('who asks for a feed that is there follows it, and it is asked for once', async () => {
  const { crawler, store, village, clock } = box([newspaperSite])
  const first = await store.firstPerson()
  await subscribe(crawler, village)
  await clock.advance(HOUR)
  const bob = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')][1]!
  const before = village.requests.length
  const url = village.site('gazette').feeds[0]!.url
  const [again] = await crawler.subscribe([{ url, kind: 'feed', title: 'His', folder: 'Papers' }], { personId: bob })
  expect(again).toMatchObject({ kind: 'feed', added: false, followed: true })
  expect(village.requests).toHaveLength(before)
  const [held] = await store.feeds({ order: 'id', limit: 9 })
  expect(held?.feed).toMatchObject({ subscribers: 2 })
  expect(held?.feed).not.toHaveProperty('folder')
  expect(await store.readings(bob, { limit: 9 })).toMatchObject([{ title: 'His', folder: 'Papers' }])
  expect((await store.readings(bob, { limit: 9 }))[0]?.unread).toBeGreaterThan(0)
  expect(await store.readings(first, { limit: 9 })).toHaveLength(1)
})

it('waits with a source for its feed, whoever asked for it', async () => {
  const { crawler, store, village, clock } = box([newspaperSite])
  const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
  const home = village.site('gazette').home
  await crawler.subscribe([{ url: home, kind: 'any', folder: 'A' }], { personId: ada })
  await crawler.subscribe([{ url: home, kind: 'any', folder: 'B' }], { personId: bob })
  await clock.advance(HOUR)
  for (const [who, folder] of [
    [ada, 'A'],
    [bob, 'B'],
  ] as const)
    expect(await store.readings(who, { limit: 9 })).toMatchObject([{ folder }])
})

it('removes a feed when the last has left it, unless it is listed', async () => {
  const { crawler, store, village, clock } = box([newspaperSite, site])
  const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
  const [mine, listed] = ['gazette', 'second'].map((name) => village.site(name).feeds[0]!.url) as [string, string]
  await crawler.subscribe([{ url: listed, kind: 'feed' }], { listed: true })
  for (const personId of [ada, bob])
    await crawler.subscribe(
      [mine, listed].map((url) => ({ url, kind: 'feed' as const })),
      { personId },
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

it('takes feeds out of the crawl that only somebody followed whose account was removed', async () => {
  const { crawler, store, village, clock } = box([newspaperSite, site])
  const [, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
  await subscribe(crawler, village)
  await clock.advance(HOUR)
  const [one] = await store.feeds({ order: 'id', limit: 9 })
  await crawler.follow(bob, [one!.feed.id])
  const url = village.site('second').feeds[0]!.url
  const other = (await store.feedAt(url))!
  await crawler.follow(bob, [other])
  await crawler.unsubscribe(await store.firstPerson(), [{ feedId: other }])
  await store.removePerson(bob)
  await clock.advance(2 * HOUR)
  expect((await store.feeds({ order: 'id', limit: 9 })).map(({ feed }) => feed.id)).not.toContain(other)
  expect(await store.feedsById([one!.feed.id])).toMatchObject([{ feed: { subscribers: 1 } }])
})

it('has the titles and folders of its only user for its own, both ways, and nobody’s once there are others', async () => {
  const { crawler, store, village, clock } = box([newspaperSite])
  await subscribe(crawler, village)
  await clock.advance(HOUR)
  const first = await store.firstPerson()
  const [held] = await store.feeds({ order: 'id', limit: 9 })
  const { id } = held!.feed
  await crawler.edit(id, { title: 'G', folder: 'News' })
  expect(await store.readingsOf(first, [id])).toMatchObject([{ title: 'G', folder: 'News' }])
  expect(await crawler.editReading(first, id, { folder: 'World', title: null })).toBe(true)
  expect(await store.feedsById([id])).toMatchObject([{ feed: { folder: 'World', title: 'G' } }])
  const bob = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')][1]!
  await crawler.follow(bob, [id])
  await crawler.editReading(bob, id, { folder: 'His' })
  await crawler.editReading(first, id, { folder: 'Secret', title: 'My lawyer' })
  await crawler.edit(id, { folder: 'Secret', title: 'My lawyer' })
  await crawler.subscribe([{ url: 'https://b.example/feed', kind: 'feed', title: 'My lawyer', folder: 'Secret' }])
  await crawler.subscribe([{ url: 'https://c.example/feed', kind: 'feed', folder: 'All' }], { listed: true })
  const rows = (await store.feeds({ order: 'id', limit: 9 })).map(({ feed: { title, folder } }) => ({ title, folder }))
  expect(rows).toEqual([{ title: 'G' }, { title: '' }, { title: '', folder: 'All' }])
  expect(await store.readingsOf(first, [id])).toMatchObject([{ title: 'My lawyer', folder: 'Secret' }])
  expect(await crawler.editReading(bob, 99 as never, { folder: 'His' })).toBe(false)
  const long = 'x'.repeat(3_000)
  await crawler.editReading(bob, id, { title: long, folder: long })
  const short = long.slice(0, 1_000)
  expect(await store.readings(bob, { limit: 9 })).toMatchObject([{ title: short, folder: short }])
})

it('gives a login to nobody who does not know it', async () => {
  const { crawler, store } = box([])
  const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
  const add = async (who: PersonId, url: string, kind: 'feed' | 'any') =>
    (await crawler.subscribe([{ url, kind }], { personId: who }))[0]
  expect(await add(ada, 'https://ada:pw@a.example/feed', 'feed')).toMatchObject({ kind: 'feed', added: true })
  const refused = { kind: 'refused', url: 'https://a.example/feed', reason: expect.stringContaining('login') }
  expect(await add(bob, 'https://a.example/feed', 'feed')).toEqual(refused)
  expect(await add(bob, 'https://a.example/feed', 'any')).toEqual(refused)
  expect(await add(bob, 'https://ada:guess@a.example/feed', 'feed')).toEqual(refused)
  expect(await store.readings(bob, { limit: 9 })).toEqual([])
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
