/** Operations: request ids, the log of changes, readiness, and metrics. */
import { describe, expect, test } from 'vitest'
import { createServerFixture, NOW } from '../../test/server-fixture.ts'
import { HOUR, MINUTE } from '../model/index.ts'
import type { LoggedChange } from './index.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

describe('a request', () => {
  test('has an id, from its header or generated, in the response and in the problem', async () => {
    const { app } = createServerFixture()
    const identified = await app.request('/api/v1/feeds/9', { headers: { 'x-request-id': 'from-proxy:7' } })
    expect(identified.headers.get('x-request-id')).toBe('from-proxy:7')
    expect(await identified.json()).toMatchObject({ status: 404, requestId: 'from-proxy:7' })
    for (const odd of ['<b>', 'x'.repeat(65), '']) {
      const { headers } = await app.request('/api/v1/feeds', { headers: { 'x-request-id': odd } })
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  test('with an internal error is logged with its id', async () => {
    const doings: string[] = []
    const fixture = createServerFixture({ onInternalError: (_, doing) => doings.push(doing) })
    fixture.store.counts = () => Promise.reject(new Error('odd'))
    const answer = await fixture.app.request('/api/v1/status', { headers: { 'x-request-id': 'abc' } })
    expect(answer.status).toBe(500)
    expect(doings).toEqual(['answering GET /api/v1/status (request abc)'])
  })
})

describe('a change by a user', () => {
  test('is logged with operation and target, without values', async () => {
    const changes: LoggedChange[] = []
    const fixture = createServerFixture({ onChange: (change) => changes.push(change) })
    const id = await fixture.addFeed({ url: 'https://tides.example/feed', title: 'Tides' })
    const send = (method: string, path: string, body: object) =>
      fixture.app.request(`/api/v1/${path}`, {
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
    await fixture.app.request('/api/v1/feeds')
    expect(changes).toEqual([
      { operation: 'editFeed', target: '1', fields: ['title', 'credentials'], requestId: 'r' },
      { operation: 'setFolderGoals', target: 'Sea / Tides', fields: ['minMs'], requestId: 'r' },
      { operation: 'setFolderGoals', target: '%ff', fields: ['minMs'], requestId: 'r' },
      { operation: 'addFeeds', fields: ['addresses'], requestId: 'r' },
      { operation: 'removeFeed', target: '1', requestId: 'r' },
    ])
    expect(JSON.stringify(changes)).not.toContain('hunter2')
  })
})

describe('GET /readyz', () => {
  test('is 200 while the store can be read and written, else 503', async () => {
    const fixture = createServerFixture()
    const status = async () => (await fixture.app.request('/readyz')).status
    expect(await status()).toBe(200)
    fixture.activity.refusal = { sinceAt: NOW, message: 'the disk is full', hint: 'make room' }
    expect(await status()).toBe(503)
    delete fixture.activity.refusal
    fixture.store.counts = () => Promise.reject(new Error('gone'))
    expect(await status()).toBe(503)
  })
})

describe('GET /metrics', () => {
  async function figures(fixture: ReturnType<typeof createServerFixture>): Promise<Map<string, number>> {
    const response = await fixture.app.request('/metrics')
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

  test('has polls by result, queues, the store and the budget', async () => {
    const fixture = createServerFixture({ pollsPerDay: 5000 })
    await fixture.addFeed({ url: 'https://tides.example/feed', title: 'Tides', entries: [{ title: 'High', agoMs: 1 }] })
    const found = await figures(fixture)
    expect(Object.fromEntries(found)).toMatchObject({
      'freshet_polls_total{result="read"}': 4,
      'freshet_polls_total{result="not-modified"}': 7,
      'freshet_polls_total{result="failed"}': 1,
      'freshet_feeds{state="active"}': 1,
      'freshet_backlog{queue="index"}': 1,
      freshet_budget_polls_per_day: 5000,
      freshet_hosts_backing_off: 0,
    })
    expect((await figures(fixture)).has('freshet_event_loop_delay_seconds{at="p99"}')).toBe(true)
  })

  test('counts the arrival delay of each new entry once, except entries older than their feed', async () => {
    const fixture = createServerFixture()
    await figures(fixture)
    await fixture.addFeed({
      url: 'https://tides.example/feed',
      title: 'Tides',
      entries: [
        { title: 'News', agoMs: 7 * MINUTE },
        { title: 'A day and no time', agoMs: 9 * MINUTE, dateOnly: true },
        { title: 'Long before', agoMs: 300 * HOUR },
      ],
    })
    await figures(fixture)
    const found = await figures(fixture)
    const upTo = (le: string) => found.get(`freshet_arrival_delay_seconds_bucket{le="${le}"}`)
    expect([upTo('120'), upTo('300'), upTo('+Inf')]).toEqual([0, 1, 1])
    expect(found.get('freshet_arrival_delay_seconds_sum')).toBe(180)
  })
})
