/** What the engine room is told, asked without a socket over a memory store that was filled by hand. */
import { describe, expect, test } from 'vitest'
import { createServerFixture, NOW } from '../../test/server-fixture.ts'
import { createPlacer, type Discovery, GROUPING } from '../crawl/index.ts'
import { address } from '../model/address.fixture.ts'
import { DAY, type FeedId, HOUR, MINUTE } from '../model/index.ts'
import type { DashboardServices } from './index.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const LEAD = 'The council of Port Else voted on Monday to build a tram line from market to port, ending a quarrel.'

async function ask(stage: ReturnType<typeof createServerFixture>, path: string, method = 'GET', body?: object) {
  const sent = method === 'GET' ? {} : { headers: JSON_TYPE, body: JSON.stringify(body ?? {}) }
  const response = await stage.app.request(`/api/v1/${path}`, { method, ...sent })
  const text = await response.text()
  return { status: response.status, body: text ? JSON.parse(text) : undefined }
}

/** The engine room of a stage, with some machines in the place of its own. */
function stageWith(machines: Partial<DashboardServices>) {
  const plain = createServerFixture()
  const none: DashboardServices = {
    discover: async () => ({ asked: [], feeds: [] }),
    backtest: async () => ({}),
    settings: () => [],
    hosts: async () => [],
    robots: async () => [],
  }
  return { plain, stage: createServerFixture({ dashboard: { ...none, ...machines } }) }
}

describe('POST /api/v1/preview', () => {
  test('shows each candidate with its entries, its pace, and why it ranks there', async () => {
    const url = address('https://tides.example/feed')
    const entries = [0, 1, 2, 3].map((day) => ({ key: `${day}`, title: `Day ${day}`, publishedAt: NOW - day * DAY }))
    const reading = {
      facts: { format: 'atom', title: 'Tides' },
      entries,
      validators: {},
      bodyHash: '',
      windowHash: '',
      restMs: 0,
    }
    const found = {
      asked: [{ url: address('https://tides.example/'), via: 'address', result: { kind: 'page' } }],
      feeds: [{ url, score: 12.3, why: ['named by the page'], reading }],
    } as unknown as Discovery
    const { stage } = stageWith({ discover: async () => found })
    const { status, body } = await ask(stage, 'preview', 'POST', { url: 'tides.example' })
    expect(status).toBe(200)
    expect(body.candidates).toMatchObject([
      { url, title: 'Tides', score: 12, why: ['named by the page'], perDay: 1, size: 4 },
    ])
    expect(body.candidates[0].entries[0]).toEqual({ title: 'Day 0', publishedAt: new Date(NOW).toISOString() })
    expect(body.asked).toEqual([{ url: 'https://tides.example/', via: 'address', words: 'a page' }])
  })

  test('says why there is none, refuses what is no address, and does not look for many at once', async () => {
    const plain = createServerFixture()
    expect((await ask(plain, 'preview', 'POST', { url: 'https://nobody.example' })).body).toMatchObject({
      candidates: [],
      trouble: { words: expect.any(String) },
    })
    expect((await ask(plain, 'preview', 'POST', { url: 'no address' })).status).toBe(400)
    const waiting = Promise.withResolvers<Discovery>()
    const { stage } = stageWith({ discover: () => waiting.promise })
    const looks = Array.from({ length: 5 }, () => ask(stage, 'preview', 'POST', { url: 'https://slow.example' }))
    const first = await Promise.race(looks)
    expect(first.status).toBe(429)
    waiting.resolve({ asked: [], feeds: [] })
    expect((await Promise.all(looks)).map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 429])
  })
})

describe('GET /api/v1/sites/{host}', () => {
  test('tells its feeds, when it publishes, who repeats it and whom it repeats', async () => {
    const stage = createServerFixture()
    const entry = (title: string, agoMs: number, summary: string) => ({ title, agoMs, summary })
    await stage.addFeed({
      url: 'https://wire.example/feed',
      title: 'The Wire',
      entries: [entry('Tram line', 5 * HOUR, LEAD), entry('Goose', HOUR, 'It was warm.')],
    })
    await stage.addFeed({
      url: 'https://www.mirror.example/feed',
      title: 'The Mirror',
      entries: [entry('Tram line', 3 * HOUR, LEAD)],
    })
    const placer = createPlacer({ lines: stage.store, clock: stage.clock, emit: () => {}, ...GROUPING })
    while (await placer.placeChunk());
    const { body: wire } = await ask(stage, 'sites/wire.example')
    expect(wire).toMatchObject({
      host: 'wire.example',
      looked: 2,
      alone: 1,
      copies: [],
      copiedBy: [{ feedTitle: 'The Mirror', count: 1 }],
    })
    expect(wire.feeds).toMatchObject([{ title: 'The Wire' }])
    expect(wire.times).toHaveLength(2)
    const { body: mirror } = await ask(stage, 'sites/mirror.example')
    expect(mirror).toMatchObject({ copiedBy: [], copies: [{ feedTitle: 'The Wire', count: 1 }] })
    expect((await ask(stage, 'sites/nobody.example')).status).toBe(404)
  })
})

test('delays are of what was published since its feed is known, hour by hour', async () => {
  const stage = createServerFixture()
  await stage.addFeed({
    url: 'https://tides.example/feed',
    title: 'Tides',
    entries: [
      { title: 'Two', agoMs: 6 * MINUTE },
      { title: 'Six', agoMs: 10 * MINUTE },
      { title: 'A day', agoMs: 10 * MINUTE, dateOnly: true },
      { title: 'Before we came', agoMs: 30 * DAY },
    ],
  })
  const { body } = await ask(stage, 'statistics/delays')
  expect(body).toMatchObject({ count: 2, medianMs: 6 * MINUTE, nineTenthsMs: 6 * MINUTE })
  expect(body.series.at(-1)).toMatchObject({ count: 2 })
})

