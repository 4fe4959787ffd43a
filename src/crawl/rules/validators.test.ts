import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  createCrawlHarness,
  createNetworkHarness,
  gapsOf,
  newspaperSite,
  onlyFeed,
  quietNewspaperSite,
  requestsTo,
  START,
  subscribeFeeds,
} from '../../../test/crawl-harness.ts'
import type { SiteSpec } from '../../lab/index.ts'
import { DAY, HOUR, MINUTE } from '../../model/index.ts'
import { openSqliteStore } from '../../stores/index.ts'

const validatorsSent = (village: Parameters<typeof requestsTo>[0]) =>
  requestsTo(village, '/feed').map(({ headers }) => [headers['if-none-match'], headers['if-modified-since']])

it('rule 1: the first poll is unconditional, all later ones are conditional', async () => {
  const { crawler, village, clock } = createCrawlHarness([quietNewspaperSite])
  await subscribeFeeds(crawler, village)
  await clock.advance(20 * HOUR)
  const requests = requestsTo(village, '/feed')
  expect(requests).toHaveLength(21)
  expect(requests.map(({ status }) => status)).toEqual([200, ...Array(20).fill(304)])
  expect(requests.filter(({ headers }) => !headers['if-none-match'] && !headers['if-modified-since'])).toHaveLength(1)
})

it('rule 2: ETag and Last-Modified are sent back byte for byte', async () => {
  const { crawler, village, clock } = createCrawlHarness([quietNewspaperSite])
  const odd = { etag: 'W/"a b, \\ é"', 'last-modified': 'the day before yesterday, 25:61' }
  village.site('gazette').addFault({ kind: 'headers', headers: odd })
  await subscribeFeeds(crawler, village)
  await clock.advance(HOUR)
  expect(validatorsSent(village)).toEqual([
    [undefined, undefined],
    [odd.etag, odd['last-modified']],
  ])
})

it('rule 3: If-Modified-Since is never invented', async () => {
  const { crawler, village, clock } = createCrawlHarness([
    { ...quietNewspaperSite, feeds: [{ path: '/feed', validators: 'strong' }] },
  ])
  await subscribeFeeds(crawler, village)
  await clock.advance(3 * HOUR)
  expect(validatorsSent(village).map(([, since]) => since)).toEqual(Array(4).fill(undefined))
})

it('rule 4: a new ETag of the same document replaces the old one', async () => {
  const { crawler, village, clock } = createCrawlHarness([
    { ...quietNewspaperSite, feeds: [{ path: '/feed', validators: 'restless' }] },
  ])
  await subscribeFeeds(crawler, village)
  await clock.advance(3 * HOUR)
  const tags = validatorsSent(village).map(([tag]) => tag)
  expect(new Set(tags).size).toBe(4)
  expect(tags.slice(1)).toEqual(
    requestsTo(village, '/feed')
      .slice(0, -1)
      .map(({ at }) => `"${at.toString(36)}"`),
  )
})

it('rule 5: a 304 can update validators and freshness', async () => {
  const { crawler, village, clock } = createCrawlHarness([quietNewspaperSite])
  const setHeaders = (etag: string, more = {}) =>
    village.site('gazette').addFault({ kind: 'headers', headers: { etag, 'last-modified': 'day 1', ...more } })
  setHeaders('"1"')
  await subscribeFeeds(crawler, village)
  await clock.advance(MINUTE)
  setHeaders('"1"', { 'last-modified': 'day 2', 'cache-control': 'max-age=18000' })
  await clock.advance(7 * HOUR)
  const requests = requestsTo(village, '/feed')
  expect(requests.map(({ status }) => status)).toEqual([200, 304, 304])
  expect(validatorsSent(village).at(-1)).toEqual(['"1"', 'day 2'])
  expect(gapsOf(requests.map(({ at }) => at))).toEqual([HOUR, 5 * HOUR])
})

it('rule 6: validators missing from a response are dropped', async () => {
  const { crawler, village, clock } = createCrawlHarness([newspaperSite])
  await subscribeFeeds(crawler, village)
  await clock.advance(MINUTE)
  village.site('gazette').addFault({ kind: 'headers', headers: { etag: null, 'last-modified': null } })
  await clock.advance(2 * HOUR)
  const [first, second, third] = validatorsSent(village)
  expect([first, third]).toEqual(Array(2).fill([undefined, undefined]))
  expect(second?.every(Boolean)).toBe(true)
})

