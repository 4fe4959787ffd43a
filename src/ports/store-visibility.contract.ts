/** Store contract: visibility, which must be the same in every list. */
import { expect } from 'vitest'
import { address } from '../model/address.fixture.ts'
import type { EntryId, FeedId, Reach, SourceId, UserId } from '../model/index.ts'
import { both, placed, say } from './group-samples.contract.ts'
import type { Store } from './index.ts'
import type { Promised } from './store-promise.contract.ts'
import { addFeed, addSource, START } from './store-samples.contract.ts'
import { addPerson } from './store-subscriptions.contract.ts'

/** Ada and Bob, and feeds of every kind of visibility. */
interface World {
  ada: UserId
  bob: UserId
  feeds: Record<'adas' | 'bobs' | 'login' | 'secret' | 'listed' | 'listedSecret', FeedId>
}

const LOGIN = { credentials: { user: 'bob', password: 'pw' } }
const SECRET = (name: string) => ({ url: address(`https://${name}.example/feed?token=abc`) })

async function makeWorld(store: Store): Promise<World> {
  const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
  const feeds = {
    adas: await addFeed(store, 'adas', SECRET('adas')),
    bobs: await addFeed(store, 'bobs'),
    login: await addFeed(store, 'login', LOGIN),
    secret: await addFeed(store, 'secret', SECRET('secret')),
    listed: await addFeed(store, 'listed', { listed: true }),
    listedSecret: await addFeed(store, 'listed-secret', { ...SECRET('listed-secret'), listed: true }),
  }
  await store.follow(ada, [{ feedId: feeds.adas, folder: 'News' }], START, 99)
  const bobs = [feeds.bobs, feeds.login, feeds.secret].map((feedId) => ({ feedId, folder: 'News' }))
  await store.follow(bob, bobs, START, 99)
  return { ada, bob, feeds }
}

/** The feeds that Ada sees. */
const SEEN: Record<Reach, (keyof World['feeds'])[]> = {
  followed: ['adas'],
  common: ['adas', 'listed', 'listedSecret'],
  shared: ['adas', 'bobs', 'listed', 'listedSecret'],
  public: ['bobs', 'listed'],
}
const REACHES = Object.keys(SEEN) as Reach[]

