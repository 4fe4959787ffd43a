/** API operations of the dashboard, over a memory store. */
import { describe, expect, test } from 'vitest'
import { createServerFixture, NOW } from '../../test/server-fixture.ts'
import { createGrouper, DEFAULT_GROUPING, type Discovery } from '../crawl/index.ts'
import { address } from '../model/address.fixture.ts'
import { DAY, type FeedId, HOUR, MINUTE } from '../model/index.ts'
import type { DashboardServices } from './index.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const LEAD = 'The council of Port Else voted on Monday to build a tram line from market to port, ending a quarrel.'

async function ask(fixture: ReturnType<typeof createServerFixture>, path: string, method = 'GET', body?: object) {
  const sent = method === 'GET' ? {} : { headers: JSON_TYPE, body: JSON.stringify(body ?? {}) }
  const response = await fixture.app.request(`/api/v1/${path}`, { method, ...sent })
  const text = await response.text()
  return { status: response.status, body: text ? JSON.parse(text) : undefined }
}

/** A fixture with some dashboard services replaced. */
function fixtureWith(machines: Partial<DashboardServices>) {
  const plain = createServerFixture()
  const none: DashboardServices = {
    discover: async () => ({ requests: [], feeds: [] }),
    runBacktest: async () => ({}),
    settings: () => [],
    hosts: async () => [],
    robots: async () => [],
  }
  return { plain, fixture: createServerFixture({ dashboard: { ...none, ...machines } }) }
}

describe('POST /api/v1/preview', () => {
  test('returns each candidate with its entries, frequency and reasons of its rank', async () => {
    const url = address('https://tides.example/feed')
    const entries = [0, 1, 2, 3].map((day) => ({ key: `${day}`, title: `Day ${day}`, publishedAt: NOW - day * DAY }))
    const parsedFeed = {
      facts: { format: 'atom', title: 'Tides' },
      entries,
      validators: {},
      bodyHash: '',
      windowHash: '',
      restMs: 0,
    }
    const found = {
      requests: [{ url: address('https://tides.example/'), via: 'address', result: { kind: 'page' } }],
      feeds: [{ url, score: 12.3, why: ['named by the page'], reading: parsedFeed }],
    } as unknown as Discovery
    const { fixture } = fixtureWith({ discover: async () => found })
    const { status, body } = await ask(fixture, 'preview', 'POST', { url: 'tides.example' })
    expect(status).toBe(200)
    expect(body.candidates).toMatchObject([
      { url, title: 'Tides', score: 12, why: ['named by the page'], perDay: 1, size: 4 },
    ])
    expect(body.candidates[0].entries[0]).toEqual({ title: 'Day 0', publishedAt: new Date(NOW).toISOString() })
    expect(body.requests).toEqual([{ url: 'https://tides.example/', via: 'address', words: 'a page' }])
  })

  test('explains an empty result, rejects invalid addresses, and limits concurrent previews', async () => {
    const plain = createServerFixture()
    expect((await ask(plain, 'preview', 'POST', { url: 'https://nobody.example' })).body).toMatchObject({
      candidates: [],
      trouble: { words: expect.any(String) },
    })
    expect((await ask(plain, 'preview', 'POST', { url: 'no address' })).status).toBe(400)
    const waiting = Promise.withResolvers<Discovery>()
    const { fixture } = fixtureWith({ discover: () => waiting.promise })
    const previews = Array.from({ length: 5 }, () => ask(fixture, 'preview', 'POST', { url: 'https://slow.example' }))
    const first = await Promise.race(previews)
    expect(first.status).toBe(429)
    waiting.resolve({ requests: [], feeds: [] })
    expect((await Promise.all(previews)).map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 429])
  })
})

