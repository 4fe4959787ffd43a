/** Two users on one server: each has their own subscriptions, folders, read state, searches and outgoing feeds. */
import { describe, expect, test } from 'vitest'
import { createServerFixture, NOW } from '../../test/server-fixture.ts'
import { parseFeed } from '../feeds/index.ts'
import { HOUR } from '../model/index.ts'
import { createAccounts } from './accounts.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas by the fixture
type Answer = { status: number; json: any; text: string }

async function twoPeople() {
  const fixture = createServerFixture()
  const tides = await fixture.addFeed({
    url: 'https://tides.example/feed',
    title: 'Tides',
    folder: 'Sea',
    entries: [
      { title: 'High water', agoMs: 3 * HOUR, summary: 'The high water of spring.' },
      { title: 'Low water', agoMs: 2 * HOUR },
    ],
  })
  const bread = await fixture.addFeed({
    url: 'https://bread.example/feed',
    title: 'Bread',
    entries: [{ title: 'Rye', agoMs: HOUR }],
  })
  await fixture.index()
  const accounts = createAccounts({ users: fixture.store, clock: fixture.clock })
  const as = async (name: string) => {
    const account = await accounts.add(name, 'correct horse battery')
    const { secret } = await accounts.addToken(account.id, { name: 't', scope: 'write' })
    return async (method: string, path: string, body?: object | string): Promise<Answer> => {
      const isOpml = typeof body === 'string'
      const type = isOpml ? 'text/x-opml' : 'application/json'
      const response = await fixture.app.request(path.startsWith('/') ? path : `/api/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${secret}`, 'content-type': type },
        ...(method !== 'GET' && { body: isOpml ? body : JSON.stringify(body ?? {}) }),
      })
      const text = await response.text()
      const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '')
      return { status: response.status, text, json: text && isJson ? JSON.parse(text) : undefined }
    }
  }
  return { ...fixture, tides, bread, ada: await as('ada'), bob: await as('bob') }
}

const titles = ({ json }: Answer) => json.entries.map(({ title }: { title: string }) => title)