export function visibilityPromises(promised: Promised): void {
  for (const reach of REACHES) {
    promised(`shows a user the same feeds everywhere: ${reach}`, async (store) => {
      const { ada: userId, feeds } = await makeWorld(store)
      const scope = { userId, reach }
      const all = Object.values(feeds)
      const seen = SEEN[reach].map((name) => feeds[name])
      expect(await store.feedsWithin(scope, { among: all })).toEqual(all.filter((id) => seen.includes(id)))
      expect(await store.feedsWithin(scope, { among: [999 as FeedId] })).toEqual([])
      expect(await store.feedsWithin(scope, { limit: 99 })).toEqual(seen)
      expect(await store.feedsWithin(scope, { after: seen[0]!, limit: 1 })).toEqual(seen.slice(1, 2))
      const hidden = all.filter((id) => !seen.includes(id))
      expect(await store.feedsWithin(scope, { hidden: true, limit: 99 })).toEqual(hidden)
      for (const order of ['id', 'due'] as const) {
        const listed = await store.feeds({ within: scope, order, limit: 99 })
        expect(listed.map(({ feed }) => feed.id)).toEqual(seen)
      }
      const page = await store.feeds({ within: scope, order: 'id', limit: 1 })
      expect(page.map(({ feed }) => feed.id)).toEqual(seen.slice(0, 1))
      for (const [i, id] of all.entries()) await say(store, id, `entry ${i}`)
      const ids: EntryId[] = []
      for (const { id } of (await store.listEntries({ limit: 99 })).entries) ids.push(id)
      const feedsOf = await store.feedsOfEntries([...ids, 999 as EntryId])
      expect(feedsOf.at(-1)).toBeUndefined()
      expect(new Set(feedsOf.slice(0, -1))).toEqual(new Set(all))
      const entries = await store.entriesFor(userId, { reach, limit: 99 })
      expect(entries.entries.map(({ feedId }) => feedId).sort((a, b) => a - b)).toEqual(seen)
      const arrivals = await store.arrivalsFor(userId, { reach, order: 'oldest', limit: 99 })
      expect(arrivals.arrivals.map(({ feedId }) => feedId)).toEqual(seen)
      const some = await store.arrivalsFor(userId, { reach, feedIds: all, order: 'oldest', limit: 99 })
      expect(some.arrivals.map(({ feedId }) => feedId)).toEqual(seen)
      const statistics = await store.statistics(0, scope)
      expect(statistics.entries).toBe(seen.length)
      expect(statistics.polls.count).toBe(seen.length)
      expect(statistics.byFeed.map(({ feedId }) => feedId)).toEqual(seen)
    })
  }

  promised('pages through visible feeds without gaps', async (store) => {
    const { ada, feeds } = await makeWorld(store)
    for (let i = 0; i < 12; i++) for (const id of Object.values(feeds)) await say(store, id, `entry ${i} of ${id}`)
    for (const reach of REACHES) {
      const found: EntryId[] = []
      let after: { at: number; id: EntryId } | undefined
      do {
        const page = await store.entriesFor(ada, { reach, limit: 5, ...(after && { after }) })
        found.push(...page.entries.map(({ id }) => id))
        if (page.nextAfter) expect(page.entries).toHaveLength(5)
        after = page.nextAfter
      } while (after)
      expect(new Set(found).size).toBe(12 * SEEN[reach].length)
    }
  })

  promised('keeps folders, read state and stars per user, whatever is visible', async (store) => {
    const { ada, bob, feeds } = await makeWorld(store)
    const [own] = await say(store, feeds.adas, 'own')
    const [common] = await say(store, feeds.listed, 'common')
    const [others] = await say(store, feeds.secret, 'others')
    const inFolder = await store.feeds({
      within: { userId: ada, reach: 'shared' },
      folder: 'News',
      order: 'id',
      limit: 9,
    })
    expect(inFolder.map(({ feed }) => feed.id)).toEqual([feeds.adas])
    const folder = await store.entriesFor(ada, { reach: 'shared', folder: 'News', limit: 9 })
    expect(folder.entries.map(({ id }) => id)).toEqual([own])
    const unread = await store.entriesFor(ada, { reach: 'shared', read: false, limit: 9 })
    expect(unread.entries.map(({ id }) => id)).toEqual([own])
    await store.starEntries(ada, [own, common, others], true, START)
    const starred = async (reach: Reach) =>
      (await store.entriesFor(ada, { reach, starred: true, limit: 9 })).entries.map(({ id }) => id)
    expect(await starred('followed')).toEqual([own])
    expect(await starred('common')).toEqual([common, own])
    expect((await store.entriesFor(bob, { reach: 'common', limit: 9 })).entries.map(({ id }) => id)).toEqual([
      others,
      common,
    ])
  })

  promised('shows the earliest visible copy if the primary is not visible', async (store) => {
    const { ada, feeds } = await makeWorld(store)
    const [hidden] = await say(store, feeds.secret, 'first')
    const [early] = await say(store, feeds.adas, 'second')
    const [late] = await say(store, feeds.listed, 'third')
    const groups = [placed(hidden), placed(early, both(hidden)), placed(late, both(hidden))]
    await store.recordGroups(groups, [], START)
    const once = async (reach: Reach) =>
      (await store.entriesFor(ada, { reach, unique: 'story', limit: 9 })).entries.map(({ id }) => id)
    expect(await once('followed')).toEqual([early])
    expect(await once('common')).toEqual([early])
    expect(await once('public')).toEqual([late])
    const counted = async (reach: Reach) => {
      const { copies, stories } = await store.statistics(0, { userId: ada, reach })
      return { copies, stories }
    }
    expect(await counted('followed')).toEqual({ copies: 0, stories: 0 })
    expect(await counted('common')).toEqual({ copies: 1, stories: 1 })
    expect(await counted('public')).toEqual({ copies: 0, stories: 0 })
  })

  promised('shows sources of visible feeds, listed sources, and pending subscriptions', async (store) => {
    const { ada, bob } = await makeWorld(store)
    const listed = await addSource(store, 'common', { listed: true })
    const [adas, bobs] = [await addSource(store, 'hers'), await addSource(store, 'his')]
    await store.follow(ada, [{ sourceId: adas }], START, 9)
    await store.follow(bob, [{ sourceId: bobs }], START, 9)
    const seen = async (userId: UserId, after?: SourceId) =>
      (await store.sources({ within: { userId, reach: 'common' }, limit: 9, ...(after && { after }) })).map(
        ({ id }) => id,
      )
    expect(await seen(ada)).toEqual([listed, adas])
    expect(await seen(ada, listed)).toEqual([adas])
    expect(await seen(bob)).toEqual([listed, bobs])
    expect(await store.followerCounts([adas, bobs, listed].map((sourceId) => ({ sourceId })))).toEqual([1, 1, 0])
    expect(await store.sourceAt('https://his.example/')).toBe(bobs)
    expect(await store.sourceAt('https://nobodys.example/')).toBeUndefined()
  })

  promised('moves titles and folders from feeds to subscriptions when a second user is added', async (store) => {
    const ada = await addPerson(store, 'Ada')
    const own = await addFeed(store, 'a', { title: 'My lawyer', folder: 'Secret', validators: { etag: '"1"' } })
    const named = await addFeed(store, 'b', { title: 'The Daily', folder: 'Secret' })
    const listed = await addFeed(store, 'c', { folder: 'Operators', listed: true })
    await store.follow(ada, [{ feedId: own, title: 'My lawyer', folder: 'Secret' }, { feedId: named }], START, 9)
    await addPerson(store, 'bob')
    const [a, b, c] = (await store.feedsById([own, named, listed])).map((scheduled) => scheduled?.feed)
    expect(a).toMatchObject({ title: '', validators: {} })
    expect(a).not.toHaveProperty('folder')
    expect(b?.title).toBe('The Daily')
    expect(b).not.toHaveProperty('folder')
    expect(c?.folder).toBe('Operators')
    expect(await store.subscriptionsTo(ada, [own])).toMatchObject([{ title: 'My lawyer', folder: 'Secret' }])
    expect(await store.feedIds({ text: 'lawyer' })).toEqual([])
    expect(await store.feedIds({ text: 'a.example' })).toEqual([own])
  })
}
