/** The history of M, T and ToE over the API. */
import { expect, test } from 'vitest'
import { createServerFixture, NOW } from '../../test/server-fixture.ts'
import type { RoundsShape } from '../api/index.ts'
import { HOUR } from '../model/index.ts'

async function polled(strategy: string, times: number) {
  const fixture = createServerFixture()
  const id = await fixture.addFeed({ url: 'https://tides.example/feed', title: 'Tides' })
  await fixture.pollBy(strategy, id, times)
  const rounds = async (query = '') => {
    const response = await fixture.app.request(`/api/v1/feeds/${id}/rounds${query}`)
    return { status: response.status, body: (await response.json()) as RoundsShape }
  }
  return { ...fixture, id, rounds }
}

test('returns M, T and ToE after each poll, oldest first', async () => {
  const { rounds } = await polled('adva-rss', 12)
  const { status, body } = await rounds()
  expect(status).toBe(200)
  expect(body).toMatchObject({ strategy: 'adva-rss', hasRounds: true, isExact: true, every: 1 })
  expect(body.points).toHaveLength(12)
  expect(body.points[0]).toMatchObject({ at: new Date(NOW).toISOString(), found: false, M: 1.6, T: 1 })
  expect(body.points[4]).toMatchObject({ found: true, T: 1 })
})

test('limits points by number and date, and reads at most 2,000 polls of the log', async () => {
  const { rounds, store } = await polled('adva-rss', 2300)
  let maxLimit = 0
  const { polls } = store
  store.polls = (query) => {
    maxLimit = Math.max(maxLimit, query.limit)
    return polls(query)
  }
  const { body } = await rounds()
  expect(maxLimit).toBe(2000)
  expect(body).toMatchObject({ isExact: true, every: 4 })
  expect(body.points).toHaveLength(500)
  const since = new Date(NOW + 2290 * HOUR).toISOString()
  expect((await rounds(`?since=${since}`)).body.points).toHaveLength(10)
  expect((await rounds('?limit=7')).body.points).toHaveLength(7)
})

test('says that other strategies have no rounds', async () => {
  const { rounds } = await polled('fixed:1h', 3)
  expect((await rounds()).body).toEqual({
    strategy: 'fixed:1h',
    hasRounds: false,
    words: 'the strategy fixed:1h has no rounds, and so no history of M, T and ToE',
    every: 1,
    points: [],
  })
})

test.each([
  ['/api/v1/feeds/99/rounds', 404],
  ['/api/v1/feeds/1/rounds?limit=0', 400],
  ['/api/v1/feeds/1/rounds?limit=9999', 400],
  ['/api/v1/feeds/1/rounds?since=soon', 400],
  ['/api/v1/feeds/1/rounds?points=3', 400],
])('rejects %s with a hint', async (path, status) => {
  const { app } = await polled('adva-rss', 1)
  const response = await app.request(path)
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ hint: expect.stringMatching(/./) })
})