describe('subscriptions', () => {
  test('from before there were accounts belong to the first account', async () => {
    const { ada, bob, tides } = await twoPeople()
    const mine = (await ada('GET', 'subscriptions')).json.subscriptions
    expect(mine).toMatchObject([
      { feedId: tides, title: 'Tides', folder: 'Sea', unread: 2, readers: 1 },
      { title: 'Bread', unread: 1 },
    ])
    expect((await bob('GET', 'subscriptions')).json).toEqual({ subscriptions: [] })
    expect((await ada('GET', 'reading')).json).toEqual({
      feeds: 2,
      unread: 3,
      starred: 0,
      folders: [
        { feeds: 1, unread: 1 },
        { folder: 'Sea', feeds: 1, unread: 2 },
      ],
    })
  })

  test('are separate for each user; a feed is removed with its last subscription', async () => {
    const { ada, bob, tides, store } = await twoPeople()
    expect((await bob('POST', 'subscriptions', { feeds: [tides, 99] })).json).toEqual({ results: [], feeds: [] })
    const address = { url: 'https://tides.example/feed', kind: 'feed' }
    expect((await bob('POST', 'subscriptions', { addresses: [address] })).json).toMatchObject({
      results: [{ kind: 'feed', feedId: tides, added: false }],
    })
    const ownSettings = { title: 'Ebb and flow', folder: 'Water' }
    expect((await bob('PATCH', `subscriptions/${tides}`, ownSettings)).json).toMatchObject({
      ...ownSettings,
      ownTitle: ownSettings.title,
    })
    expect((await ada('GET', 'subscriptions')).json.subscriptions[0]).toMatchObject({ title: 'Tides', readers: 2 })
    expect((await bob('GET', 'entries?mine=true')).json.entries[0]).toMatchObject({ feedTitle: 'Ebb and flow' })
    expect((await bob('GET', 'subscriptions?folder=water')).json.subscriptions).toHaveLength(1)
    expect((await bob('PATCH', 'reading/folders/Water', { name: 'Sea' })).json).toEqual({ moved: 1 })
    expect((await bob('PATCH', 'reading/folders/Water', { name: 'Sea' })).status).toBe(404)
    expect((await ada('DELETE', `subscriptions/${tides}`)).status).toBe(204)
    expect((await ada('DELETE', `subscriptions/${tides}`)).status).toBe(404)
    expect(await store.feedsById([tides])).toMatchObject([{ feed: { subscribers: 1 } }])
    expect((await bob('DELETE', `subscriptions/${tides}`)).status).toBe(204)
    expect(await store.feedsById([tides])).toEqual([undefined])
  })

  test('are changed and removed many at once', async () => {
    const { ada, bob, tides, bread, store } = await twoPeople()
    await bob('POST', 'subscriptions', { addresses: [{ url: 'https://tides.example/feed', kind: 'feed' }] })
    expect((await ada('PATCH', 'subscriptions', { feeds: [tides, bread, 99], folder: 'Both' })).json).toEqual({
      changed: [tides, bread],
      refused: [{ feedId: 99, reason: 'you do not follow feed 99' }],
    })
    expect((await ada('GET', 'subscriptions?folder=Both')).json.subscriptions).toHaveLength(2)
    expect((await bob('GET', 'subscriptions?folder=Both')).json.subscriptions).toHaveLength(0)
    const paused = await ada('PATCH', 'subscriptions', { feeds: [tides, bread], state: 'paused', folder: 'Shared' })
    expect(paused.json).toEqual({
      changed: [bread],
      refused: [{ feedId: tides, reason: `other users follow feed ${tides}, too` }],
    })
    expect(await store.feedsById([tides, bread])).toMatchObject([
      { feed: { state: 'active' } },
      { feed: { state: 'paused' } },
    ])
    expect((await ada('GET', 'subscriptions?folder=Both')).json.subscriptions).toMatchObject([{ feedId: tides }])
    expect((await ada('PATCH', 'subscriptions', { feeds: [bread], strategy: 'hope' })).status).toBe(400)
    expect((await ada('PATCH', 'subscriptions', { feeds: [bread] })).status).toBe(400)
    const many = Array.from({ length: 501 }, (_, i) => i + 1)
    expect((await ada('PATCH', 'subscriptions', { feeds: many, folder: 'x' })).status).toBe(400)
    expect((await ada('POST', 'subscriptions/removal', { feeds: many })).status).toBe(400)
    const removed = await ada('POST', 'subscriptions/removal', { feeds: [tides, bread, 99] })
    expect(removed.json).toEqual({ removed: [tides, bread] })
    expect((await ada('GET', 'subscriptions')).json.subscriptions).toEqual([])
    expect((await bob('GET', 'subscriptions')).json.subscriptions).toHaveLength(1)
  })

  test('have details on request: posting rate, schedule, and what the user may change', async () => {
    const { ada, bob, tides, bread } = await twoPeople()
    await bob('POST', 'subscriptions', { addresses: [{ url: 'https://tides.example/feed', kind: 'feed' }] })
    const { subscriptions } = (await ada('GET', 'subscriptions?details=true')).json
    expect(subscriptions).toMatchObject([
      {
        feedId: tides,
        details: { lastEntryAt: new Date(NOW - 2 * HOUR).toISOString(), perWeek: 14, editable: false },
      },
      { feedId: bread, details: { strategy: 'fix', failures: 0, editable: true } },
    ])
    expect((await ada('GET', 'subscriptions')).json.subscriptions[0]).not.toHaveProperty('details')
  })

  test('are marked as read many at once', async () => {
    const { ada, tides, bread } = await twoPeople()
    expect((await ada('POST', 'reading/read', { feeds: [tides, bread] })).json).toMatchObject({ marked: 3 })
    expect((await ada('POST', 'reading/read', { feeds: [tides], feed: bread })).status).toBe(400)
  })

  test('come from addresses and OPML, wait for feed discovery, and are exported as OPML', async () => {
    const { bob, findFeed } = await twoPeople()
    const opml =
      '<opml version="2.0"><body><outline text="Mine"><outline type="rss" text="My tides" xmlUrl="https://tides.example/feed"/></outline></body></opml>'
    const added = await bob('POST', 'subscriptions', { addresses: ['https://site.example/'] })
    expect(added.json.results).toMatchObject([{ kind: 'source', added: true }])
    const listed = await bob('POST', 'opml', opml)
    expect(listed.json).toMatchObject({ results: [{ kind: 'feed', added: false }], skipped: 0 })
    expect((await bob('GET', 'subscriptions/pending')).json.pending).toMatchObject([{ url: 'https://site.example/' }])
    await findFeed(added.json.results[0].sourceId, 'https://site.example/feed', 'Site')
    expect((await bob('GET', 'subscriptions/pending')).json).toEqual({ pending: [] })
    const list = (await bob('GET', '/subscriptions.opml')).text
    expect(list).toMatch(/text="Mine"[\s\S]*text="My tides"/)
    expect(list).toContain('https://site.example/feed')
    expect(list).not.toContain('bread.example')
  })

  test('shared with other users can only be removed by admins', async () => {
    const { ada, bob, tides, bread, app, store } = await twoPeople()
    await bob('POST', 'subscriptions', { addresses: [{ url: 'https://tides.example/feed', kind: 'feed' }] })
    expect((await bob('DELETE', `feeds/${tides}`)).status).toBe(403)
    expect((await bob('DELETE', `feeds/${bread}`)).status).toBe(404)
    await ada('DELETE', `subscriptions/${tides}`)
    expect((await bob('DELETE', `feeds/${tides}`)).status).toBe(204)
    expect((await app.request(`/api/v1/feeds/${bread}`)).status).toBe(401)
    expect(await store.feedsById([bread])).toHaveLength(1)
  })
})

