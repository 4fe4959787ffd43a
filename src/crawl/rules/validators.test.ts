import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  askedOf,
  box,
  gapsOf,
  networkCrawl,
  newspaperSite,
  onlyFeed,
  quietNewspaperSite,
  START,
  subscribeFeeds,
} from '../../../test/crawl-harness.ts'
import type { SiteSpec } from '../../lab/index.ts'
import { DAY, HOUR, MINUTE } from '../../model/index.ts'
import { openSqliteStore } from '../../stores/index.ts'

const sentBack = (village: Parameters<typeof askedOf>[0]) =>
  askedOf(village, '/feed').map(({ headers }) => [headers['if-none-match'], headers['if-modified-since']])

it('rule 1: the first poll asks for everything, all later ones only for what is new', async () => {
  const { crawler, village, clock } = box([quietNewspaperSite])
  await subscribeFeeds(crawler, village)
  await clock.advance(20 * HOUR)
  const asked = askedOf(village, '/feed')
  expect(asked).toHaveLength(21)
  expect(asked.map(({ status }) => status)).toEqual([200, ...Array(20).fill(304)])
  expect(asked.filter(({ headers }) => !headers['if-none-match'] && !headers['if-modified-since'])).toHaveLength(1)
})

it('rule 2: ETag and Last-Modified go back byte for byte', async () => {
  const { crawler, village, clock } = box([quietNewspaperSite])
  const odd = { etag: 'W/"a b, \\ é"', 'last-modified': 'the day before yesterday, 25:61' }
  village.site('gazette').trouble({ kind: 'headers', headers: odd })
  await subscribeFeeds(crawler, village)
  await clock.advance(HOUR)
  expect(sentBack(village)).toEqual([
    [undefined, undefined],
    [odd.etag, odd['last-modified']],
  ])
})

it('rule 3: If-Modified-Since is never made up', async () => {
  const { crawler, village, clock } = box([{ ...quietNewspaperSite, feeds: [{ path: '/feed', validators: 'strong' }] }])
  await subscribeFeeds(crawler, village)
  await clock.advance(3 * HOUR)
  expect(sentBack(village).map(([, since]) => since)).toEqual(Array(4).fill(undefined))
})

it('rule 4: a new ETag for the same document is the one that goes back', async () => {
  const { crawler, village, clock } = box([
    { ...quietNewspaperSite, feeds: [{ path: '/feed', validators: 'restless' }] },
  ])
  await subscribeFeeds(crawler, village)
  await clock.advance(3 * HOUR)
  const tags = sentBack(village).map(([tag]) => tag)
  expect(new Set(tags).size).toBe(4)
  expect(tags.slice(1)).toEqual(
    askedOf(village, '/feed')
      .slice(0, -1)
      .map(({ at }) => `"${at.toString(36)}"`),
  )
})

it('rule 5: a 304 may bring new validators and a new freshness', async () => {
  const { crawler, village, clock } = box([quietNewspaperSite])
  const said = (etag: string, more = {}) =>
    village.site('gazette').trouble({ kind: 'headers', headers: { etag, 'last-modified': 'day 1', ...more } })
  said('"1"')
  await subscribeFeeds(crawler, village)
  await clock.advance(MINUTE)
  said('"1"', { 'last-modified': 'day 2', 'cache-control': 'max-age=18000' })
  await clock.advance(7 * HOUR)
  const asked = askedOf(village, '/feed')
  expect(asked.map(({ status }) => status)).toEqual([200, 304, 304])
  expect(sentBack(village).at(-1)).toEqual(['"1"', 'day 2'])
  expect(gapsOf(asked.map(({ at }) => at))).toEqual([HOUR, 5 * HOUR])
})

it('rule 6: validators that an answer no longer has are dropped', async () => {
  const { crawler, village, clock } = box([newspaperSite])
  await subscribeFeeds(crawler, village)
  await clock.advance(MINUTE)
  village.site('gazette').trouble({ kind: 'headers', headers: { etag: null, 'last-modified': null } })
  await clock.advance(2 * HOUR)
  const [first, second, third] = sentBack(village)
  expect([first, third]).toEqual(Array(2).fill([undefined, undefined]))
  expect(second?.every(Boolean)).toBe(true)
})

