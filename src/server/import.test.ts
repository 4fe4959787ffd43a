/** Importing data of another reader through the API: for every kind of caller, and without disclosing or disturbing what others read. */
import { deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { ACTORS, type Actor, createPrivacyHarness, SECRETS } from '../../test/privacy-harness.ts'
import { createServerFixture, NOW } from '../../test/server-fixture.ts'
import type { ReaderImportShape } from '../api/index.ts'
import { DAY, HOUR } from '../model/index.ts'
import { nextBatch } from '../views/index.ts'
import { createTail } from './stream/tail.ts'

const FEED = 'https://marsh.example/feed'
const BINARY = { 'content-type': 'application/octet-stream' }

const item = (path: string, title: string, state: 'starred' | 'read', feed = FEED) => ({
  title,
  published: (NOW - 2 * DAY) / 1000,
  categories: [`user/1/state/com.google/${state}`, ...(state === 'starred' ? ['user/1/label/Birds'] : [])],
  canonical: [{ href: `https://marsh.example/${path}` }],
  origin: { streamId: `feed/${feed}`, title: 'The Marsh' },
})

const STARS = JSON.stringify({
  items: [item('heron', 'A heron', 'starred'), item('gone', 'Gone', 'starred'), item('reeds', 'Reeds', 'read')],
})
const OPML = `<opml version="2.0"><body><outline text="Nature"><outline text="Water"><outline text="The Marsh" xmlUrl="${FEED}"/></outline></outline><outline xmlUrl="x:1"/></body></opml>`

function fixture() {
  const created = createServerFixture()
  const send = async (body: string | Uint8Array<ArrayBuffer>, query = '', headers: Record<string, string> = BINARY) => {
    const response = await created.app.request(`http://localhost/api/v1/import${query}`, {
      method: 'POST',
      headers,
      body,
    })
    return { status: response.status, report: (await response.json()) as ReaderImportShape & { title: string } }
  }
  const marsh = () =>
    created.addFeed({
      url: FEED,
      title: 'The Marsh',
      entries: [
        { key: 'heron', title: 'A heron', url: 'https://marsh.example/heron', agoMs: 2 * DAY },
        { key: 'reeds', title: 'Reeds', url: 'https://marsh.example/reeds', agoMs: 2 * DAY },
        { key: 'frog', title: 'A frog', url: 'https://marsh.example/frog', agoMs: HOUR },
      ],
    })
  return { ...created, send, marsh }
}

test('reports what would happen, does it, and does nothing when repeated', async () => {
  const { send, marsh, store } = fixture()
  const feedId = await marsh()
  const expected = { existing: 1, added: 0, matched: 2, read: 1, starred: 1, created: 1, missing: 0, labeled: 2 }
  const foreseen = await send(STARS, '?dryRun=true')
  expect(foreseen.report).toMatchObject({ isDryRun: true, totals: expected })
  expect(await store.newestEntryId()).toBe(3)
  const { report } = await send(STARS)
  expect(report).toMatchObject({
    isDryRun: false,
    totals: expected,
    feeds: [
      { url: FEED, feedId, result: 'existing', createdEntries: [{ title: 'Gone', url: 'https://marsh.example/gone' }] },
    ],
  })
  expect((await send(STARS)).report.totals).toMatchObject({ matched: 3, read: 0, starred: 0, created: 0 })
  const user = await store.firstUser()
  expect((await store.readerCounts(user)).starred).toBe(2)
  expect(await store.labelsOf(user)).toEqual([{ name: 'Birds', entries: 2 }])
})

test('entries that are only labeled are kept, too; folders are no labels', async () => {
  const { send, marsh, store } = fixture()
  const [user, feedId] = [await store.firstUser(), await marsh()]
  await store.changeSubscription(user, feedId, { folder: 'Nature / Water' })
  const labeled = (title: string, label: string) => ({
    ...item(title, title, 'read'),
    categories: [`user/1/label/${label}`, 'user/1/label/Water'],
  })
  const { report } = await send(JSON.stringify({ items: [labeled('reeds', 'Plants'), labeled('lost', 'Plants')] }))
  expect(report.totals).toMatchObject({ matched: 1, created: 1, labeled: 2 })
  expect(await store.labelsOf(user)).toEqual([{ name: 'Plants', entries: 2 }])
})

test('follows the feeds of a list in nested folders, and those of starred entries', async () => {
  const { send, store } = fixture()
  const { report } = await send(OPML)
  expect(report).toMatchObject({ totals: { added: 1, skipped: 1 }, feeds: [{ title: 'The Marsh', result: 'added' }] })
  const user = await store.firstUser()
  expect(await store.subscriptionsOf(user, { limit: 9 })).toMatchObject([
    { title: 'The Marsh', folder: 'Nature / Water' },
  ])
  const other = JSON.stringify({
    items: [
      item('1', 'One', 'starred', 'https://pond.example/feed'),
      item('2', 'Two', 'read', 'https://lake.example/feed'),
    ],
  })
  const second = await send(other)
  expect(second.report).toMatchObject({ totals: { added: 1, created: 1, unassigned: 1 }, unassigned: [] })
  expect((await store.subscriptionsOf(user, { limit: 9 })).length).toBe(2)
})

test('a dry run adds no feed, and says what it would add', async () => {
  const { send, store } = fixture()
  const { report } = await send(STARS, '?dryRun=true')
  expect(report).toMatchObject({
    totals: { added: 1, created: 2, waiting: 1 },
    feeds: [{ url: FEED, result: 'added', createdEntries: [{ title: 'A heron' }, { title: 'Gone' }] }],
  })
  expect(report.feeds[0]).not.toHaveProperty('feedId')
  expect(await store.feedAt(FEED)).toBeUndefined()
})

test('reads a ZIP archive of several files', async () => {
  const { send } = fixture()
  const { report } = await send(zipOf({ 'feeds.opml.xml': OPML, 'starred.json': STARS }))
  expect(report.totals).toMatchObject({ added: 1, created: 2, waiting: 1 })
})

test.each<[string, string | Uint8Array<ArrayBuffer>, Record<string, string>, number, string]>([
  ['a web page', '<html><p>no</p></html>', BINARY, 400, 'the file cannot be imported: it is a web page'],
  ['a broken archive', zipOf({ a: 'b' }).slice(0, 60), BINARY, 400, 'the ZIP archive cannot be read'],
  [
    'an archive that unpacks to too much',
    zipOf({ a: ' '.repeat(51_000_000) }),
    BINARY,
    413,
    'the ZIP archive has too many',
  ],
  [
    'an archive of too many files',
    zipOf(Object.fromEntries(Array.from({ length: 2001 }, (_, i) => [`${i}`, '']))),
    BINARY,
    413,
    'the ZIP archive has too many',
  ],
  ['a database', 'SQLite format 3\0', BINARY, 400, 'the file is a database'],
  ['more than 12 MB', ' '.repeat(12 * 1024 * 1024 + 1), BINARY, 413, 'the body is too large'],
  [
    'a form',
    'x=1',
    { 'content-type': 'application/x-www-form-urlencoded' },
    415,
    'requests that change data must be JSON',
  ],
])('an import rejects %s', async (_, body, headers, status, title) => {
  const answer = await fixture().send(body, '', headers)
  expect([answer.status, answer.report.title]).toEqual([status, expect.stringContaining(title)])
})

describe('every kind of caller', () => {
  const ask = async (
    harness: Awaited<ReturnType<typeof createPrivacyHarness>>,
    actor: Actor,
    items: object[],
    query = '',
  ) =>
    harness.ask(actor, `/api/v1/import${query}`, { method: 'POST', headers: BINARY, body: JSON.stringify({ items }) })

  test('imports only with the write scope', async () => {
    const harness = await createPrivacyHarness()
    const statuses: Record<Actor, number> = {
      nobody: 401,
      reader: 403,
      corpus: 403,
      other: 200,
      follower: 200,
      admin: 200,
    }
    for (const actor of ACTORS)
      expect((await ask(harness, actor, [item('heron', 'A heron', 'starred')])).status, actor).toBe(statuses[actor])
  })

  test('sees nothing of feeds that others follow, in a dry run either', async () => {
    const harness = await createPrivacyHarness()
    const urls = ['https://openmark.example/feed', 'https://loginmark.example/feed', 'https://secretmark.example/feed']
    const items = urls.map((url) => ({
      ...item('1', 'openmark news', 'starred', url),
      canonical: [{ href: new URL('/1', url).href }],
    }))
    for (const actor of ['other', 'admin'] as const) {
      const foreseen = await ask(harness, actor, items, '?dryRun=true')
      const { feeds } = JSON.parse(foreseen.text) as ReaderImportShape
      expect(feeds.map(({ result, matched }) => [result, matched])).toEqual(urls.map(() => ['added', 0]))
      for (const secret of SECRETS) expect(foreseen.text).not.toContain(secret)
    }
  })

  test('adds no entries to a feed that another user follows', async () => {
    const harness = await createPrivacyHarness()
    const url = 'https://openmark.example/feed'
    const forged = item('forged', 'Forged news', 'starred', url)
    const { text } = await ask(harness, 'other', [forged])
    const report = JSON.parse(text) as ReaderImportShape
    expect(report.feeds).toMatchObject([
      { created: 0, sharedWithOthers: true, missingStars: [{ title: 'Forged news' }] },
    ])
    expect((await harness.ask('follower', '/api/v1/entries')).text).not.toContain('Forged news')
    const existing = { ...forged, title: 'x', canonical: [{ href: 'https://openmark.example/1' }] }
    expect(JSON.parse((await ask(harness, 'other', [existing])).text).totals).toMatchObject({ matched: 1, starred: 1 })
    const states = await harness.store.entryStates(harness.users.follower, [harness.entries.openmark])
    expect(states).toMatchObject([{ starred: false }])
  })

  test('adds no entries to a feed that freshet.toml lists for everybody', async () => {
    const harness = await createPrivacyHarness()
    await harness.store.changeFeed(harness.feeds.openmark, { listed: true })
    const forged = item('forged', 'Forged news', 'starred', 'https://openmark.example/feed')
    const report = JSON.parse((await ask(harness, 'follower', [forged])).text) as ReaderImportShape
    expect(report.feeds).toMatchObject([{ created: 0, sharedWithOthers: true }])
    for (const actor of ['follower', 'other'] as const)
      expect((await harness.ask(actor, '/api/v1/entries')).text).not.toContain('Forged news')
  })

  test('adds entries to a feed that freshet.toml lists if there are no other users', async () => {
    const { send, marsh, store } = fixture()
    await store.changeFeed(await marsh(), { listed: true })
    expect((await send(STARS)).report.totals).toMatchObject({ created: 1 })
  })
})

test('imported entries are neither streamed nor delivered to webhooks', async () => {
  const { send, marsh, store, search, clock, index } = fixture()
  await marsh()
  const tail = createTail({
    ...store,
    catalogue: store,
    articleCatalogue: store,
    groupCatalogue: store,
    readerState: store,
  } as never)
  await tail.refresh()
  const before = await store.newestEntryId()
  await send(STARS)
  await index()
  await tail.refresh()
  const streamed: unknown[] = []
  for await (const entry of tail.after(before)) streamed.push(entry)
  expect(streamed).toEqual([])
  const parts = {
    catalogue: store,
    articleCatalogue: store,
    groupCatalogue: store,
    readerState: store,
    users: store,
    search,
    clock,
  }
  const batch = await nextBatch({ userId: await store.firstUser() }, before, { query: 'gone OR heron' }, parts as never)
  expect(batch).toMatchObject({ entries: [], cursor: before + 1 })
})

/** An archive as other programs write it. */
function zipOf(files: Record<string, string>): Uint8Array<ArrayBuffer> {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  for (const [name, text] of Object.entries(files)) {
    const packed = deflateRawSync(text)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(8, 8)
    head.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(at, 42)
    local.push(head, Buffer.from(name), packed)
    central.push(entry, Buffer.from(name))
    at += head.length + name.length + packed.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(at, 16)
  return Uint8Array.from(Buffer.concat([...local, ...central, end]))
}
