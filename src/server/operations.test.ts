/** What whoever runs a server looks at: ids of requests, who changed what, whether it is ready, and figures for Prometheus. */
import { describe, expect, test } from 'vitest'
import { createServerFixture, NOW } from '../../test/server-fixture.ts'
import { HOUR, MINUTE } from '../model/index.ts'
import type { LoggedChange } from './index.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

describe('a request', () => {
  test('has an id: its own, or one of ours, in the answer and in the problem', async () => {
    const { app } = createServerFixture()
    const named = await app.request('/api/v1/feeds/9', { headers: { 'x-request-id': 'from-proxy:7' } })
    expect(named.headers.get('x-request-id')).toBe('from-proxy:7')
    expect(await named.json()).toMatchObject({ status: 404, requestId: 'from-proxy:7' })
    for (const odd of ['<b>', 'x'.repeat(65), '']) {
      const { headers } = await app.request('/api/v1/feeds', { headers: { 'x-request-id': odd } })
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  test('on which we made a mistake is found in the log by it', async () => {
    const said: string[] = []
    const stage = createServerFixture({ onMistake: (_, doing) => said.push(doing) })
    stage.store.counts = () => Promise.reject(new Error('odd'))
    const answer = await stage.app.request('/api/v1/status', { headers: { 'x-request-id': 'abc' } })
    expect(answer.status).toBe(500)
    expect(said).toEqual(['answering GET /api/v1/status (request abc)'])
  })
})

describe('what people change', () => {
  test('is told with what and which, and without any value', async () => {
    const changes: LoggedChange[] = []
    const stage = createServerFixture({ onChange: (change) => changes.push(change) })
    const id = await stage.addFeed({ url: 'https://tides.example/feed', title: 'Tides' })
    const send = (method: string, path: string, body: object) =>
      stage.app.request(`/api/v1/${path}`, {
        method,
        headers: { ...JSON_TYPE, 'x-request-id': 'r' },
        body: JSON.stringify(body),
      })
    await send('PATCH', `feeds/${id}`, { title: 'T', credentials: { user: 'ada', password: 'hunter2' } })
    await send('PUT', 'folders/Sea%20%2F%20Tides', { minMs: 600_000 })
    expect((await send('PUT', 'folders/%ff', { minMs: 600_000 })).status).toBe(200)
    await send('POST', 'feeds', { addresses: ['https://ada:hunter2@bread.example/'] })
    await send('PATCH', 'feeds/99', { title: 'T' })
    await send('DELETE', `feeds/${id}`, {})
    await stage.app.request('/api/v1/feeds')
    expect(changes).toEqual([
      { what: 'editFeed', on: '1', fields: ['title', 'credentials'], requestId: 'r' },
      { what: 'setFolderGoals', on: 'Sea / Tides', fields: ['minMs'], requestId: 'r' },
      { what: 'setFolderGoals', on: '%ff', fields: ['minMs'], requestId: 'r' },
      { what: 'addFeeds', fields: ['addresses'], requestId: 'r' },
      { what: 'removeFeed', on: '1', requestId: 'r' },
    ])
    expect(JSON.stringify(changes)).not.toContain('hunter2')
  })
})

describe('GET /readyz', () => {
  test('is 200 while the store gives and takes, else 503', async () => {
    const stage = createServerFixture()
    const status = async () => (await stage.app.request('/readyz')).status
    expect(await status()).toBe(200)
    stage.activity.refusal = { sinceAt: NOW, words: 'the disk is full', hint: 'make room' }
    expect(await status()).toBe(503)
    delete stage.activity.refusal
    stage.store.counts = () => Promise.reject(new Error('gone'))
    expect(await status()).toBe(503)
  })
})

describe('GET /metrics', () => {
  async function figures(stage: ReturnType<typeof createServerFixture>): Promise<Map<string, number>> {
    const response = await stage.app.request('/metrics')
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const lines = (await response.text()).split('\n').slice(0, -1)
    for (const line of lines)
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[\w+.-]+"\})? -?[\d.]+(e[+-]?\d+)?)$/)
    return new Map(
      lines
        .filter((line) => !line.startsWith('#'))
        .map((line): [string, number] => {
          const [name = '', value] = line.split(' ')
          return [name, Number(value)]
        }),
    )
  }

  test('has polls by result, lines that wait, the store and the budget', async () => {
    const stage = createServerFixture({ pollsPerDay: 5000 })
    await stage.addFeed({ url: 'https://tides.example/feed', title: 'Tides', entries: [{ title: 'High', agoMs: 1 }] })
    const found = await figures(stage)
    expect(Object.fromEntries(found)).toMatchObject({
      'freshet_polls_total{result="read"}': 4,
      'freshet_polls_total{result="not-modified"}': 7,
      'freshet_polls_total{result="failed"}': 1,
      'freshet_feeds{state="active"}': 1,
      'freshet_backlog{queue="index"}': 1,
      freshet_budget_polls_per_day: 5000,
      freshet_hosts_backing_off: 0,
    })
    expect((await figures(stage)).has('freshet_event_loop_delay_seconds{at="p99"}')).toBe(true)
  })

  test('counts how long news was under way, each entry once, and not what was there before the feed', async () => {
    const stage = createServerFixture()
    await figures(stage)
    await stage.addFeed({
      url: 'https://tides.example/feed',
      title: 'Tides',
      entries: [
        { title: 'News', agoMs: 7 * MINUTE },
        { title: 'A day and no time', agoMs: 9 * MINUTE, dateOnly: true },
        { title: 'Long before', agoMs: 300 * HOUR },
      ],
    })
    await figures(stage)
    const found = await figures(stage)
    const upTo = (le: string) => found.get(`freshet_arrival_delay_seconds_bucket{le="${le}"}`)
    expect([upTo('120'), upTo('300'), upTo('+Inf')]).toEqual([0, 1, 1])
    expect(found.get('freshet_arrival_delay_seconds_sum')).toBe(180)
  })
})