describe('read state', () => {
  test('is returned with entries, filters lists, and can be undone', async () => {
    const { ada, bob, tides } = await twoPeople()
    const unread = async (client: typeof ada, more = '') => titles(await client('GET', `entries?unread=true${more}`))
    expect(await unread(ada)).toEqual(['Rye', 'Low water', 'High water'])
    const { json } = await ada('GET', 'entries')
    const [rye, low] = json.entries
    expect([rye.read, rye.starred]).toEqual([false, undefined])
    const marked = await ada('POST', 'reading/state', { entries: [rye.id, low.id, 999], as: 'read' })
    expect(marked.json).toEqual({ changed: [rye.id, low.id], change: expect.any(Number) })
    expect(await unread(ada)).toEqual(['High water'])
    expect(titles(await ada('GET', 'entries?unread=false'))).toEqual(['Rye', 'Low water'])
    expect((await ada('POST', 'reading/undo', { change: marked.json.change })).json).toEqual({ changed: 2 })
    expect((await bob('POST', 'reading/undo', { change: marked.json.change })).json).toEqual({ changed: 0 })
    const sea = await ada('POST', 'reading/read', { folder: 'Sea' })
    expect(sea.json).toMatchObject({ marked: 2 })
    expect(await unread(ada)).toEqual(['Rye'])
    expect((await ada('POST', 'reading/undo', { change: sea.json.change })).json).toEqual({ changed: 2 })
    const before = new Date(NOW - 2.5 * HOUR).toISOString()
    expect((await ada('POST', 'reading/read', { datedBefore: before })).json).toMatchObject({ marked: 1 })
    expect(await unread(ada, '&folder=Sea')).toEqual(['Low water'])
    expect((await ada('POST', 'reading/read', { feed: tides, upTo: low.id })).json).toMatchObject({ marked: 1 })
    expect(await unread(ada, `&feed=${tides}`)).toEqual([])
    expect((await ada('POST', 'reading/read', { upTo: 1, datedBefore: before })).status).toBe(400)
    expect(await unread(bob)).toEqual([])
    expect((await bob('GET', `entries/${rye.id}`)).json).not.toHaveProperty('read')
  })

  test('has stars, and can be searched', async () => {
    const { ada, bob } = await twoPeople()
    const { entries } = (await ada('GET', 'entries')).json
    const low = entries[1].id
    expect((await ada('POST', 'reading/state', { entries: [low], as: 'starred' })).json).toEqual({ changed: [low] })
    expect((await ada('POST', 'reading/state', { entries: [low], as: 'starred' })).json).toEqual({ changed: [] })
    expect(titles(await ada('GET', 'entries?starred=true'))).toEqual(['Low water'])
    expect(titles(await bob('GET', 'entries?starred=true'))).toEqual([])
    expect((await ada('GET', `entries/${low}`)).json).toMatchObject({ starred: true, read: false })
    await ada('POST', 'reading/state', { entries: [low], as: 'read' })
    const found = async (client: typeof ada, q: string) =>
      titles(await client('GET', `entries?unique=none&q=${encodeURIComponent(q)}`))
    expect(await found(ada, 'water is:unread')).toEqual(['High water'])
    expect(await found(ada, 'water is:starred')).toEqual(['Low water'])
    expect(await found(ada, 'water -is:starred')).toEqual(['High water'])
    expect((await found(ada, 'is:unread')).sort()).toEqual(['High water', 'Rye'])
    expect(await found(ada, 'water is:read')).toEqual(['Low water'])
    expect(await found(bob, 'water is:unread')).toEqual([])
    expect(await found(ada, 'water folder:Sea is:unread')).toEqual(['High water'])
    expect((await bob('GET', 'entries?q=folder:Sea')).status).toBe(400)
    expect((await ada('GET', 'entries?q=water%20OR%20is:unread')).status).toBe(400)
    expect((await ada('GET', 'entries?q=is:odd')).status).toBe(400)
  })
})

