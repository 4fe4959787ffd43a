/** Limits of API requests. */
import { describe, expect, test } from 'vitest'
import { createServerFixture } from '../../test/server-fixture.ts'
import type { EntryId, SavedSearchId } from '../model/index.ts'
import { newFeed } from '../ports/store-samples.contract.ts'

const { app } = createServerFixture()
const statusOf = async (path: string) => (await app.request(`http://localhost${path}`)).status

describe('a list', () => {
  test.each([
    ['/api/v1/feeds', 1000],
    ['/api/v1/entries', 1000],
    ['/api/v1/sources', 1000],
    ['/api/v1/polls', 1000],
    ['/api/v1/groups', 500],
  ])('%s returns at most %i', async (path, most) => {
    expect([await statusOf(`${path}?limit=${most}`), await statusOf(`${path}?limit=${most + 1}`)]).toEqual([200, 400])
  })

  test('is searched by at most a thousand characters', async () => {
    const q = (length: number) => `/api/v1/entries?q=${'x'.repeat(length)}`
    expect([await statusOf(q(1000)), await statusOf(q(1001))]).toEqual([200, 400])
  })
})

describe('limits per user', () => {
  const ADDED = 0

  async function filled(kind: 'searches' | 'feeds-out' | 'webhooks', count: number) {
    const { app, store } = createServerFixture()
    const userId = await store.firstUser()
    const search = (name: string) => store.addSharedItem('search', { userId, name, query: 'tide', addedAt: ADDED })
    const searchId = (await search('first')) as SavedSearchId
    const url = 'https://in.example/'
    const hook = { userId, url, secret: 'x', searchId, state: 'active' as const, addedAt: ADDED, dueAt: ADDED }
    const feedOut = { userId, of: { kind: 'all' as const }, text: 'full' as const, addedAt: ADDED }
    for (let i = kind === 'searches' ? 1 : 0; i < count; i++) {
      if (kind === 'searches') await search(`search ${i}`)
      else if (kind === 'feeds-out')
        await store.addSharedItem('feedOut', { ...feedOut, name: `feed ${i}`, key: `key-${i}` })
      else await store.addSharedItem('webhook', { ...hook, name: `hook ${i}`, cursor: 0 as EntryId })
    }
    const bodies = {
      searches: { name: 'one more', query: 'tide' },
      'feeds-out': { name: 'one more', of: { kind: 'all' } },
      webhooks: { name: 'one more', url, search: searchId },
    }
    return async () => {
      const headers = { 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(bodies[kind]) }
      const answer = await app.request(`http://localhost/api/v1/${kind}`, init)
      return [answer.status, await answer.text()]
    }
  }

  test.each([
    ['searches', 500],
    ['feeds-out', 500],
    ['webhooks', 100],
  ] as const)('%s: at most %i', async (kind, most) => {
    const add = await filled(kind, most - 1)
    expect((await add())[0]).toBe(201)
    expect(await add()).toEqual([409, expect.stringContaining(String(most))])
  })

  test('at most ten thousand entries are marked in one request', async () => {
    const { app } = createServerFixture()
    const ask = async (count: number) => {
      const entries = Array.from({ length: count }, (_, i) => Number.MAX_SAFE_INTEGER - i)
      const headers = { 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify({ entries, as: 'read' }) }
      return (await app.request('http://localhost/api/v1/reading/state', init)).status
    }
    expect([await ask(10_000), await ask(10_001)]).toEqual([200, 400])
  })
})