describe('GET /api/v1/sites/{host}', () => {
  test('returns its feeds, when it publishes, which sites copy it and which it copies', async () => {
    const fixture = createServerFixture()
    const entry = (title: string, agoMs: number, summary: string) => ({ title, agoMs, summary })
    await fixture.addFeed({
      url: 'https://wire.example/feed',
      title: 'The Wire',
      entries: [entry('Tram line', 5 * HOUR, LEAD), entry('Goose', HOUR, 'It was warm.')],
    })
    await fixture.addFeed({
      url: 'https://www.mirror.example/feed',
      title: 'The Mirror',
      entries: [entry('Tram line', 3 * HOUR, LEAD)],
    })
    const grouper = createGrouper({
      pendingWork: fixture.store,
      clock: fixture.clock,
      emit: () => {},
      ...DEFAULT_GROUPING,
    })
    while (await grouper.groupChunk());
    const { body: wire } = await ask(fixture, 'sites/wire.example')
    expect(wire).toMatchObject({
      host: 'wire.example',
      examined: 2,
      withoutCopies: 1,
      copies: [],
      copiedBy: [{ feedTitle: 'The Mirror', count: 1 }],
    })
    expect(wire.feeds).toMatchObject([{ title: 'The Wire' }])
    expect(wire.times).toHaveLength(2)
    const { body: mirror } = await ask(fixture, 'sites/mirror.example')
    expect(mirror).toMatchObject({ copiedBy: [], copies: [{ feedTitle: 'The Wire', count: 1 }] })
    expect((await ask(fixture, 'sites/nobody.example')).status).toBe(404)
  })
})

test('delays count entries published after their feed was added, by hour', async () => {
  const fixture = createServerFixture()
  await fixture.addFeed({
    url: 'https://tides.example/feed',
    title: 'Tides',
    entries: [
      { title: 'Two', agoMs: 6 * MINUTE },
      { title: 'Six', agoMs: 10 * MINUTE },
      { title: 'A day', agoMs: 10 * MINUTE, dateOnly: true },
      { title: 'Before we came', agoMs: 30 * DAY },
    ],
  })
  const { body } = await ask(fixture, 'statistics/delays')
  expect(body).toMatchObject({ count: 2, medianMs: 6 * MINUTE, p90Ms: 6 * MINUTE })
  expect(body.series.at(-1)).toMatchObject({ count: 2 })
})

test('lists known hosts without expired details', async () => {
  const fixture = createServerFixture()
  await fixture.store.recordSites({
    hosts: [
      {
        root: 'slow.example',
        notBeforeAt: NOW + HOUR,
        strikes: 2,
        trouble: { kind: 'http', status: 429 },
        adaptiveGap: { factor: 4, calmAt: NOW, refusals: 1 },
      },
      {
        root: 'well.example',
        notBeforeAt: NOW - HOUR,
        strikes: 0,
        crawlDelay: { ms: 5000, origin: 'https://well.example', until: NOW - 1 },
      },
    ],
  })
  const { body } = await ask(fixture, 'hosts/known')
  expect(body.hosts).toEqual([
    {
      root: 'slow.example',
      strikes: 2,
      backingOffUntil: new Date(NOW + HOUR).toISOString(),
      trouble: expect.objectContaining({ status: 429 }),
      gapFactor: 4,
    },
    { root: 'well.example', strikes: 0 },
  ])
  expect((await ask(fixture, 'hosts/known?text=WELL')).body.count).toBe(1)
})

describe('GET /api/v1/goals', () => {
  test('prices a goal without setting it', async () => {
    const fixture = createServerFixture()
    const id = await fixture.addFeed({ url: 'https://tides.example/feed', title: 'Tides', folder: 'Sea' })
    await fixture.store.changeFeed(id as FeedId, {}, { strategy: 'fixed:1h' })
    const { body: before } = await ask(fixture, 'goals')
    expect(before.lines).toEqual([])
    const { body: priced } = await ask(fixture, `goals?feed=${id}&goalMs=${10 * MINUTE}`)
    expect(priced.lines).toMatchObject([{ of: { feedId: id }, wants: { goalMs: 10 * MINUTE }, feeds: 1 }])
    const { body: ofFolder } = await ask(fixture, `goals?folder=Sea&goalMs=${10 * MINUTE}`)
    expect(ofFolder.lines).toMatchObject([{ of: { folder: 'Sea' }, feeds: 1 }])
    expect((await ask(fixture, 'goals')).body).toEqual(before)
    expect((await ask(fixture, 'goals?goalMs=60000')).status).toBe(400)
  })
})