describe('integrations', () => {
  test('a saved search belongs to its user, and is validated', async () => {
    const { ada, bob } = await twoPeople()
    const saved = await ada('POST', 'searches', { name: 'Water', query: 'water is:unread', order: 'date' })
    expect(saved).toMatchObject({ status: 201, json: { name: 'Water', query: 'water is:unread', order: 'date' } })
    expect((await ada('POST', 'searches', { name: 'WATER', query: 'x' })).status).toBe(409)
    expect((await ada('POST', 'searches', { name: 'x', query: 'OR' })).status).toBe(400)
    const { id } = saved.json
    expect((await bob('PATCH', `searches/${id}`, { name: 'his' })).status).toBe(404)
    expect((await ada('PATCH', `searches/${id}`, { order: null, query: 'tide*' })).json).toEqual({
      id,
      name: 'Water',
      query: 'tide*',
      addedAt: expect.any(String),
    })
    expect((await bob('GET', 'searches')).json).toEqual({ searches: [] })
    expect((await bob('DELETE', `searches/${id}`)).status).toBe(404)
    expect((await ada('DELETE', `searches/${id}`)).status).toBe(204)
  })

  test('an outgoing feed is readable at its secret address in every format, until it gets another address', async () => {
    const { ada, bob, app, tides } = await twoPeople()
    const { id: search } = (await ada('POST', 'searches', { name: 'Rye', query: 'rye' })).json
    const [, low] = (await ada('GET', 'entries')).json.entries
    await ada('POST', 'reading/state', { entries: [low.id], as: 'starred' })
    const loadFeed = async (path: string) => {
      const response = await app.request(path)
      expect([path, response.status]).toEqual([path, 200])
      const parsed = parseFeed(new Uint8Array(await response.arrayBuffer()), {
        contentType: response.headers.get('content-type')!,
        url: `https://reader.example${path}`,
      })
      if (parsed.kind !== 'feed') throw new Error(JSON.stringify(parsed))
      return { title: parsed.facts.title, entries: parsed.entries.map(({ title }) => title), response }
    }
    const cases = [
      [{ kind: 'all' }, ['Rye', 'Low water', 'High water']],
      [{ kind: 'starred' }, ['Low water']],
      [{ kind: 'unread' }, ['Rye', 'Low water', 'High water']],
      [{ kind: 'folder', folder: 'Sea' }, ['Low water', 'High water']],
      [{ kind: 'feed', feed: tides }, ['Low water', 'High water']],
      [{ kind: 'search', search }, ['Rye']],
      [{ kind: 'category', category: 'uncategorized' }, ['Rye', 'Low water', 'High water']],
    ] as const
    for (const [of, expected] of cases) {
      const created = await ada('POST', 'feeds-out', { name: `My ${of.kind}`, of })
      expect(created.status).toBe(201)
      for (const format of ['rss', 'atom', 'json']) {
        const feed = await loadFeed(created.json.paths[format])
        expect([of.kind, format, feed.title, feed.entries]).toEqual([of.kind, format, `My ${of.kind}`, [...expected]])
      }
    }
    const [first] = (await ada('GET', 'feeds-out')).json.feedsOut
    const { response } = await loadFeed(first.paths.rss)
    const etag = response.headers.get('etag')!
    expect((await app.request(first.paths.rss, { headers: { 'if-none-match': etag } })).status).toBe(304)
    expect((await bob('GET', 'feeds-out')).json).toEqual({ feedsOut: [] })
    expect((await bob('POST', `feeds-out/${first.id}/address`)).status).toBe(404)
    const moved = await ada('POST', `feeds-out/${first.id}/address`)
    expect(moved.json.paths.rss).not.toBe(first.paths.rss)
    expect((await app.request(first.paths.rss)).status).toBe(404)
    expect((await loadFeed(moved.json.paths.rss)).entries).toHaveLength(3)
    const edited = await ada('PATCH', `feeds-out/${first.id}`, { name: 'N', unique: 'story', text: 'summary' })
    expect(edited.json).toMatchObject({ name: 'N', unique: 'story', text: 'summary', paths: moved.json.paths })
    expect((await ada('POST', 'feeds-out', { name: 'x', of: { kind: 'feed', feed: 99 } })).status).toBe(400)
    expect((await bob('POST', 'feeds-out', { name: 'x', of: { kind: 'search', search } })).status).toBe(400)
    expect((await ada('DELETE', `feeds-out/${first.id}`)).status).toBe(204)
    expect((await app.request(moved.json.paths.rss)).status).toBe(404)
  })

  test('a webhook returns its secret once, and can be reactivated after it was disabled', async () => {
    const { ada, bob, store, tides } = await twoPeople()
    const { id: search } = (await ada('POST', 'searches', { name: 'Rye', query: 'rye' })).json
    const given = { name: 'desk', url: 'https://desk.example/hook', search }
    const created = await ada('POST', 'webhooks', given)
    expect(created).toMatchObject({ status: 201, json: { secret: expect.stringMatching(/^whsec_/), webhook: given } })
    expect((await bob('POST', 'webhooks', given)).status).toBe(400)
    for (const url of ['ftp://x.example', 'https://ada:pw@x.example/', 'x'])
      expect((await ada('POST', 'webhooks', { ...given, url })).status).toBe(400)
    const listed = await ada('GET', 'webhooks')
    expect(listed.json.webhooks).toMatchObject([{ ...given, state: 'active', failures: 0 }])
    expect(listed.text).not.toContain('whsec_')
    const { id } = created.json.webhook
    const last = { at: NOW, status: 503 }
    const cursor = await store.newestEntryId()
    await store.recordDelivery(id, { state: 'failed', dueAt: NOW + HOUR, cursor, failures: 9, last })
    expect((await ada('GET', 'webhooks')).json.webhooks[0]).toMatchObject({ state: 'failed', last: { status: 503 } })
    expect((await ada('PATCH', `webhooks/${id}`, { state: 'active' })).json).toMatchObject({
      failures: 0,
      state: 'active',
    })
    const other = await ada('POST', `webhooks/${id}/secret`)
    expect(other.json.secret).not.toBe(created.json.secret)
    expect((await bob('DELETE', `webhooks/${id}`)).status).toBe(404)
    expect((await ada('DELETE', `searches/${search}`)).status).toBe(204)
    expect((await ada('GET', 'webhooks')).json).toEqual({ webhooks: [] })
    expect(tides).toBeGreaterThan(0)
  })
})