describe('a body', () => {
  const CHUNK = 1024 * 1024

  /** Spaces: invalid as JSON and OPML, but only detected after reading all of them. */
  async function sent(bytes: number, headers: Record<string, string> = {}, path = '/api/v1/feeds') {
    let remaining = bytes
    const body = new ReadableStream({
      pull(controller) {
        const size = Math.min(CHUNK, remaining)
        remaining -= size
        if (size > 0) controller.enqueue(new Uint8Array(size).fill(32))
        else controller.close()
      },
    })
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
    return (await app.request(`http://localhost${path}`, init)).status
  }

  test.each([
    ['/api/v1/feeds', 'application/json', 1],
    ['/api/v1/subscriptions', 'application/json', 1],
    ['/api/v1/opml', 'text/x-opml', 8],
    ['/v1/import', 'text/xml', 8],
  ])('with feeds, at %s as %s, is limited to %i MB, by content-length and in chunks', async (path, type, megabytes) => {
    const most = megabytes * 1024 * 1024
    expect(await sent(9, { 'content-type': type, 'content-length': `${most + 1}` }, path)).toBe(413)
    expect(await sent(most + CHUNK, { 'content-type': type }, path)).toBe(413)
    expect(await sent(most, { 'content-type': type }, path)).toBe(400)
  })

  const post = async (path: string, body: string, type = 'application/json', fixture = createServerFixture()) => {
    const init = { method: 'POST', headers: { 'content-type': type }, body }
    const response = await fixture.app.request(`http://localhost${path}`, init)
    return { status: response.status, told: (await response.json()) as { title: string; results: { kind: string }[] } }
  }

  test.each(['[', '{"a":', '[[],'])('of JSON is nested at most 32 levels: %s', async (open) => {
    for (const path of ['/api/v1/feeds', '/api/v1/searches', '/v1/entries']) {
      const method = path === '/v1/entries' ? 'PUT' : 'POST'
      const init = { method, headers: { 'content-type': 'application/json' }, body: open.repeat(10_000) }
      const response = await app.request(`http://localhost${path}`, init)
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('nested too deeply')])
    }
    const text = JSON.stringify({ addresses: ['https://a.example/'.padEnd(90, '[')] })
    expect((await post('/api/v1/feeds', text)).status).toBe(200)
  })

  test.each(['/api/v1/feeds', '/api/v1/subscriptions'])(
    'with addresses, at %s, has at most a thousand of them',
    async (path) => {
      const list = (count: number) => JSON.stringify({ addresses: Array.from({ length: count }, (_, i) => `x${i}`) })
      expect((await post(path, list(1000))).status).toBe(200)
      expect((await post(path, list(1001))).status).toBe(400)
    },
  )

  test('of OPML has at most a hundred thousand outlines', async () => {
    const opml = `<opml><body>${Array.from({ length: 100_001 }, (_, i) => `<outline xmlUrl="x:${i}"/>`).join('')}`
    expect((await post('/api/v1/opml', opml, 'text/x-opml')).status).toBe(413)
  })
})

describe('feeds that a user follows', () => {
  const opml = (count: number) =>
    `<opml><body>${Array.from({ length: count }, (_, i) => `<outline xmlUrl="https://a.example/${i}"/>`).join('')}`
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

  test('have a limit in every protocol, and existing subscriptions stay', async () => {
    const fixture = createServerFixture({ maxFeedsPerUser: 5, localKey: 'local-key' })
    const send = async (path: string, type: string, body: string, headers = {}) => {
      const init = { method: 'POST', headers: { 'content-type': type, ...headers }, body }
      return fixture.app.request(`http://localhost${path}`, init)
    }
    const { results } = (await (await send('/api/v1/opml', 'text/x-opml', opml(8))).json()) as {
      results: { kind: string; reason?: string }[]
    }
    expect(results.map(({ kind }) => kind)).toEqual([...Array(5).fill('feed'), ...Array(3).fill('refused')])
    expect(results.at(-1)?.reason).toContain('you follow 5 feeds')
    const one = JSON.stringify({ addresses: ['https://ada:hunter2@b.example/'] })
    const refusal = { kind: 'refused', url: expect.not.stringContaining('hunter2') }
    for (const path of ['/api/v1/feeds', '/api/v1/subscriptions'])
      expect(await (await send(path, 'application/json', one)).json()).toMatchObject({ results: [refusal] })
    const [more] = await fixture.store.addFeeds([newFeed('unfollowed')])
    expect(
      (await send('/api/v1/subscriptions', 'application/json', JSON.stringify({ feeds: [more!.id] }))).status,
    ).toBe(409)
    expect((await send('/v1/feeds', 'application/json', '{"feed_url":"https://b.example/"}')).status).toBe(400)
    expect(await (await send('/v1/import', 'text/xml', opml(9))).json()).toMatchObject({
      message: expect.stringContaining('not imported'),
    })
    const quick = await send('/reader/api/0/subscription/quickadd', FORM['content-type'], 'quickadd=https://b.example/')
    expect(quick.status).toBe(400)
    const { feeds } = await fixture.store.readerCounts(await fixture.store.firstUser())
    expect(feeds).toBe(5)
    const key = { authorization: 'Bearer local-key' }
    expect(await (await send('/api/v1/feeds', 'application/json', one, key)).json()).toMatchObject({
      results: [{ kind: 'source' }],
    })
  })

  test('are added one list at a time, until the client disconnects', async () => {
    const fixture = createServerFixture()
    const gone = new AbortController()
    const subscribe = fixture.crawler.subscribe
    const release = Promise.withResolvers<void>()
    fixture.crawler.subscribe = async (addresses, how) => {
      await release.promise
      return subscribe(addresses, how)
    }
    const send = (signal?: AbortSignal) =>
      fixture.app.request('http://localhost/api/v1/opml', {
        method: 'POST',
        headers: { 'content-type': 'text/x-opml' },
        body: opml(500),
        ...(signal && { signal }),
      })
    const first = send(gone.signal)
    await new Promise((resolve) => setTimeout(resolve, 20))
    const second = await send()
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '10'])
    gone.abort()
    release.resolve()
    expect((await first).status).toBe(400)
    expect((await fixture.store.readerCounts(await fixture.store.firstUser())).feeds).toBe(100)
    expect((await send()).status).toBe(200)
    expect((await fixture.store.readerCounts(await fixture.store.firstUser())).feeds).toBe(500)
  })
})
