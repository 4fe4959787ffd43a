/** A server of a fleet with a controller in another process; here both share a store in memory. */
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { createSteppedClock } from '../../clocks/index.ts'
import { createInProcessFleet } from '../../fleet/index.ts'
import { createVillage } from '../../lab/index.ts'
import { type FeedId, HOUR, MINUTE, type PushedDocument, SECOND } from '../../model/index.ts'
import { createInProcessQueue } from '../../queues/index.ts'
import { LIMITS } from '../../scheduling/index.ts'
import { createMemorySearch } from '../../search/index.ts'
import { createMemoryStore } from '../../stores/index.ts'
import { createFetcher } from '../fetcher/fetcher.ts'
import { createCrawler } from './create-crawler.ts'
import { createFleetClient } from './create-fleet-client.ts'

const START = Date.parse('2026-03-02T09:00:00Z')
const GROUPING = { copies: 'off', stories: 'off', groupWindowMs: HOUR, groupMemoryBytes: 1_000_000 } as const

function setup() {
  const clock = createSteppedClock(START)
  const village = createVillage({ clock, sites: [{ name: 'gazette', feeds: [{ path: '/feed', hub: true }] }] })
  const store = createMemoryStore()
  const join = createInProcessFleet()
  const settings = {
    strategy: 'fixed:1h',
    limits: LIMITS,
    pollsPerDay: 'auto',
    random: () => 0.5,
    ...GROUPING,
  } as const
  const inner = createInProcessQueue({ concurrency: 4 })
  inner.serve(createFetcher({ net: village.net(), clock, obeyRobots: 'guesses' }))
  let applyPush: ((pushed: PushedDocument) => Promise<void>) | undefined
  const queue = {
    ...inner,
    collect(apply: Parameters<typeof inner.collect>[0], applier?: typeof applyPush) {
      applyPush = applier
      inner.collect(apply)
    },
  }
  const keepPushed = (pushed: PushedDocument) => applyPush!(pushed)
  const fleet = join(clock)
  const member = { name: 'c1', version: '1' }
  const crawler = createCrawler({
    store,
    search: createMemorySearch(),
    queue,
    clock,
    ...settings,
    knownBy: 'key',
    ownerName: 'c1',
    concurrency: 4,
    gapMs: SECOND,
    keepEntriesMs: 0,
    keepPollsMs: 0,
    push: { publicUrl: 'https://us.example', newSecret: () => 'sixteen-letters-and-more-000000000001' },
    fleetConnection: { fleet, member },
  })
  const client = createFleetClient({
    store,
    clock,
    ...settings,
    keepPushed,
    fleetConnection: { fleet: join(clock), member: { name: 's1', version: '1' } },
  })
  const end = new AbortController()
  void crawler.run(end.signal)
  void client.run(end.signal)
  const sendHeartbeat = () =>
    fleet.heartbeat({ role: 'fetcher', name: 't1', version: '1', startedAt: START, slots: 4, activeTasks: 0 })
  const advance = async (ms: number) => {
    for (let remainingMs = ms; remainingMs > 0; remainingMs -= 5 * SECOND) {
      sendHeartbeat()
      await clock.advance(5 * SECOND)
    }
  }
  return { clock, village, store, client, advance, end }
}

it('writes commands to the store, wakes the owner of the feed, and publishes the events', async () => {
  const { village, store, client, advance, end } = setup()
  const eventKinds: string[] = []
  client.onEvent((event) => eventKinds.push(event.kind))
  await advance(10 * SECOND)
  const [site] = village.sites
  const [added] = await client.subscribe([{ url: site!.feeds[0]!.url, kind: 'feed' }])
  await advance(15 * SECOND)
  const id = (added as { feedId: FeedId }).feedId
  expect(await store.polls({ feedId: id, limit: 9 })).toHaveLength(1)
  expect([client.activity().totals.polls, eventKinds.filter((kind) => kind === 'polled')]).toEqual([1, ['polled']])
  await advance(2 * MINUTE)
  expect(await client.pollNow(id)).toMatchObject({ dueAt: expect.any(Number) })
  await advance(30 * SECOND)
  const polls = await store.polls({ feedId: id, limit: 9 })
  expect(polls.map(({ occasion }) => occasion)).toEqual(['manual', undefined])
  end.abort()
})

it('lets the owner answer verifications of hubs, and stores pushes before it acknowledges them', async () => {
  const { village, store, client, advance, end } = setup()
  await advance(10 * SECOND)
  const [site] = village.sites
  const [added] = await client.subscribe([{ url: site!.feeds[0]!.url, kind: 'feed' }])
  await advance(40 * SECOND)
  const id = (added as { feedId: FeedId }).feedId
  const [push] = (await store.hubSubscriptionsOf([id])).flatMap((one) => one ?? [])
  const query = {
    'hub.mode': 'subscribe',
    'hub.topic': push!.topic,
    'hub.challenge': 'x1',
    'hub.lease_seconds': '86400',
  }
  expect(await client.pushReceiver!.confirm(push!.token, query)).toEqual({ status: 200, body: 'x1' })
  expect((await store.hubSubscriptionByToken(push!.token))?.state).toBe('active')
  expect(await client.pushReceiver!.confirm('unknown-token', query)).toEqual({ status: 404 })

  const before = (await store.entries({ feedId: id, limit: 999 })).length
  const body = Buffer.from(
    '<rss version="2.0"><channel><title>g</title><item><guid>pushed</guid><title>p</title></item></channel></rss>',
  )
  const headers = { 'x-hub-signature': `sha256=${createHmac('sha256', push!.secret).update(body).digest('hex')}` }
  const pushed = {
    headers: { ...headers, 'content-type': 'application/rss+xml' },
    chunks: async function* () {
      yield body
    },
  }
  expect(await client.pushReceiver!.receive(push!.token, pushed)).toEqual({ status: 202 })
  expect((await store.entries({ feedId: id, limit: 999 })).length).toBe(before + 1)
  end.abort()
})

it('lets the controller count reading activity every hour', async () => {
  const { village, store, client, advance, end } = setup()
  const { everyFeedReads } = store
  const countedAt: number[] = []
  store.everyFeedReads = (now) => {
    countedAt.push(now - START)
    return everyFeedReads(now)
  }
  const [added] = await client.subscribe([{ url: village.sites[0]!.feeds[0]!.url, kind: 'feed' }])
  expect(added).toBeDefined()
  await advance(HOUR + MINUTE)
  expect(countedAt).toEqual([0, HOUR])
  end.abort()
})