describe('labels of entries', () => {
  test('are added, listed, searched, renamed and removed, each user on their own', async () => {
    const { ada, bob } = await twoPeople()
    const [low, high] = (await ada('GET', 'entries?feed=1')).json.entries.map(({ id }: { id: number }) => id)
    expect((await ada('POST', 'labels/entries', { entries: [low, 99], add: ['Later', 'x'] })).json).toEqual({
      changed: [low],
    })
    await ada('POST', 'labels/entries', { entries: [low, high], add: ['later'], remove: ['X'] })
    expect((await ada('GET', 'labels')).json).toEqual({
      labels: [
        { name: 'Later', entries: 2 },
        { name: 'x', entries: 0 },
      ],
    })
    expect((await ada('GET', `entries/${low}`)).json).toMatchObject({ labels: ['Later'] })
    expect(titles(await ada('GET', 'entries?label=later'))).toEqual(['Low water', 'High water'])
    expect(titles(await ada('GET', 'entries?q=spring%20label:LATER'))).toEqual(['High water'])
    expect(titles(await ada('GET', 'entries?q=water%20-label:later'))).toEqual([])
    expect((await ada('GET', 'entries?q=water%20OR%20label:later')).status).toBe(400)
    expect((await ada('GET', 'export/entries')).text).toContain('"labels":["Later"]')
    expect((await ada('PATCH', 'labels/later', { name: 'Read later' })).status).toBe(204)
    expect((await ada('PATCH', 'labels/x', { name: 'READ LATER' })).status).toBe(409)
    expect((await ada('PATCH', 'labels/none', { name: 'y' })).status).toBe(404)
    expect((await ada('DELETE', 'labels/read%20later')).status).toBe(204)
    expect((await ada('DELETE', 'labels/read%20later')).status).toBe(404)
    expect((await bob('GET', 'labels')).json).toEqual({ labels: [] })
    expect((await bob('POST', 'labels/entries', { entries: [low], add: ['mine'] })).json).toEqual({ changed: [] })
    expect((await ada('POST', 'labels/entries', { entries: [low], add: ['a'.repeat(101)] })).status).toBe(400)
    expect((await ada('POST', 'labels/entries', { entries: [low] })).status).toBe(400)
  })

  test('are at most 500 per user', async () => {
    const { ada } = await twoPeople()
    for (let i = 0; i < 500; i += 20)
      await ada('POST', 'labels/entries', { entries: [1], add: Array.from({ length: 20 }, (_, n) => `l${i + n}`) })
    expect((await ada('POST', 'labels/entries', { entries: [1], add: ['more'] })).status).toBe(409)
  })
})