it('rule 7: validators survive a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'freshet-rules-'))
  const openStore = () => openSqliteStore({ file: join(folder, 'a.db'), mode: 'write', now: () => START }).store
  const before = openStore()
  const first = box([quietNewspaperSite], { store: before })
  await subscribeFeeds(first.crawler, first.village)
  await first.clock.advance(10 * MINUTE)
  const { validators } = (await onlyFeed(before)).feed
  await first.stop()
  await before.close()

  const after = openStore()
  const second = box([quietNewspaperSite], { store: after, startAt: first.clock.now() })
  await second.clock.advance(HOUR)
  expect(sentBack(second.village)).toEqual([[validators.etag, validators.lastModified]])
  expect(askedOf(second.village, '/feed')[0]?.status).toBe(304)
  await second.stop()
  await after.close()
  rmSync(folder, { recursive: true })
})

it('rule 23: the ETag of a packed answer goes back as it came', async () => {
  const { crawler, village, clock } = await networkCrawl([
    { ...quietNewspaperSite, feeds: [{ path: '/feed', validators: 'apache' }] },
  ])
  await subscribeFeeds(crawler, village)
  await clock.advance(2 * HOUR)
  const asked = askedOf(village, '/feed')
  expect(asked.map(({ status }) => status)).toEqual([200, 304, 304])
  for (const { headers } of asked.slice(1)) expect(headers['if-none-match']).toMatch(/^"[0-9a-f]+-gzip"$/)
})

it('rule 37: the same document again is no news, but its headers count', async () => {
  const { crawler, village, clock, store } = box([
    { ...quietNewspaperSite, feeds: [{ path: '/feed', validators: 'restless' }] },
  ])
  await subscribeFeeds(crawler, village)
  await clock.advance(2 * HOUR)
  const { feed } = await onlyFeed(store)
  const results = (await store.polls({ feedId: feed.id, limit: 2 })).map(({ result }) => result)
  expect(results).toEqual(Array(2).fill({ kind: 'not-modified', by: 'hash' }))
  expect(feed.validators.etag).toBe(`"${askedOf(village, '/feed').at(-1)!.at.toString(36)}"`)
})

const lyingGazette: SiteSpec = {
  ...newspaperSite,
  rhythm: { kind: 'clockwork', everyMs: 4 * HOUR },
  feeds: [{ path: '/feed', validators: 'lying' }],
}

it('rule 38: a server whose 304 hides news is found out by a rare poll for everything', async () => {
  const { crawler, village, clock, store } = box([
    { ...lyingGazette, rhythm: { kind: 'weekly', weekday: 3, hour: 12 } },
  ])
  await subscribeFeeds(crawler, village)
  await clock.advance(10 * DAY)
  const asked = askedOf(village, '/feed')
  const whole = asked.filter(({ headers }) => headers['if-none-match'] === undefined)
  expect(whole.filter(({ at }) => at < START + 7 * DAY)).toHaveLength(1)
  expect(asked.at(-1)?.headers['if-none-match']).toBeUndefined()
  const { schedule } = await onlyFeed(store)
  expect(schedule.trust?.trust).toBe('lies')
})

it('finds a server of a busy feed out within a day, because that is silent for longer than usual', async () => {
  const { crawler, village, clock, store } = box([lyingGazette])
  await subscribeFeeds(crawler, village)
  await clock.advance(20 * HOUR)
  const conditional = askedOf(village, '/feed').filter(({ headers }) => headers['if-none-match'] !== undefined)
  expect(conditional).toHaveLength(20)
  await clock.advance(3 * DAY)
  expect((await onlyFeed(store)).schedule.trust?.trust).toBe('lies')
  expect(await store.entries({ limit: 99 })).toHaveLength(20 + Math.floor((3 * DAY + 20 * HOUR) / (4 * HOUR)))
})

it('does not send back a Last-Modified ahead of the answer', async () => {
  const { crawler, village, clock } = box([{ ...newspaperSite, feeds: [{ path: '/feed', validators: 'none' }] }])
  const ahead = new Date(START + 400 * DAY).toUTCString()
  village.site('gazette').trouble({ kind: 'headers', headers: { 'last-modified': ahead } })
  await subscribeFeeds(crawler, village)
  await clock.advance(3 * HOUR)
  expect(sentBack(village)).toEqual(Array(4).fill([undefined, undefined]))
  expect(askedOf(village, '/feed').map(({ status }) => status)).toEqual(Array(4).fill(200))
})
