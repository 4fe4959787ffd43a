/** Copies and stories over the API. */
import { describe, expect, test } from 'vitest'
import { createServerFixture, NOW } from '../../test/server-fixture.ts'
import { createGrouper, DEFAULT_GROUPING } from '../crawl/index.ts'
import { DAY, type EntryId, HOUR, type Millis } from '../model/index.ts'
import { articleOf, readArticle, want } from '../ports/article-samples.contract.ts'

const LEAD =
  'The council of Port Else voted on Monday to build a tram line from market to port, ending a quarrel of nine years.'

async function filled() {
  const fixture = createServerFixture()
  const entry = (key: string, title: string, agoMs: Millis, summary?: string) => {
    return { key, title, agoMs, ...(summary && { summary }) }
  }
  await fixture.addFeed({
    url: 'https://wire.example/feed',
    title: 'The Wire',
    entries: [
      entry('a', 'Council approves tram line', 5 * HOUR, LEAD),
      entry('f', 'Flood in Varnby leaves hundreds homeless', 4 * HOUR),
    ],
  })
  await fixture.addFeed({
    url: 'https://mirror.example/feed',
    title: 'The Mirror',
    entries: [
      entry('b', 'Council approves tram line', 3 * HOUR, `<p onclick="x()">${LEAD.replace('nine', 'ten')}</p>`),
      entry('g', 'Hundreds homeless after flood hits Varnby', 2 * HOUR),
      entry('old', 'Goose found in bakery', 9 * DAY),
    ],
  })
  await fixture.index()
  const grouper = createGrouper({
    pendingWork: fixture.store,
    clock: fixture.clock,
    emit: () => {},
    ...DEFAULT_GROUPING,
  })
  const groupEntries = async () => {
    while (await grouper.groupChunk());
  }
  await groupEntries()
  const idOf = async (key: string) => {
    const entries = await fixture.store.entries({ limit: 99 })
    return entries.find((one) => one.key === key)!.id
  }
  const ids = { a: await idOf('a'), b: await idOf('b'), f: await idOf('f'), g: await idOf('g') }
  const ask = async (path: string) => {
    const response = await fixture.app.request(path)
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  return { ...fixture, ids, ask, groupEntries }
}

describe('GET /api/v1/groups', () => {
  test('lists stories or copies with their primary entry', async () => {
    const { ask, ids } = await filled()
    const { body } = await ask('/api/v1/groups?order=large&since=2026-03-10')
    expect(body).toMatchObject({
      groups: [
        { level: 'story', size: 2 },
        { level: 'story', size: 2 },
      ],
    })
    const { body: copies } = await ask('/api/v1/groups?level=copy')
    expect(copies.groups).toEqual([
      {
        id: 1,
        level: 'copy',
        size: 2,
        distanceSum: 6,
        firstAt: new Date(NOW - 5 * HOUR).toISOString(),
        lastAt: new Date(NOW - 3 * HOUR).toISOString(),
        primary: expect.objectContaining({ id: ids.a, feedTitle: 'The Wire', copies: 1 }),
      },
    ])
    expect((await ask('/api/v1/groups?limit=1')).body).toMatchObject({ next: expect.any(String), groups: [{}] })
    expect((await ask('/api/v1/groups?least=3')).body.groups).toEqual([])
    expect((await ask('/api/v1/groups?level=soul')).status).toBe(400)
  })

  test('returns one with its members in chronological order, and the reasons of their membership', async () => {
    const { ask, ids } = await filled()
    const { body: list } = await ask('/api/v1/groups?level=copy')
    const { body } = await ask(`/api/v1/groups/${list.groups[0].id}`)
    expect(body).toMatchObject({ group: { size: 2 } })
    expect(body.members).toMatchObject([
      { entry: { id: ids.a }, distance: 0, comparedBy: 'entry' },
      { entry: { id: ids.b, copyOf: ids.a }, likeId: ids.a, reason: 'same text but for 1 word' },
    ])
    expect((await ask('/api/v1/groups/999')).status).toBe(404)
  })
})

describe('GET /api/v1/entries', () => {
  test('lists one entry per group with unique', async () => {
    const { ask, ids } = await filled()
    const idsOf = (body: { entries: { id: number }[] }) => body.entries.map(({ id }) => id)
    expect(idsOf((await ask('/api/v1/entries')).body)).toHaveLength(5)
    expect(idsOf((await ask('/api/v1/entries?unique=copy')).body)).not.toContain(ids.b)
    expect(idsOf((await ask('/api/v1/entries?unique=story')).body)).toHaveLength(3)
    expect(idsOf((await ask('/api/v1/entries?q=council&unique=story')).body)).toHaveLength(1)
    expect(idsOf((await ask('/api/v1/entries?q=council&unique=copy')).body)).toHaveLength(1)
    expect((await ask('/api/v1/entries?unique=yes')).status).toBe(400)
  })

  test('a search lists every hit without unique, and counts hits and folded hits', async () => {
    const { ask } = await filled()
    const all = (await ask('/api/v1/entries?q=council')).body
    expect(all).toMatchObject({ entries: [{}, {}], hits: { total: 2, folded: 0 } })
    const folded = (await ask('/api/v1/entries?q=council&unique=story')).body
    expect(folded).toMatchObject({ entries: [{}], hits: { total: 2, folded: 1 } })
    expect((await ask('/api/v1/entries')).body).not.toHaveProperty('hits')
    expect((await ask('/api/v1/entries?q=nothinglikeit')).body.hits).toEqual({ total: 0, folded: 0 })
    // The first page has the total; folded hits add up over all pages.
    const query = '/api/v1/entries?q=council+OR+flood+OR+line+OR+tram&sort=date&unique=story&limit=1'
    const pages = []
    for (let cursor = ''; pages.length < 9; ) {
      const { body } = await ask(`${query}${cursor}`)
      pages.push(body)
      if (!body.next) break
      cursor = `&cursor=${body.next}`
    }
    const [firstPage, end] = [pages[0], pages.at(-1)]
    expect(firstPage.hits.total).toBe(pages.length + end.hits.folded)
    expect(end.hits.folded).toBeGreaterThan(0)
    expect(pages.slice(1).every(({ hits }) => hits.total === undefined)).toBe(true)
  })

  test('an entry has its primary and its groups', async () => {
    const { ask, ids } = await filled()
    expect((await ask(`/api/v1/entries/${ids.b}`)).body).toMatchObject({ copyOf: ids.a, copies: 1 })
    expect((await ask(`/api/v1/entries/${ids.b}/groups`)).body).toMatchObject({
      copy: { group: { size: 2, primary: { id: ids.a } }, as: { entry: { id: ids.b }, likeId: ids.a } },
      story: { group: { size: 2 } },
      moves: [],
    })
    expect((await ask(`/api/v1/entries/${ids.f}/groups`)).body).not.toHaveProperty('copy')
    expect((await ask('/api/v1/entries/999/groups')).status).toBe(404)
  })

  test('the lineage of a text has the first entry, its followers and their changes, without markup', async () => {
    const { ask, ids, store } = await filled()
    const { body } = await ask(`/api/v1/entries/${ids.b}/copies`)
    expect(body).toMatchObject({ first: { id: ids.a }, group: { size: 2 }, moves: [] })
    expect(body.followers).toMatchObject([
      { entry: { id: ids.b }, afterMs: 2 * HOUR, from: ids.a, title: [{ kind: 'same' }] },
    ])
    expect(body.followers[0].text.filter(({ kind }: { kind: string }) => kind !== 'same')).toEqual([
      { kind: 'removed', text: 'nine ' },
      { kind: 'added', text: 'ten ' },
    ])
    expect(JSON.stringify(body.followers[0].text)).not.toContain('onclick')
    expect((await ask(`/api/v1/entries/${ids.f}/copies`)).body).toMatchObject({ first: { id: ids.f }, followers: [] })
    const moved = { id: ids.b as EntryId, at: NOW, comparedBy: 'article' as const, simhash: 0n, joins: {} }
    await store.recordGroups([{ ...moved, signature: new Uint8Array(11) }], [], NOW)
    expect((await ask(`/api/v1/entries/${ids.b}/copies`)).body).toMatchObject({
      followers: [],
      moves: [{ level: 'copy', at: new Date(NOW).toISOString(), from: body.group.id, comparedBy: 'article' }, {}],
    })
    expect((await ask('/api/v1/entries/999/copies')).status).toBe(404)
  })
})

test('the lineage compares articles, but never quotes noarchive articles', async () => {
  const { ask, ids, store, groupEntries } = await filled()
  await store.queueArticles([want(ids.a, 'wire', 'a'), want(ids.b, 'mirror', 'b')], NOW)
  const [a, b] = [await articleOf(store, ids.a), await articleOf(store, ids.b)]
  await store.recordArticles([readArticle(a.id, NOW + 1, { text: `${LEAD} Trams will run until midnight.` })])
  await store.recordArticles([readArticle(b.id, NOW + 1, { text: `${LEAD} Secret trams.`, noArchive: true })])
  await groupEntries()
  const { body } = await ask(`/api/v1/entries/${ids.b}/copies`)
  expect(body.followers[0]).toMatchObject({ entry: { id: ids.b }, comparedBy: 'article' })
  const text = JSON.stringify(body.followers[0].text)
  expect(text).toContain('midnight')
  expect(text).not.toContain('Secret')
})

test('GET /api/v1/statistics counts entries, copies and their share, by feed and hour', async () => {
  const { ask } = await filled()
  const { body } = await ask('/api/v1/statistics')
  expect(body).toMatchObject({ entries: 4, copies: 1, share: 0.25, stories: 2, polls: { count: 2, failed: 0 } })
  expect(body.byFeed).toMatchObject([
    { feedTitle: 'The Wire', entries: 2, copies: 0, share: 0 },
    { feedTitle: 'The Mirror', entries: 2, copies: 1, share: 0.5 },
  ])
  expect(body.byHour[6]).toEqual({ entries: 1, copies: 1, share: 1 })
  expect((await ask('/api/v1/statistics?since=2026-01-01')).body.entries).toBe(5)
  expect((await ask('/api/v1/statistics?since=yesterday')).status).toBe(400)
})

test('POST /api/v1/groups/again regroups all entries', async () => {
  const { app, store } = await filled()
  const headers = { 'content-type': 'application/json' }
  const response = await app.request('/api/v1/groups/again', { method: 'POST', headers, body: '{}' })
  expect(response.status).toBe(202)
  expect(await response.json()).toEqual({ waiting: 5 })
  expect((await store.ungrouped(9)).changes).toHaveLength(5)
})

test('GET /api/v1/statistics shares concurrent counts, and caches them for ten times their duration', async () => {
  const fixture = createServerFixture()
  const { statistics } = fixture.store
  let counted = 0
  fixture.store.statistics = async (since) => {
    counted++
    await fixture.clock.advance(2000)
    return statistics(since)
  }
  const getStatistics = (query = '') => fixture.app.request(`http://localhost/api/v1/statistics${query}`)
  await Promise.all([getStatistics(), getStatistics(), getStatistics()])
  await fixture.clock.advance(19_000)
  await getStatistics()
  expect(counted).toBe(1)
  await fixture.clock.advance(1000)
  await getStatistics()
  expect(counted).toBe(2)
  await Promise.all([getStatistics('?since=2026-01-01'), getStatistics('?since=2026-01-01')])
  expect(counted).toBe(3)
})

test('leaves out stories whose first entry the user has muted', async () => {
  const { ask, ids, store, clock } = await filled()
  const path = '/api/v1/groups?since=2026-03-10&limit=1'
  const storyOf = async () =>
    (await ask(path)).body.groups.map(({ primary }: { primary: { id: number } }) => primary.id)
  const [first] = await storyOf()
  await store.muteEntries(await store.firstUser(), [first], true, clock.now())
  const [second, ...more] = await storyOf()
  expect([ids.a, ids.f]).toContain(second)
  expect(second).not.toBe(first)
  expect(more).toEqual([])
  await store.muteEntries(await store.firstUser(), [second], true, clock.now())
  expect(await storyOf()).toEqual([])
})