test('muted entries are read, and only listed and found on request', async () => {
  const { ada } = await twoPeople()
  const [low, high] = (await ada('GET', 'entries?feed=1')).json.entries.map(({ id }: { id: number }) => id)
  expect((await ada('POST', 'reading/state', { entries: [high], as: 'muted' })).json).toEqual({ changed: [high] })
  expect(titles(await ada('GET', 'entries'))).toEqual(['Rye', 'Low water'])
  expect(titles(await ada('GET', 'entries?feed=1&mine=true'))).toEqual(['Low water'])
  expect(titles(await ada('GET', 'entries?q=water'))).toEqual(['Low water'])
  expect(titles(await ada('GET', 'entries?muted=true'))).toEqual(['High water'])
  expect(titles(await ada('GET', 'entries?q=water%20is:muted'))).toEqual(['High water'])
  expect((await ada('GET', 'reading')).json).toMatchObject({ unread: 2 })
  expect((await ada('GET', 'export/entries')).text).not.toContain('High water')
  expect((await ada('GET', `entries/${high}`)).json).toMatchObject({ muted: true, read: true })
  await ada('POST', 'reading/state', { entries: [high, low], as: 'unmuted' })
  expect(titles(await ada('GET', 'entries?q=water'))).toHaveLength(2)
})
