import { expect, it } from 'vitest'
import type { FeedId, UserId } from '../../model/index.ts'
import { rolesOf, type Store } from '../../ports/index.ts'
import { createMemoryStore } from '../../stores/index.ts'
import type { Address } from '../crawler.ts'
import { subscribe } from './subscribe.ts'

const clock = { now: () => 0, sleepUntil: async () => {} }

it('adds a long list in chunks, and returns results in its order', async () => {
  const store = createMemoryStore()
  const portions: number[] = []
  const counting: Store = {
    ...store,
    addFeeds(feeds) {
      portions.push(feeds.length)
      return store.addFeeds(feeds)
    },
    addSources(sources) {
      portions.push(sources.length)
      return store.addSources(sources)
    },
  }
  const list = Array.from({ length: 5000 }, (_, i): Address => {
    if (i % 10 === 3) return { url: `not an address ${i}`, kind: 'feed' }
    return { url: `https://a${i}.example/${i}`, kind: i % 3 === 0 ? 'any' : 'feed' }
  })
  const answers = await subscribe(list, { ...rolesOf(counting), clock, strategy: 'fixed:1h' })
  expect(Math.max(...portions)).toBeLessThanOrEqual(500)
  expect(answers.map(({ url }) => url)).toEqual(list.map(({ url }) => url))
  const scheduled = await store.feedsById(answers.flatMap((one) => (one.kind === 'feed' ? [one.feedId] : [])))
  expect(scheduled.map((one) => one?.feed.url)).toEqual(
    answers.flatMap((one) => (one.kind === 'feed' ? [one.url] : [])),
  )
})

it('reads the memories of a root once, however many of its feeds are in the list', async () => {
  const store = createMemoryStore()
  let requests = 0
  const counting: Store = {
    ...store,
    memoriesOfRoots(...what) {
      requests++
      return store.memoriesOfRoots(...what)
    },
  }
  const list = Array.from({ length: 1200 }, (_, i): Address => ({ url: `https://a.example/${i}`, kind: 'feed' }))
  await subscribe(list, { ...rolesOf(counting), clock, strategy: 'fixed:1h' })
  expect(requests).toBe(1)
})

it('refuses feeds that another user follows with personal settings, and no others', async () => {
  const store = createMemoryStore()
  const [ada, bob] = [1, 2].map((n) => ({ name: `user${n}`, scope: 'write' as const, addedAt: 0, password: 'x' }))
  const [first, second] = [(await store.addUser(ada!)) as UserId, (await store.addUser(bob!)) as UserId]
  const parts = { ...rolesOf(store), clock, strategy: 'fixed:1h' }
  const list: Address[] = [{ url: 'https://a.example/feed', kind: 'feed' }]
  const [added] = await subscribe(list, parts, { userId: first })
  const id = added!.kind === 'feed' ? added!.feedId : (0 as FeedId)
  const refused = { kind: 'refused', reason: expect.stringContaining('settings of their own') }
  for (const fetching of [{ cookies: 'a=1' }, { bridge: 'https://bridge.example/?url={url}' }]) {
    await store.changeFeed(id, { fetching })
    expect(await subscribe(list, parts, { userId: second })).toMatchObject([refused])
    expect(await subscribe(list, parts, { userId: first })).toMatchObject([{ kind: 'feed', feedId: id }])
  }
  await store.changeFeed(id, { fetching: { bridge: 'https://bridge.example/?url={url}', byAdmin: true } })
  expect(await subscribe(list, parts, { userId: second })).toMatchObject([{ kind: 'feed', feedId: id, followed: true }])
})

it('limits titles and folders to the length that the API accepts', async () => {
  const store = createMemoryStore()
  const long = '\u{1f426}'.repeat(3_000)
  const list: Address[] = [{ url: 'https://a.example/feed', kind: 'feed', title: `a${long}`, folder: long }]
  const [added] = await subscribe(list, { ...rolesOf(store), clock, strategy: 'fixed:1h' })
  const [scheduled] = added?.kind === 'feed' ? await store.feedsById([added.feedId]) : []
  expect(scheduled!.feed).toMatchObject({ folder: long.slice(0, 1_000) })
  expect(scheduled!.feed.title).toHaveLength(1_000)
  expect(scheduled!.feed.title.isWellFormed()).toBe(true)
})
