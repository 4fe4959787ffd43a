/** When a hub is pinged, and what happens if it does not answer. */
import { afterEach, expect, it } from 'vitest'
import { createSteppedClock } from '../clocks/index.ts'
import { createVillage } from '../lab/index.ts'
import { type FeedId, HOUR, MINUTE, SECOND, type UserId } from '../model/index.ts'
import { createHttpNet } from '../net/index.ts'
import { type Net, rolesOf } from '../ports/index.ts'
import { draft, newFeed, record } from '../ports/store-samples.contract.ts'
import { createMemorySearch } from '../search/index.ts'
import { createMemoryStore } from '../stores/index.ts'
import { createHubPings } from './index.ts'

const START = Date.UTC(2026, 0, 5)
let stop = async () => {}
afterEach(() => stop())

/** Ada follows tides, and has an output feed of everything and one never fetched; Bob has one of bread. */
async function scene(netOf?: (net: Net) => Net) {
  const clock = createSteppedClock(START)
  const store = createMemoryStore()
  const village = createVillage({ clock, sites: [] })
  const addUser = async (name: string) =>
    (await store.addUser({ name, scope: 'write', addedAt: START, password: 'x' })) as UserId
  const [ada, bob] = [await addUser('ada'), await addUser('bob')]
  const [tides, bread] = (await store.addFeeds([newFeed('tides'), newFeed('bread')])).map(({ id }) => id)
  await store.follow(ada, [{ feedId: tides! }], START, 10)
  await store.follow(bob, [{ feedId: bread! }], START, 10)
  const feed = { of: { kind: 'all' as const }, text: 'full' as const, addedAt: START }
  await store.addSharedItem('feedOut', { ...feed, userId: ada, name: 'Ada’s', key: 'ada-secret' })
  await store.addSharedItem('feedOut', { ...feed, userId: ada, name: 'Unused', key: 'unused-secret' })
  await store.addSharedItem('feedOut', { ...feed, userId: bob, name: 'Bob’s', key: 'bob-secret' })
  for (const key of ['ada-secret', 'bob-secret']) await store.feedOutByKey(key, START)
  const failures: string[] = []
  const errors: unknown[] = []
  const ended = new AbortController()
  const net = netOf ? netOf(village.net()) : village.net()
  const hub = { url: 'http://hub.localhost/', publicUrl: 'https://us.example/news/' }
  const running = createHubPings({
    ...rolesOf(store),
    hub,
    search: createMemorySearch(),
    clock,
    net,
    onFailure: (words) => failures.push(words),
    onInternalError: (error) => errors.push(error),
  }).run(ended.signal)
  stop = async () => {
    ended.abort()
    await running
    expect(errors).toEqual([])
  }
  let polls = 0
  return {
    clock,
    store,
    hub: village.hub,
    failures,
    takePings: () => village.hub.requests.splice(0).map(({ mode, topic }) => `${mode} ${topic}`),
    arrive: async (feedName: 'tides' | 'bread') => {
      const id = feedName === 'tides' ? tides! : bread!
      await store.recordPolls([record(id, clock.now() + ++polls, { fresh: [draft(`${feedName}-${polls}`)] })])
    },
  }
}

const topics = (key: string) =>
  ['rss', 'atom', 'json'].map((format) => `publish https://us.example/news/feeds/out/${key}.${format}`)

it('pings for each changed feed in each format, and for no other', async () => {
  const { clock, takePings, arrive } = await scene()
  await clock.advance(MINUTE)
  expect(takePings()).toEqual([...topics('ada-secret'), ...topics('bob-secret')]) // changes during downtime are unknown, so everything is pinged
  await clock.advance(HOUR)
  expect(takePings()).toEqual([])
  await arrive('bread')
  await clock.advance(MINUTE)
  expect(takePings()).toEqual(topics('bob-secret'))
  await arrive('tides')
  await clock.advance(MINUTE)
  expect(takePings()).toEqual(topics('ada-secret'))
})

it('pings for a new address, and not for feeds that were not fetched for a month', async () => {
  const { clock, store, takePings, arrive } = await scene()
  await clock.advance(MINUTE)
  const bob = (await store.userByName('bob'))!.id
  const [feed] = await store.sharedItems('feedOut', bob)
  await store.changeSharedItem('feedOut', bob, feed!.id, { key: 'another-secret' })
  takePings()
  await arrive('tides')
  await clock.advance(MINUTE)
  expect(takePings()).toEqual([...topics('ada-secret'), ...topics('another-secret')])
  await clock.advance(31 * 24 * HOUR)
  await arrive('tides')
  await clock.advance(MINUTE)
  expect(takePings()).toEqual([])
})

it('pings for at most two hundred feeds, the most recently fetched ones', async () => {
  const { clock, store, takePings } = await scene()
  await clock.advance(MINUTE)
  takePings()
  const bob = (await store.userByName('bob'))!.id
  const feed = { of: { kind: 'all' as const }, text: 'full' as const, addedAt: START, userId: bob, name: 'x' }
  for (let i = 0; i < 200; i++) {
    await store.addSharedItem('feedOut', { ...feed, key: `many-${i}` })
    await store.feedOutByKey(`many-${i}`, clock.now())
  }
  await store.recordPolls([record(2 as FeedId, clock.now(), { fresh: [draft('news')] })])
  await clock.advance(MINUTE)
  const pings = takePings()
  expect([pings.length, pings.filter((ping) => ping.includes('bob-secret'))]).toEqual([600, []])
})

it('backs off while the hub fails, and pings afterwards', async () => {
  const { clock, hub, takePings, failures, arrive } = await scene()
  await clock.advance(MINUTE)
  takePings()
  hub.behavior.answers = () => ({ status: 503 })
  await arrive('bread')
  await clock.advance(10 * MINUTE)
  expect(takePings().length).toBeLessThan(6)
  expect(failures[0]).toMatch(/503/)
  delete hub.behavior.answers
  await clock.advance(HOUR)
  expect(takePings().slice(-3)).toEqual(topics('bob-secret'))
})

it('continues with other feeds if the hub rejects one', async () => {
  const { clock, hub, takePings, failures, arrive } = await scene()
  hub.behavior.answers = () => ({ status: 404 })
  await clock.advance(MINUTE)
  expect(takePings()).toHaveLength(6)
  await arrive('bread')
  await clock.advance(10 * MINUTE)
  expect(takePings()).toEqual(topics('bob-secret'))
  expect(failures).toHaveLength(9)
})

it('does not connect to a private address', async () => {
  const real = createHttpNet({ userAgent: 'test' })
  const { clock, failures, takePings } = await scene(() => real)
  await clock.advance(SECOND)
  for (let i = 0; i < 500 && failures.length === 0; i++) await new Promise((resolve) => setTimeout(resolve, 10))
  expect([failures[0], takePings()]).toEqual([expect.stringMatching(/private|not public|address/i), []])
  await real.close()
})