test('hosts of which there is something to say are told, and what is over is not', async () => {
  const stage = createServerFixture()
  await stage.store.recordHosts([
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
  ])
  const { body } = await ask(stage, 'hosts/known')
  expect(body.hosts).toEqual([
    {
      root: 'slow.example',
      strikes: 2,
      restsUntil: new Date(NOW + HOUR).toISOString(),
      trouble: expect.objectContaining({ status: 429 }),
      gapFactor: 4,
    },
    { root: 'well.example', strikes: 0 },
  ])
  expect((await ask(stage, 'hosts/known?text=WELL')).body.count).toBe(1)
})

describe('GET /api/v1/goals', () => {
  test('prices a goal that nobody has set, and sets nothing', async () => {
    const stage = createServerFixture()
    const id = await stage.addFeed({ url: 'https://tides.example/feed', title: 'Tides', folder: 'Sea' })
    await stage.store.changeFeed(id as FeedId, {}, { strategy: 'fixed:1h' })
    const { body: before } = await ask(stage, 'goals')
    expect(before.lines).toEqual([])
    const { body: priced } = await ask(stage, `goals?feed=${id}&goalMs=${10 * MINUTE}`)
    expect(priced.lines).toMatchObject([{ of: { feedId: id }, wants: { goalMs: 10 * MINUTE }, feeds: 1 }])
    const { body: ofFolder } = await ask(stage, `goals?folder=Sea&goalMs=${10 * MINUTE}`)
    expect(ofFolder.lines).toMatchObject([{ of: { folder: 'Sea' }, feeds: 1 }])
    expect((await ask(stage, 'goals')).body).toEqual(before)
    expect((await ask(stage, 'goals?goalMs=60000')).status).toBe(400)
  })
})

describe('the lab', () => {
  test('replays one past at a time, tells how far it is, and is stopped', async () => {
    const end = Promise.withResolvers<object>()
    const { stage } = stageWith({
      backtest: ({ tell }) => {
        tell(3, 10)
        return end.promise
      },
    })
    expect((await ask(stage, 'lab/backtest')).body).toEqual({ state: 'none' })
    expect((await ask(stage, 'lab/backtest', 'POST')).status).toBe(202)
    expect((await ask(stage, 'lab/backtest')).body).toMatchObject({ state: 'running', done: 3, of: 10 })
    expect((await ask(stage, 'lab/backtest', 'POST')).status).toBe(409)
    end.resolve({ feeds: 2, days: 7, strategies: [] })
    await expect.poll(async () => (await ask(stage, 'lab/backtest')).body.state).toBe('done')
    expect((await ask(stage, 'lab/backtest', 'DELETE')).status).toBe(204)
    expect((await ask(stage, 'lab/backtest')).body).toEqual({ state: 'none' })
  })

  test('says why there is nothing to judge by', async () => {
    const stage = createServerFixture()
    await ask(stage, 'lab/backtest', 'POST')
    await expect
      .poll(async () => (await ask(stage, 'lab/backtest')).body, { timeout: 20_000 })
      .toMatchObject({ state: 'failed', words: expect.stringContaining('less than a day'), hint: expect.any(String) })
  })

  test('a strategy that nobody knows is refused', async () => {
    expect((await ask(createServerFixture(), 'lab/strategy', 'PUT', { strategy: 'astrology' })).status).toBe(400)
  })
})

test('settings are told with what they usually are and how they are called', async () => {
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
  test('is named by people, kept, and taken away again', async () => {
    const stage = createServerFixture()
    await stage.addFeed({
      url: 'https://tides.example/feed',
      title: 'Tides',
      entries: [{ title: 'High', agoMs: HOUR }],
    })
    const before = await ask(stage, 'budget')
    expect(before.body).toEqual({ pollsPerDay: 'auto', feeds: 1, autoPerDay: 24, points: [] }) // nothing was crawled yet
    const named = await ask(stage, 'budget', 'PUT', { pollsPerDay: 500 })
    expect(named).toMatchObject({ status: 200, body: { pollsPerDay: 500, named: true } })
    expect(await stage.store.namedBudget()).toBe(500)
    expect((await ask(stage, 'goals')).body.budget).toBe(500)
    expect((await ask(stage, 'status')).body.budget.pollsPerDay).toBe(500)
    expect((await ask(stage, 'budget', 'PUT', { pollsPerDay: null })).body).toMatchObject({ pollsPerDay: 'auto' })
    expect(await stage.store.namedBudget()).toBeUndefined()
  })

  test.each([0, -5, 1e12, '500/d', undefined])('is no %j', async (pollsPerDay) => {
    const stage = createServerFixture()
    expect((await ask(stage, 'budget', 'PUT', { pollsPerDay })).status).toBe(400)
    expect(await stage.store.namedBudget()).toBeUndefined()
  })

  test('stands where the configuration names it, and says where that is', async () => {
    const stage = createServerFixture({ pollsPerDay: 5000, budgetFrom: 'flag' })
    await stage.store.nameBudget(700)
    expect((await ask(stage, 'budget')).body).toMatchObject({ pollsPerDay: 5000, fixedBy: 'flag' })
    const refused = await ask(stage, 'budget', 'PUT', { pollsPerDay: 10 })
    expect(refused.status).toBe(409)
    expect(refused.body.title).toContain('(flag)')
    expect(await stage.store.namedBudget()).toBe(700)
  })
})
