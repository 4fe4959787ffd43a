/** A server that crawls nothing, beside a controller in another process: here both share a store in memory. */
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
import { createTerminal } from '../fetcher/fetcher.ts'
import { createCrawler } from './create-crawler.ts'
import { createFront } from './create-fleet-client.ts'

const START = Date.parse('2026-03-02T09:00:00Z')
const GROUPING = { copies: 'off', stories: 'off', groupWindowMs: HOUR, groupMemoryBytes: 1_000_000 } as const

function town() {
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
  inner.serve(createTerminal({ net: village.net(), clock, obeyRobots: 'guesses' }))
  let take: ((pushed: PushedDocument) => Promise<void>) | undefined
  const queue = {
    ...inner,
    collect(apply: Parameters<typeof inner.collect>[0], taker?: typeof take) {
      take = taker
      inner.collect(apply)
    },
  }
  const keepPushed = (pushed: PushedDocument) => take!(pushed)
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
    among: { fleet, member },
  })
  const front = createFront({
    store,
    clock,
    ...settings,
    keepPushed,
    among: { fleet: join(clock), member: { name: 's1', version: '1' } },
  })
  const end = new AbortController()
  void crawler.run(end.signal)
  void front.run(end.signal)
  const beat = () => fleet.beat({ role: 'fetcher', name: 't1', version: '1', startedAt: START, hands: 4, load: 0 })
  const live = async (ms: number) => {
    for (let left = ms; left > 0; left -= 5 * SECOND) {
      beat()
      await clock.advance(5 * SECOND)
    }
  }
  return { clock, village, store, front, live, end }
}

it('writes what people want, wakes who owns the feed, and tells what came of it', async () => {
  const { village, store, front, live, end } = town()
  const heard: string[] = []
  front.onEvent((event) => heard.push(event.kind))
  await live(10 * SECOND)
  const [site] = village.sites
  const [added] = await front.subscribe([{ url: site!.feeds[0]!.url, kind: 'feed' }])
  await live(15 * SECOND)
  const id = (added as { feedId: FeedId }).feedId
  expect(await store.polls({ feedId: id, limit: 9 })).toHaveLength(1)
  expect([front.activity().totals.polls, heard.filter((kind) => kind === 'polled')]).toEqual([1, ['polled']])
  await live(2 * MINUTE)
  expect(await front.pollNow(id)).toMatchObject({ dueAt: expect.any(Number) })
  await live(30 * SECOND)
  const polls = await store.polls({ feedId: id, limit: 9 })
  expect(polls.map(({ occasion }) => occasion)).toEqual(['hand', undefined])
  end.abort()
})

it('has what a hub asks answered by the owner, and what it brings kept before it is acknowledged', async () => {
  const { village, store, front, live, end } = town()
  await live(10 * SECOND)
  const [site] = village.sites
  const [added] = await front.subscribe([{ url: site!.feeds[0]!.url, kind: 'feed' }])
  await live(40 * SECOND)
  const id = (added as { feedId: FeedId }).feedId
  const [push] = (await store.pushesOf([id])).flatMap((one) => one ?? [])
  const query = {
    'hub.mode': 'subscribe',
    'hub.topic': push!.topic,
    'hub.challenge': 'x1',
    'hub.lease_seconds': '86400',
  }
  expect(await front.pushReceiver!.confirm(push!.token, query)).toEqual({ status: 200, body: 'x1' })
  expect((await store.pushByToken(push!.token))?.state).toBe('active')
  expect(await front.pushReceiver!.confirm('nobody-knows-this-one', query)).toEqual({ status: 404 })

  const before = (await store.entries({ feedId: id, limit: 999 })).length
  const body = Buffer.from(
    '<rss version="2.0"><channel><title>g</title><item><guid>pushed</guid><title>p</title></item></channel></rss>',
  )
  const headers = { 'x-hub-signature': `sha256=${createHmac('sha256', push!.secret).update(body).digest('hex')}` }
  const brought = {
    headers: { ...headers, 'content-type': 'application/rss+xml' },
    chunks: async function* () {
      yield body
    },
  }
  expect(await front.pushReceiver!.receive(push!.token, brought)).toEqual({ status: 202 })
  expect((await store.entries({ feedId: id, limit: 999 })).length).toBe(before + 1)
  end.abort()
})

it('beside it, the controller weighs who reads what, and counts that anew every hour', async () => {
  const { village, store, front, live, end } = town()
  const { everyFeedsReads } = store
  const countedAt: number[] = []
  store.everyFeedsReads = (now) => {
    countedAt.push(now - START)
    return everyFeedsReads(now)
  }
  const [added] = await front.subscribe([{ url: village.sites[0]!.feeds[0]!.url, kind: 'feed' }])
  expect(added).toBeDefined()
  await live(HOUR + MINUTE)
  expect(countedAt).toEqual([0, HOUR])
  end.abort()
})
