/** The API, without a socket, over a memory store. */
import { describe, expect, test } from 'vitest'
import { createServerFixture, NOW } from '../../test/server-fixture.ts'
import { address } from '../model/address.fixture.ts'
import { DAY, type FeedId, HOUR, MINUTE } from '../model/index.ts'
import { rolesOf, StoreError } from '../ports/index.ts'

type Stage = ReturnType<typeof createServerFixture>

async function ask(fixture: Stage, path: string, method = 'GET', body?: unknown) {
  const response = await fixture.app.request(path, {
    method,
    ...(method !== 'GET' && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text.startsWith('{') ? JSON.parse(text) : text,
  }
}

async function filled() {
  const fixture = createServerFixture()
  const tides = await fixture.addFeed({
    url: 'https://tides.example/feed',
    title: 'Tides',
    folder: 'Sea',
    dueInMs: 2 * MINUTE,
    entries: [
      { title: 'High water', url: 'https://tides.example/1', agoMs: 5 * HOUR },
      { title: 'Low water', content: '<b onclick="x()">low</b>', agoMs: 2 * DAY },
    ],
  })
  const bread = await fixture.addFeed({
    url: 'https://bread.example/atom.xml',
    title: 'Bread',
    dueInMs: HOUR,
    trouble: { kind: 'http', status: 503 },
    failures: 3,
    entries: [{ title: 'Rye and water', agoMs: 6 * HOUR }],
  })
  await fixture.index()
  return { ...fixture, tides, bread }
}

describe('GET /healthz', () => {
  test('is 200 while the store answers', async () => {
    const { status, body } = await ask(createServerFixture(), '/healthz')
    expect(status).toBe(200)
    expect(body).toEqual({ ok: true, version: '0.1.0', startedAt: '2026-03-14T06:26:53.000Z', inFlight: 0 })
  })

  test('is 503 if the store fails', async () => {
    const fixture = createServerFixture()
    fixture.store.counts = () => Promise.reject(new Error('the disk is gone'))
    const { status, body } = await ask(fixture, '/healthz')
    expect(status).toBe(503)
    expect(body).toMatchObject({ ok: false, error: 'the store does not answer' })
  })

  test('is 503 if the store does not answer in time', async () => {
    const fixture = createServerFixture()
    fixture.store.counts = () => new Promise(() => {})
    const answer = ask(fixture, '/healthz')
    await fixture.clock.advance(3000)
    expect((await answer).status).toBe(503)
  })
})

test('the status has counts, activity, the next due feeds and hosts that back off', async () => {
  const fixture = await filled()
  fixture.activity.inFlight.push({ kind: 'poll', url: address('https://tides.example/feed'), sinceAt: NOW - 500 })
  await fixture.store.recordSites({
    hosts: [
      { root: 'awake.example', notBeforeAt: NOW - 1, strikes: 1 },
      { root: 'late.example', notBeforeAt: NOW + HOUR, strikes: 1 },
      { root: 'soon.example', notBeforeAt: NOW + MINUTE, strikes: 2, trouble: { kind: 'http', status: 429 } },
    ],
  })
  const { body } = await ask(fixture, '/api/v1/status')
  expect(body.now).toBe('2026-03-14T09:26:53.000Z')
  expect(body.counts).toMatchObject({ feeds: { active: 2, paused: 0, gone: 0 }, failing: 1, entries: 3 })
  expect(body.activity).toMatchObject({ inFlight: 1, tasks: [{ kind: 'poll', since: '2026-03-14T09:26:52.500Z' }] })
  expect(body.next.map((feed: { title: string }) => feed.title)).toEqual(['Tides', 'Bread'])
  expect(body.backingOff.map((host: { root: string }) => host.root)).toEqual(['soon.example', 'late.example'])
  expect(body.backingOff[0].trouble).toEqual({
    kind: 'http',
    status: 429,
    words: 'the server answered 429 (too many requests)',
  })
})

test('the status has a limited size and cost, however many hosts there are', async () => {
  const fixture = await filled()
  const hosts = Array.from({ length: 3000 }, (_, i) => ({ root: `h${i}.example`, notBeforeAt: NOW + HOUR, strikes: 1 }))
  await fixture.store.recordSites({ hosts: hosts })
  fixture.store.hosts = () => Promise.reject(new Error('all of them'))
  const { body } = await ask(fixture, '/api/v1/status')
  expect([body.backingOff.length, body.backingOffCount]).toEqual([50, 3000])
})

describe('GET /api/v1/feeds', () => {
  test('returns a feed with its schedule and its failure in words', async () => {
    const fixture = await filled()
    const { body } = await ask(fixture, '/api/v1/feeds?failing=true')
    expect(body).toEqual({
      feeds: [
        {
          id: fixture.bread,
          url: 'https://bread.example/atom.xml',
          title: 'Bread',
          entries: expect.any(Number),
          siteUrl: 'https://bread.example/',
          format: 'atom',
          state: 'active',
          subscribers: 1,
          addedAt: '2026-03-13T09:26:53.000Z',
          schedule: {
            strategy: 'fix',
            dueAt: '2026-03-14T10:26:53.000Z',
            polledAt: '2026-03-14T09:22:53.000Z',
            succeededAt: '2026-03-14T04:26:53.000Z',
            failures: 3,
          },
          trouble: { kind: 'http', status: 503, words: 'the server answered 503 (service unavailable)' },
        },
      ],
    })
  })

  test.each([
    ['state=paused', []],
    ['folder=Sea', ['Tides']],
    ['text=BREAD', ['Bread']],
    ['order=due', ['Tides', 'Bread']],
  ])('%s narrows the list', async (query, titles) => {
    const { body } = await ask(await filled(), `/api/v1/feeds?${query}`)
    expect(body.feeds.map((feed: { title: string }) => feed.title)).toEqual(titles)
  })

  test('has a cursor if there are more than the limit', async () => {
    const { body } = await ask(await filled(), '/api/v1/feeds?limit=1')
    expect(body.feeds).toHaveLength(1)
    expect(body.next).toMatch(/./)
  })

  test('one feed has its last polls and entries', async () => {
    const fixture = await filled()
    const { body } = await ask(fixture, `/api/v1/feeds/${fixture.bread}`)
    expect(body.feed.title).toBe('Bread')
    expect(body.polls.map((poll: { result: unknown }) => poll.result)).toEqual([
      {
        kind: 'failed',
        trouble: { kind: 'http', status: 503, words: 'the server answered 503 (service unavailable)' },
      },
      { kind: 'read', fresh: 1, changed: 0, window: 1, gap: false },
    ])
    expect(body.entries).toMatchObject([{ title: 'Rye and water', feedTitle: 'Bread' }])
  })
})

describe('POST /api/v1/feeds', () => {
  test('returns a result for each address', async () => {
    const fixture = await filled()
    const addresses = ['https://new.example', 'rubbish', { url: 'https://tides.example/feed', kind: 'feed' }]
    const { body } = await ask(fixture, '/api/v1/feeds', 'POST', { addresses })
    expect(body.results).toEqual([
      { kind: 'source', url: 'https://new.example', sourceId: 1, added: true },
      { kind: 'refused', url: 'rubbish', reason: 'it is no address of the web' },
      { kind: 'feed', url: 'https://tides.example/feed', feedId: fixture.tides, added: false },
    ])
  })

  test('accepts an OPML file with its titles and folders', async () => {
    const fixture = createServerFixture()
    const opml = `<opml version="2.0"><body><outline text="Sea">
      <outline type="rss" text="Gulls" xmlUrl="https://gulls.example/rss"/></outline></body></opml>`
    const init = { method: 'POST', headers: { 'content-type': 'text/x-opml' }, body: opml }
    const answer = await fixture.app.request('/api/v1/opml', init)
    expect(await answer.json()).toMatchObject({ results: [{ kind: 'feed', added: true }], skipped: 0 })
    expect((await ask(fixture, '/api/v1/feeds')).body.feeds).toMatchObject([{ title: 'Gulls', folder: 'Sea' }])
  })

  test.each([
    ['<html><p>no</p></html>', 'text/x-opml', 400, 'the file is not OPML: it is a web page'],
    ['{"opml": "<opml/>"}', 'application/json', 415, 'the body is not OPML'],
    ['<opml/>', 'text/plain', 415, 'requests that change data must be JSON'],
  ])('rejects %j as %s', async (sent, type, status, title) => {
    const init = { method: 'POST', headers: { 'content-type': type }, body: sent }
    const answer = await createServerFixture().app.request('/api/v1/opml', init)
    expect([answer.status, await answer.json()]).toEqual([status, expect.objectContaining({ title })])
  })

  test('accepts a list longer than one batch, in order', async () => {
    const addresses = Array.from({ length: 1000 }, (_, index) => `https://s${index}.example/`)
    const { body } = await ask(createServerFixture(), '/api/v1/feeds', 'POST', { addresses })
    expect(body.results.map((result: { url: string }) => result.url)).toEqual(addresses)
  })

  test.each([
    [{}, 'no address given'],
    [{ addresses: 'https://a.example' }, 'invalid field addresses'],
    [{ addresses: [7] }, 'invalid field addresses.0'],
    [{ addresses: [{ url: 'https://a.example', kind: 'site' }] }, 'invalid field addresses.0'],
    [{ addresses: [{ url: 'https://a.example', title: 7 }] }, 'invalid field addresses.0'],
    [{ opml: '<opml/>' }, 'unknown field "opml"'],
    [[], 'the body is not a JSON object'],
  ])('rejects %j', async (sent, error) => {
    const { status, body } = await ask(createServerFixture(), '/api/v1/feeds', 'POST', sent)
    expect(status).toBe(400)
    expect(body.title).toBe(error)
    expect(body.hint).toMatch(/\{"addresses": \[|^addresses is/)
  })

  test('rejects a body that is not JSON', async () => {
    const headers = { 'content-type': 'application/json' }
    const response = await createServerFixture().app.request('/api/v1/feeds', {
      method: 'POST',
      headers,
      body: '{"addresses": [',
    })
    expect(response.status).toBe(400)
  })
})

describe('changes of a feed', () => {
  test('it is paused and resumed, and has no due date in between', async () => {
    const fixture = await filled()
    const paused = await ask(fixture, `/api/v1/feeds/${fixture.tides}`, 'PATCH', { state: 'paused' })
    expect(paused.body.state).toBe('paused')
    expect(paused.body.schedule.dueAt).toBeUndefined()
    const resumed = await ask(fixture, `/api/v1/feeds/${fixture.tides}`, 'PATCH', { state: 'active' })
    expect(resumed.body.state).toBe('active')
    expect(resumed.body.schedule.dueAt).toBe('2026-03-14T09:28:53.000Z')
  })

  test('it is polled soon, and the response says when and why not at once', async () => {
    const fixture = await filled()
    const { status, body } = await ask(fixture, `/api/v1/feeds/${fixture.tides}/poll`, 'POST')
    expect(status).toBe(202)
    expect(body).toEqual({ dueAt: '2026-03-14T09:27:13.000Z', why: 'its site was visited a moment ago' })
  })

  test('it is removed, and then unknown', async () => {
    const fixture = await filled()
    expect((await ask(fixture, `/api/v1/feeds/${fixture.tides}`, 'DELETE')).status).toBe(204)
    expect((await ask(fixture, `/api/v1/feeds/${fixture.tides}`, 'DELETE')).status).toBe(404)
    expect((await ask(fixture, '/api/v1/entries')).body.entries).toHaveLength(1)
  })

  test.each([
    ['GET', '/api/v1/feeds/99'],
    ['PATCH', '/api/v1/feeds/99'],
    ['DELETE', '/api/v1/feeds/99'],
    ['POST', '/api/v1/feeds/99/poll'],
    ['GET', '/api/v1/entries/99'],
    ['DELETE', '/api/v1/sources/99'],
    ['GET', '/api/v1/sources/99'],
  ])('%s %s is 404', async (method, path) => {
    const { status, body } = await ask(createServerFixture(), path, method, { state: 'paused' })
    expect(status).toBe(404)
    expect(body.title).toMatch(/^there is no (feed|entry|source) 99$/)
  })

  test.each([
    ['an empty change', {}, /nothing to change/, /^send an object with any of: state, title/],
    ['a name that a feed does not have', { colour: 'red' }, /unknown field "colour"/, /^send an object with any of/],
    ['a strategy there is not', { strategy: 'hope' }, /unknown strategy "hope"/, /^available: tide, /],
    ['an address that is none', { url: 'javascript:alert(1)' }, /is not a web address/, /^send one with https:/],
    ['a title that is no text', { title: 7 }, /invalid field title/, /^title is a text of at most/],
  ])('%s is rejected', async (_, change, message, hint) => {
    const fixture = await filled()
    const { status, body } = await ask(fixture, `/api/v1/feeds/${fixture.tides}`, 'PATCH', change)
    expect(status).toBe(400)
    expect(body.title).toMatch(message)
    expect(body.hint).toMatch(hint)
  })

  test('a title can be changed', async () => {
    const fixture = await filled()
    const { status, body } = await ask(fixture, `/api/v1/feeds/${fixture.tides}`, 'PATCH', { title: 'Other' })
    expect([status, body.title]).toEqual([200, 'Other'])
  })

  test('an invalid state is rejected', async () => {
    const fixture = await filled()
    expect((await ask(fixture, `/api/v1/feeds/${fixture.tides}`, 'PATCH', { state: 'gone' })).status).toBe(400)
  })
})

describe('the article of an entry', () => {
  async function withArticle() {
    const fixture = await filled()
    const { store } = fixture
    const [high] = await store.entries({ feedId: fixture.tides, limit: 1 })
    const entryId = high!.id
    await store.queueArticles([{ entryId, url: address('https://tides.example/1'), root: 'tides.example' }], NOW)
    const [article] = await store.articlesOfEntries([entryId])
    return { fixture, store, entryId, id: article!.id }
  }

  test('is part of the entry, with its text, sanitized HTML and corrections of its date', async () => {
    const { fixture, store, entryId, id } = await withArticle()
    const notes = [{ of: 'feed', fault: 'zone', done: 'corrected', byMs: HOUR } as const]
    await store.recordArticles([
      {
        id,
        at: NOW,
        queueDueAt: NOW,
        result: {
          kind: 'read',
          pageUrl: address('https://tides.example/one'),
          facts: { title: 'High', words: 3, date: { at: NOW - HOUR, from: 'page', trust: 0.9, notes } },
          content: { text: 'The water rises.', html: '<p onclick="x()">The water rises.</p>' },
        },
      },
    ])
    const { status, body } = await ask(fixture, `/api/v1/entries/${entryId}/article`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      state: 'read',
      pageUrl: 'https://tides.example/one',
      title: 'High',
      publishedAt: new Date(NOW - HOUR).toISOString(),
      dateFrom: 'page',
      dateTrust: 0.9,
      dateNotes: notes,
      text: 'The water rises.',
      html: '<p>The water rises.</p>',
      entryIds: [entryId],
    })
    expect((await ask(fixture, `/api/v1/entries/${entryId}`)).body).toMatchObject({ article: body, language: 'und' })
    await store.forget('articles', NOW + 1, 9)
    expect((await ask(fixture, `/api/v1/entries/${entryId}/article`)).body).toMatchObject({ state: 'forgotten' })
  })

  test('says why it is missing', async () => {
    const { fixture, store, entryId, id } = await withArticle()
    expect((await ask(fixture, `/api/v1/entries/${entryId}/article`)).body).toMatchObject({
      state: 'waiting',
      dueAt: new Date(NOW).toISOString(),
    })
    const failure = { kind: 'forbidden-by-page' } as const
    const result = { kind: 'failed', failure, state: 'refused' } as const
    await store.recordArticles([{ id, at: NOW, queueDueAt: NOW, result }])
    expect((await ask(fixture, `/api/v1/entries/${entryId}/article`)).body).toEqual({
      state: 'refused',
      id,
      url: 'https://tides.example/1',
      failures: 1,
      trouble: { kind: 'forbidden-by-page', words: 'the page forbids archiving' },
      missing: { reason: 'noindex', words: 'The page asks not to be stored (noindex).' },
    })
    const [other] = (await store.entries({ limit: 9 })).filter((entry) => entry.id !== entryId)
    expect(await ask(fixture, `/api/v1/entries/${other!.id}/article`)).toMatchObject({ status: 404 })
    expect(await ask(fixture, '/api/v1/entries/999/article')).toMatchObject({ status: 404 })
  })

  test('is fetched for a feed by its setting', async () => {
    const { fixture } = await withArticle()
    const patched = await ask(fixture, `/api/v1/feeds/${fixture.tides}`, 'PATCH', { articles: 'always' })
    expect(patched.body).toMatchObject({ articles: 'always' })
    expect(await ask(fixture, `/api/v1/feeds/${fixture.tides}`, 'PATCH', { articles: 'now' })).toMatchObject({
      status: 400,
    })
    expect((await ask(fixture, '/api/v1/status/disk-usage')).body).toMatchObject({ pages: 0, index: 0 })
  })
})

describe('GET /api/v1/entries', () => {
  const titles = (body: { entries: { title: string }[] }) => body.entries.map(({ title }) => title)

  test('newest first, with the feed’s title and without its markup', async () => {
    const { body } = await ask(await filled(), '/api/v1/entries')
    expect(titles(body)).toEqual(['High water', 'Rye and water', 'Low water'])
    expect(body.entries[2]).toMatchObject({ feedTitle: 'Tides', publishedAt: '2026-03-12T09:26:53.000Z' })
    expect(JSON.stringify(body)).not.toContain('onclick')
  })

  test('continues after the last entry of a page', async () => {
    const fixture = await filled()
    const first = (await ask(fixture, '/api/v1/entries?limit=2')).body
    expect(first.next).toBeDefined()
    const second = (await ask(fixture, `/api/v1/entries?limit=2&cursor=${first.next}`)).body
    expect(titles(second)).toEqual(['Low water'])
    expect(second.next).toBeUndefined()
    expect((await ask(fixture, '/api/v1/entries?cursor=99')).status).toBe(400)
    const oldest = (await ask(fixture, '/api/v1/entries?limit=2&order=oldest')).body
    const after = (await ask(fixture, `/api/v1/entries?limit=2&order=oldest&cursor=${oldest.next}`)).body
    const all = (await ask(fixture, '/api/v1/entries?limit=9')).body.entries.map(({ id }: { id: number }) => id)
    const ascending = [...oldest.entries, ...after.entries].map(({ id }: { id: number }) => id)
    expect(ascending).toEqual(all.reverse().slice(0, 4))
    expect((await ask(fixture, `/api/v1/entries?limit=2&cursor=${oldest.next}`)).status).toBe(400)
    expect((await ask(fixture, '/api/v1/entries?q=water&order=oldest')).status).toBe(400)
  })

  test('of one feed, or since a date', async () => {
    const fixture = await filled()
    expect(titles((await ask(fixture, `/api/v1/entries?feed=${fixture.tides}`)).body)).toEqual([
      'High water',
      'Low water',
    ])
    expect(titles((await ask(fixture, '/api/v1/entries?since=2026-03-14T04:00:00Z')).body)).toEqual(['High water'])
  })

  test('q searches, also within a feed or since a date', async () => {
    const fixture = await filled()
    expect(titles((await ask(fixture, '/api/v1/entries?q=WATER')).body).sort()).toEqual([
      'High water',
      'Low water',
      'Rye and water',
    ])
    expect(titles((await ask(fixture, `/api/v1/entries?q=water&feed=${fixture.bread}`)).body)).toEqual([
      'Rye and water',
    ])
    expect(titles((await ask(fixture, '/api/v1/entries?q=water&since=2026-03-14T04:00:00Z')).body)).toEqual([
      'High water',
    ])
    expect(titles((await ask(fixture, '/api/v1/entries?q=nowhere')).body)).toEqual([])
  })

  test('q accepts fields, and invalid queries are explained', async () => {
    const fixture = await filled()
    const titlesOf = async (q: string, more = '') =>
      titles((await ask(fixture, `/api/v1/entries?q=${encodeURIComponent(q)}${more}`)).body)
    expect(await titlesOf(`water feed:${fixture.bread}`)).toEqual(['Rye and water'])
    expect(await titlesOf('water feed:nowhere OR high').catch(() => 'refused')).toBe('refused')
    expect(await titlesOf('high OR rye', '&sort=date')).toHaveLength(2)
    expect(await titlesOf('water until:2026-03-14T04:00:00Z')).not.toContain('High water')
    for (const [q, title] of [
      ['high OR', 'OR must stand between two terms'],
      ['-high', 'the search contains only exclusions'],
      ['!', 'the search contains no word'],
      ['water feed:nowhere', 'no feed is called "nowhere"'],
      ['water folder:nowhere', 'there is no folder "nowhere"'],
      ['water since:soon', 'since: cannot be "soon"'],
    ] as const) {
      const { status, body } = await ask(fixture, `/api/v1/entries?q=${encodeURIComponent(q)}`)
      expect([status, body.title]).toEqual([400, title])
      expect(body.hint).toMatch(/\w{3}/)
    }
    expect((await ask(fixture, '/api/v1/entries?sort=relevance')).status).toBe(400)
  })

  test('hits have highlights', async () => {
    const fixture = await filled()
    const [first] = (await ask(fixture, '/api/v1/entries?q=high')).body.entries
    expect(first).toMatchObject({ title: 'High water', found: { titleMarks: [{ from: 0, to: 4 }] } })
    expect((await ask(fixture, '/api/v1/entries')).body.entries[0].found).toBeUndefined()
  })

  test('a search makes as many calls to the store for many hits as for one', async () => {
    const calls: string[] = []
    const counted = <Port extends object>(port: Port): Port =>
      new Proxy(port, {
        get(target, name) {
          const value = Reflect.get(target, name)
          if (typeof value !== 'function') return value
          return (...given: unknown[]) => {
            calls.push(String(name))
            return Reflect.apply(value, target, given)
          }
        },
      })
    const { store, search, addFeed, index } = createServerFixture()
    const entries = Array.from({ length: 20 }, (_, i) => ({ title: `High water ${i || 'first'}`, agoMs: i * MINUTE }))
    await addFeed({ url: 'https://a.example/', title: 'A', entries })
    await index()
    const roles = Object.fromEntries(Object.entries(rolesOf(store)).map(([role, port]) => [role, counted(port)]))
    const fixture = createServerFixture({ ...roles, search: counted(search) })
    const callsFor = async (q: string) => {
      calls.length = 0
      const { length: hits } = (await ask(fixture, `/api/v1/entries?q=${q}`)).body.entries
      return { hits, calls: [...calls] }
    }
    const one = await callsFor('first')
    const many = await callsFor('water')
    expect([one.hits, many.hits]).toEqual([1, 20])
    expect(many.calls).toEqual(one.calls)
    expect(one.calls.length).toBeLessThanOrEqual(12)
  })

  test('filtered by folder, language, category and dates, with and without q', async () => {
    const fixture = createServerFixture()
    const entryOf = (title: string, more: object) => ({ title, key: title, agoMs: HOUR, ...more })
    await fixture.addFeed({
      url: 'https://a.example/',
      title: 'A',
      folder: 'News / Local',
      entries: [entryOf('tide one', { language: 'de' }), entryOf('tide two', { category: 'science', agoMs: 9 * HOUR })],
    })
    await fixture.addFeed({
      url: 'https://b.example/',
      title: 'B',
      entries: [entryOf('tide three', { language: 'de-AT' })],
    })
    await fixture.index()
    for (const q of ['', '&q=tide']) {
      const titlesOf = async (query: string) => titles((await ask(fixture, `/api/v1/entries?${query}${q}`)).body).sort()
      expect(await titlesOf('folder=news')).toEqual(['tide one', 'tide two'])
      expect(await titlesOf('folder=nowhere')).toEqual([])
      expect(await titlesOf('folder=News&feed=2')).toEqual([])
      expect(await titlesOf('language=de')).toEqual(['tide one', 'tide three'])
      expect(await titlesOf('language=und')).toEqual(['tide two'])
      expect(await titlesOf('category=Science')).toEqual(['tide two'])
      expect(await titlesOf('until=2026-03-14T05:00:00Z')).toEqual(['tide two'])
      expect(await titlesOf('since=2026-03-14T05:00:00Z')).toEqual(['tide one', 'tide three'])
    }
  })

  test('a search within a feed finds its entries among many others, and continues after its last hit', async () => {
    const fixture = createServerFixture()
    const entryOf = (count: number, title: string) =>
      Array.from({ length: count }, (_, i) => ({ title, key: `${title} ${i}`, agoMs: HOUR }))
    await fixture.addFeed({ url: 'https://loud.example/', title: 'Loud', entries: entryOf(1200, 'water water') })
    const quiet = await fixture.addFeed({
      url: 'https://quiet.example/',
      title: 'Quiet',
      entries: entryOf(5, 'on water'),
    })
    await fixture.index()

    const first = (await ask(fixture, `/api/v1/entries?q=water&feed=${quiet}&limit=3`)).body
    expect([first.entries.length, typeof first.next]).toEqual([3, 'string'])
    const second = (await ask(fixture, `/api/v1/entries?q=water&feed=${quiet}&limit=3&cursor=${first.next}`)).body
    expect([second.entries.length, second.next]).toEqual([2, undefined])
    expect(new Set([...first.entries, ...second.entries].map(({ id }) => id)).size).toBe(5)
    expect((await ask(fixture, '/api/v1/entries?q=water&cursor=99999')).status).toBe(400)
  })

  test('hits that were removed from the store are left out', async () => {
    const fixture = await filled()
    await fixture.store.removeFeed(fixture.tides as FeedId)
    expect(titles((await ask(fixture, '/api/v1/entries?q=water')).body)).toEqual(['Rye and water'])
    expect(titles((await ask(fixture, '/api/v1/entries?q=water&limit=1')).body)).toEqual(['Rye and water'])
  })

  test('one entry is complete, as JSON', async () => {
    const fixture = await filled()
    const { entries } = (await ask(fixture, '/api/v1/entries')).body
    const { body, headers } = await ask(fixture, `/api/v1/entries/${entries[2].id}`)
    expect(body).toMatchObject({ title: 'Low water', feedTitle: 'Tides', content: '<b>low</b>' })
    expect(headers.get('content-type')).toMatch(/^application\/json/)
  })

  test('an entry with an impossible date is still returned', async () => {
    const fixture = createServerFixture()
    await fixture.addFeed({
      url: 'https://odd.example/feed',
      title: 'Odd',
      entries: [{ title: 'Far away', agoMs: 0, updatedAt: 1e300 }],
    })
    const { body } = await ask(fixture, '/api/v1/entries')
    expect(titles(body)).toEqual(['Far away'])
    expect(body.entries[0].updatedAt).toBeUndefined()
  })
})

test('sources are listed with their failure, and can be removed', async () => {
  const fixture = createServerFixture()
  await ask(fixture, '/api/v1/feeds', 'POST', { addresses: ['https://a.example/', 'https://b.example/'] })
  const { sources } = await fixture.store.leaseDue(NOW, 1, NOW + MINUTE)
  await fixture.store.recordSourceFailed(sources[0]!.id, { kind: 'no-feed-found' }, NOW + HOUR)

  const listed = await ask(fixture, '/api/v1/sources?state=looking')
  expect(listed.body.sources).toHaveLength(2)
  expect(listed.body.sources[0]).toMatchObject({
    url: 'https://a.example/',
    state: 'looking',
    failures: 1,
    dueAt: '2026-03-14T10:26:53.000Z',
    trouble: { kind: 'no-feed-found', words: 'no feed was found there' },
  })
  expect((await ask(fixture, `/api/v1/sources/${sources[0]!.id}`, 'DELETE')).status).toBe(204)
  expect((await ask(fixture, '/api/v1/sources')).body.sources).toMatchObject([{ url: 'https://b.example/' }])
})

test('goals can be set for feeds and folders', async () => {
  const fixture = await filled()
  const put = await ask(fixture, `/api/v1/folders/${encodeURIComponent('Sea / Tides')}`, 'PUT', { goalMs: 600_000 })
  expect(put.body).toEqual({ folder: 'Sea / Tides', wants: { goalMs: 600_000 } })
  expect((await ask(fixture, '/api/v1/folders')).body.folders).toEqual([put.body])
  const patched = await ask(fixture, `/api/v1/feeds/${fixture.tides}`, 'PATCH', {
    wants: { minMs: 3_600_000, goalMs: null },
  })
  expect(patched.body.wants).toEqual({ minMs: 3_600_000 })
  for (const wants of [{ goalMs: 'soon' }, { speed: 1 }, { minMs: 9000, maxMs: 2000 }, { goalMs: -1 }, [], 7]) {
    const refused = await ask(fixture, `/api/v1/feeds/${fixture.tides}`, 'PATCH', { wants })
    expect([refused.status, typeof refused.body.hint]).toEqual([400, 'string'])
  }
})

test('polls are listed newest first, of one feed or since a date', async () => {
  const fixture = await filled()
  expect((await ask(fixture, '/api/v1/polls')).body.polls).toHaveLength(3)
  expect((await ask(fixture, `/api/v1/polls?feed=${fixture.tides}`)).body.polls).toHaveLength(1)
  const recent = (await ask(fixture, '/api/v1/polls?since=2026-03-14T09:00:00Z&limit=1')).body
  expect(recent.polls).toHaveLength(1)
  expect(recent.next !== undefined).toBe(true)
})

test('all feeds can be exported as OPML', async () => {
  const { headers, text } = await ask(await filled(), '/feeds.opml')
  expect(headers.get('content-type')).toBe('text/x-opml; charset=utf-8')
  expect(headers.get('content-disposition')).toBe('attachment; filename="feeds.opml"')
  expect(text).toContain('xmlUrl="https://tides.example/feed"')
  expect(text).toContain('Sea')
})

describe('invalid requests', () => {
  test.each([
    ['/api/v1/feeds?limit=0', 'limit is a whole number from 1 to 1000'],
    ['/api/v1/feeds?limit=ten', 'limit is a whole number from 1 to 1000'],
    ['/api/v1/feeds?state=asleep', 'state is one of active, paused, gone'],
    ['/api/v1/feeds?failing=yes', 'failing is true or false'],
    ['/api/v1/polls?since=yesterday', 'since is a date such as 2026-03-01 or 2026-03-01T12:00:00Z'],
    ['/api/v1/polls?since=2026-02-31T00:00', 'since is a date such as 2026-03-01 or 2026-03-01T12:00:00Z'],
    ['/api/v1/polls?lmit=3', 'known parameters: feed, since, cursor, limit'],
    ...['toString', 'constructor', '__proto__', 'hasOwnProperty'].map((name) => [
      `/api/v1/polls?${name}=3`,
      'known parameters: feed, since, cursor, limit',
    ]),
    ['/api/v1/polls?limit=1&__proto__=3', 'known parameters: feed, since, cursor, limit'],
    ['/api/v1/feeds?order=constructor', 'order is one of id, due'],
    ['/api/v1/feeds?state=__proto__', 'state is one of active, paused, gone'],
    ['/api/v1/feeds/seven', `an id is a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`],
  ])('%s is 400 and says what is expected', async (path, hint) => {
    const { status, body } = await ask(createServerFixture(), path)
    expect(status).toBe(400)
    expect(body.hint).toBe(hint)
  })

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'rejects "%s" as field, folder and file name',
    async (name) => {
      const fixture = await filled()
      const body = JSON.parse(`{"${name}": {"url": "https://a.example"}}`)
      const send = (method: string, path: string) => ask(fixture, path, method, body)
      expect((await send('PATCH', '/api/v1/feeds/1')).body.title).toBe(`unknown field "${name}"`)
      expect((await send('PUT', '/api/v1/folders/x')).body.title).toBe(`unknown field "${name}"`)
      expect((await send('POST', '/api/v1/feeds')).body.title).toBe(`unknown field "${name}"`)
      expect((await ask(fixture, `/x.${name.toLowerCase()}`)).status).toBe(404)
      expect((await send('PUT', `/api/v1/folders/${name}`)).status).toBe(400)
    },
  )

  test('an unknown route is 404, as JSON', async () => {
    const { status, body } = await ask(createServerFixture(), '/api/nothing')
    expect(status).toBe(404)
    expect(body.title).toBe('GET /api/nothing does not exist')
  })

  test('an internal error is logged, and not revealed to the client', async () => {
    const internalErrors: unknown[] = []
    const fixture = createServerFixture({ onInternalError: (error, doing) => internalErrors.push(error, doing) })
    const error = new Error('secret path /home/someone')
    fixture.store.feeds = () => Promise.reject(error)
    const { status, text } = await ask(fixture, '/api/v1/feeds')
    expect(status).toBe(500)
    expect(text).not.toContain('secret')
    expect(internalErrors).toEqual([error, expect.stringMatching(/^answering GET \/api\/v1\/feeds \(request \S+\)$/)])
  })

  test('a store error has a hint', async () => {
    const [internalErrors, warnings]: unknown[][] = [[], []]
    const listeners = {
      onInternalError: (e: unknown) => internalErrors?.push(e),
      onWarning: (w: unknown) => warnings?.push(w),
    }
    const fixture = createServerFixture(listeners)
    fixture.store.feeds = () => Promise.reject(new StoreError('no-access', 'the disk is full', 'make room'))
    const { status, body } = await ask(fixture, '/api/v1/feeds')
    expect(status).toBe(503)
    expect((await fixture.app.request('/api/v1/feeds')).headers.get('retry-after')).toBe('10')
    expect([internalErrors, warnings]).toEqual([
      [],
      [{ kind: 'store-outage', words: 'the disk is full', hint: 'make room' }],
    ])
    expect(body).toMatchObject({ type: 'about:blank', title: 'the disk is full', status: 503, hint: 'make room' })
  })
})