describe('the lab', () => {
  test('runs one backtest at a time, reports its progress, and is stopped', async () => {
    const end = Promise.withResolvers<object>()
    const { fixture } = fixtureWith({
      runBacktest: ({ onProgress }) => {
        onProgress(3, 10)
        return end.promise
      },
    })
    expect((await ask(fixture, 'lab/backtest')).body).toEqual({ state: 'none' })
    expect((await ask(fixture, 'lab/backtest', 'POST')).status).toBe(202)
    expect((await ask(fixture, 'lab/backtest')).body).toMatchObject({ state: 'running', done: 3, of: 10 })
    expect((await ask(fixture, 'lab/backtest', 'POST')).status).toBe(409)
    end.resolve({ feeds: 2, days: 7, strategies: [] })
    await expect.poll(async () => (await ask(fixture, 'lab/backtest')).body.state).toBe('done')
    expect((await ask(fixture, 'lab/backtest', 'DELETE')).status).toBe(204)
    expect((await ask(fixture, 'lab/backtest')).body).toEqual({ state: 'none' })
  })

  test('explains why a backtest is not possible', async () => {
    const fixture = createServerFixture()
    await ask(fixture, 'lab/backtest', 'POST')
    await expect
      .poll(async () => (await ask(fixture, 'lab/backtest')).body, { timeout: 20_000 })
      .toMatchObject({ state: 'failed', words: expect.stringContaining('less than a day'), hint: expect.any(String) })
  })

  test('rejects an unknown strategy', async () => {
    expect((await ask(createServerFixture(), 'lab/strategy', 'PUT', { strategy: 'astrology' })).status).toBe(400)
  })
})

test('lists settings with their names and defaults', async () => {
  const { body } = await ask(createServerFixture(), 'settings')
  expect(body.settings).toContainEqual(
    expect.objectContaining({
      name: 'host-gap',
      environment: 'FRESHET_HOST_GAP',
      value: '2s',
      usual: '2s',
      sentence: expect.any(String),
    }),
  )
})

describe('the budget', () => {
  test('is set by a user, stored, and removed again', async () => {
    const fixture = createServerFixture()
    await fixture.addFeed({
      url: 'https://tides.example/feed',
      title: 'Tides',
      entries: [{ title: 'High', agoMs: HOUR }],
    })
    const before = await ask(fixture, 'budget')
    expect(before.body).toEqual({ pollsPerDay: 'auto', feeds: 1, autoPerDay: 24, points: [] }) // before the first crawl
    const updated = await ask(fixture, 'budget', 'PUT', { pollsPerDay: 500 })
    expect(updated).toMatchObject({ status: 200, body: { pollsPerDay: 500, named: true } })
    expect((await fixture.store.pollSettings()).pollsPerDay).toBe(500)
    expect((await ask(fixture, 'goals')).body.budget).toBe(500)
    expect((await ask(fixture, 'status')).body.budget.pollsPerDay).toBe(500)
    expect((await ask(fixture, 'budget', 'PUT', { pollsPerDay: null })).body).toMatchObject({ pollsPerDay: 'auto' })
    expect((await fixture.store.pollSettings()).pollsPerDay).toBeUndefined()
  })

  test.each([0, -5, 1e12, '500/d', undefined])('rejects %j', async (pollsPerDay) => {
    const fixture = createServerFixture()
    expect((await ask(fixture, 'budget', 'PUT', { pollsPerDay })).status).toBe(400)
    expect((await fixture.store.pollSettings()).pollsPerDay).toBeUndefined()
  })

  test('cannot be changed if the configuration sets it, and says where', async () => {
    const fixture = createServerFixture({ pollsPerDay: 5000, budgetFrom: 'flag' })
    await fixture.store.changePollSettings({ pollsPerDay: 700 })
    expect((await ask(fixture, 'budget')).body).toMatchObject({ pollsPerDay: 5000, fixedBy: 'flag' })
    const refused = await ask(fixture, 'budget', 'PUT', { pollsPerDay: 10 })
    expect(refused.status).toBe(409)
    expect(refused.body.title).toContain('(flag)')
    expect((await fixture.store.pollSettings()).pollsPerDay).toBe(700)
  })
})