it('rule 7: validators survive a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'freshet-rules-'))
  const openStore = () => openSqliteStore({ file: join(folder, 'a.db'), mode: 'write', now: () => START }).store
  const before = openStore()
  const first = createCrawlHarness([quietNewspaperSite], { store: before })
  await subscribeFeeds(first.crawler, first.village)
  await first.clock.advance(10 * MINUTE)
  const { validators } = (await onlyFeed(before)).feed
  await first.stop()
  await before.close()

  const after = openStore()
  const second = createCrawlHarness([quietNewspaperSite], { store: after, startAt: first.clock.now() })
  await second.clock.advance(HOUR)
  expect(validatorsSent(second.village)).toEqual([[validators.etag, validators.lastModified]])
  expect(requestsTo(second.village, '/feed')[0]?.status).toBe(304)
  await second.stop()
  await after.close()
  rmSync(folder, { recursive: true })
})

it('rule 23: the ETag of a compressed response is sent back unchanged', async () => {
  const { crawler, village, clock } = await createNetworkHarness([
    { ...quietNewspaperSite, feeds: [{ path: '/feed', validators: 'apache' }] },
  ])
  await subscribeFeeds(crawler, village)
  await clock.advance(2 * HOUR)
  const requests = requestsTo(village, '/feed')
  expect(requests.map(({ status }) => status)).toEqual([200, 304, 304])
  for (const { headers } of requests.slice(1)) expect(headers['if-none-match']).toMatch(/^"[0-9a-f]+-gzip"$/)
})

it('rule 37: an unchanged document has no news, but its headers count', async () => {
  const { crawler, village, clock, store } = createCrawlHarness([
    { ...quietNewspaperSite, feeds: [{ path: '/feed', validators: 'restless' }] },
  ])
  await subscribeFeeds(crawler, village)
  await clock.advance(2 * HOUR)
  const { feed } = await onlyFeed(store)
  const results = (await store.polls({ feedId: feed.id, limit: 2 })).map(({ result }) => result)
  expect(results).toEqual(Array(2).fill({ kind: 'not-modified', by: 'hash' }))
  expect(feed.validators.etag).toBe(`"${requestsTo(village, '/feed').at(-1)!.at.toString(36)}"`)
})

const lyingGazette: SiteSpec = {
  ...newspaperSite,
  rhythm: { kind: 'clockwork', everyMs: 4 * HOUR },
  feeds: [{ path: '/feed', validators: 'lying' }],
}

it('rule 38: a server whose 304 hides news is detected by rare unconditional polls', async () => {
  const { crawler, village, clock, store } = createCrawlHarness([
    { ...lyingGazette, rhythm: { kind: 'weekly', weekday: 3, hour: 12 } },
  ])
  await subscribeFeeds(crawler, village)
  await clock.advance(10 * DAY)
  const requests = requestsTo(village, '/feed')
  const unconditional = requests.filter(({ headers }) => headers['if-none-match'] === undefined)
  expect(unconditional.filter(({ at }) => at < START + 7 * DAY)).toHaveLength(1)
  expect(requests.at(-1)?.headers['if-none-match']).toBeUndefined()
  const { schedule } = await onlyFeed(store)
  expect(schedule.trust?.trust).toBe('lies')
})

it('detects a lying server of a busy feed within a day, since it is silent for longer than usual', async () => {
  const { crawler, village, clock, store } = createCrawlHarness([lyingGazette])
  await subscribeFeeds(crawler, village)
  await clock.advance(20 * HOUR)
  const conditional = requestsTo(village, '/feed').filter(({ headers }) => headers['if-none-match'] !== undefined)
  expect(conditional).toHaveLength(20)
  await clock.advance(3 * DAY)
  expect((await onlyFeed(store)).schedule.trust?.trust).toBe('lies')
  expect(await store.entries({ limit: 99 })).toHaveLength(20 + Math.floor((3 * DAY + 20 * HOUR) / (4 * HOUR)))
})

it('does not send back a Last-Modified ahead of the answer', async () => {
  const { crawler, village, clock } = createCrawlHarness([
    { ...newspaperSite, feeds: [{ path: '/feed', validators: 'none' }] },
  ])
  const ahead = new Date(START + 400 * DAY).toUTCString()
  village.site('gazette').addFault({ kind: 'headers', headers: { 'last-modified': ahead } })
  await subscribeFeeds(crawler, village)
  await clock.advance(3 * HOUR)
  expect(validatorsSent(village)).toEqual(Array(4).fill([undefined, undefined]))
  expect(requestsTo(village, '/feed').map(({ status }) => status)).toEqual(Array(4).fill(200))
})
