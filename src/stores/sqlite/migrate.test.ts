/** Schema migrations, and stores of older versions. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DAY, type FeedId, type GroupId } from '../../model/index.ts'
import { parsedQuery } from '../../ports/search-query.fixture.ts'
import { draft, newFeed, record, START } from '../../ports/store-samples.contract.ts'
import { packArticleContent } from '../sql/article-rows.ts'
import { openSqliteStore } from './index.ts'
import { migrate, readMigrations } from './migrate.ts'
import { expectRecounted } from './recount.fixture.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'freshet-'))
  file = join(folder, 'store.db')
})

afterEach(() => rmSync(folder, { recursive: true }))

const open = (migrations?: string[]) =>
  openSqliteStore({ file, mode: 'write', now: () => START, ...(migrations && { migrations }) }).store

function shape(): unknown {
  const db = new Database(file, { readonly: true })
  try {
    return db.pragma('user_version', { simple: true })
  } finally {
    db.close()
  }
}

it('migrates an older store to the newest schema and keeps its data', async () => {
  const store = open()
  await store.addFeeds([newFeed('a')])
  await store.close()
  const newest = readMigrations().length

  const later = [...readMigrations(), 'ALTER TABLE feeds ADD COLUMN mood TEXT', "UPDATE feeds SET mood = 'fine'"]
  const again = open(later)
  expect((await again.counts()).feeds.active).toBe(1)
  await again.close()
  expect(shape()).toBe(newest + 2)
})

it('leaves the file unchanged when a migration fails', async () => {
  const store = open()
  await store.addFeeds([newFeed('a')])
  await store.close()
  const before = readFileSync(file)

  const broken = 'CREATE TABLE half (x); INSERT INTO half VALUES (1); DROP TABLE feeds; SELECT nonsense FROM nowhere;'
  expect(() => open([...readMigrations(), broken])).toThrow(/schema version \d+; it was left unchanged/)
  expect(readFileSync(file)).toEqual(before)

  const again = open() // the lock is free
  expect((await again.counts()).feeds.active).toBe(1)
  await again.close()
})

it('keeps the migrations that succeeded before one that failed', async () => {
  await open().close()
  const newest = readMigrations().length
  expect(() => open([...readMigrations(), 'CREATE TABLE fine (x)', 'nonsense'])).toThrow(`schema version ${newest + 2}`)
  expect(shape()).toBe(newest + 1)
})

it('can be opened after the first migration failed', async () => {
  expect(() => open(['CREATE TABLE half (x); nonsense'])).toThrow(/schema version 1/)
  const store = open()
  expect((await store.addFeeds([newFeed('a')]))[0]?.added).toBe(true)
  await store.close()
})

it('counts what each feed of an older store brought in its last days', async () => {
  const store = open()
  const [{ id } = { id: 0 as FeedId }] = await store.addFeeds([newFeed('a')])
  await store.recordPolls([record(id, START, { fresh: [draft('x'), draft('y')] })])
  await store.recordPolls([record(id, START + 5 * DAY, { fresh: [draft('z')] })])
  await store.close()
  const filling = readMigrations().find((sql) => sql.includes('CREATE TABLE feed_hours'))!
  const undone = `DROP TABLE feed_hours; DROP INDEX robots_by_root;
    ALTER TABLE robots DROP COLUMN root; ALTER TABLE robots DROP COLUMN bytes;`
  const since = readMigrations().filter((sql) => sql.includes('ALTER TABLE feed_hours'))
  const again = open([...readMigrations(), undone + filling, ...since])
  expect(await again.countStoredSince([id], 0)).toMatchObject([{ entries: 1 }])
  await again.close()
})

it('keeps the groups of an older store, and computes their distances anew', async () => {
  const all = readMigrations()
  const before = all.slice(
    0,
    all.findIndex((sql) => sql.includes('DROP COLUMN distance')),
  )
  const db = new Database(file)
  migrate(db, file, before)
  db.exec('INSERT INTO groups VALUES (5, 0, 1, 40, 80, 1, 40), (6, 1, 1, 2, 2, 1, 2)')
  const entry = db.prepare(
    "INSERT INTO entries (id, feed_id, key_hash, sort_at, seen_at, key, title) VALUES (?, 1, ?, 0, 0, '', '')",
  )
  const member = db.prepare('INSERT INTO members VALUES (?, ?, ?, ?, 0, ?, ?, 0, 1, 0.5, ?)')
  for (let id = 1; id <= 40; id++) {
    entry.run(id, id)
    member.run(id, 0, 5, id, id === 1 ? 0 : 3, id === 1 ? 0 : 2, 'same text')
    if (id <= 2) member.run(id, 1, 6, id, id === 1 ? 0 : 3, id === 1 ? 0 : 2, 'same event')
  }
  db.close()

  const store = open()
  const groups = () => store.groupsById([5, 6] as GroupId[])
  expect(await groups()).toMatchObject([
    { size: 40, distanceSum: 62 },
    { size: 2, distanceSum: 2 },
  ])
  const shown = { entryId: 40, at: 40, distance: 2, comparedBy: 'entry', likeId: 1, likeness: 0.5, reason: 'same text' }
  expect((await store.members(5 as GroupId, 99)).at(-1)).toEqual(shown)
  await store.forget('entries', 1, 1)
  expect(await groups()).toMatchObject([{ size: 39, primaryId: 2, distanceSum: 0 }, undefined])
  await store.close()
})

it('rebuilds the search index of an older store', async () => {
  const all = readMigrations()
  const before = all.findIndex((sql) => sql.includes('CREATE TABLE entry_beginnings'))
  const db = new Database(file)
  migrate(db, file, all.slice(0, before))
  db.exec(`
    INSERT INTO entries (id, feed_id, key_hash, sort_at, seen_at, key, title)
      VALUES (1, 1, 1, 0, 0, '', 'river'), (2, 1, 2, 0, 0, '', 'rivet');
    INSERT INTO entry_places VALUES (0, 1, 1), (1, 2, 1);
    INSERT INTO entry_words (rowid, title) VALUES (0, 'river'), (1, 'rivet');
  `)
  db.close()

  const { store, search } = openSqliteStore({ file, mode: 'write', now: () => START })
  const { changes } = await store.unindexed(9)
  expect(changes.map(({ id }) => id)).toEqual([2, 1])
  const of = { feedId: 1 as FeedId, at: 0, text: '', names: [], language: 'en', category: 'uncategorized' }
  await search.put(changes.map(({ id, entry }) => ({ id, title: entry!.title, ...of })))
  const found = async (typed: string) =>
    (await search.find(parsedQuery(typed), 9, { order: 'date' })).map(({ id }) => id)
  expect([await found('ri*'), await found('river')]).toEqual([[2, 1], [1]])
  await store.close()
})

it('keeps the articles of an older store, and counts them', async () => {
  const all = readMigrations()
  const triggers = all.findIndex((sql) => sql.includes('DROP TRIGGER'))
  await fillWithArticles(all.slice(0, triggers))

  const store = open()
  const { articles, entries, feeds } = await store.counts()
  expect([entries, feeds.active, articles.waiting, articles.read, articles.pages]).toEqual([3, 1, 1, 1, 1])
  expectRecounted(file, await store.counts())
  await store.forget('entries', 2, 9)
  expect((await store.counts()).articles).toMatchObject({ waiting: 1, read: 1, pages: 1 })
  await store.forget('entries', 3, 9)
  expect((await store.counts()).articles).toEqual({
    ...{ waiting: 1, read: 0, refused: 0, failed: 0 },
    ...{ pages: 0, textBytes: 0, pageBytes: 0 },
  })
  expectRecounted(file, await store.counts())
  await store.removeFeed(1 as FeedId)
  expect((await store.nextDue()).articleAt).toBeUndefined()
  expectRecounted(file, await store.counts())
  await store.close()
})

it('has no triggers', async () => {
  await open().close()
  const db = new Database(file, { readonly: true })
  expect(db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all()).toEqual([])
  db.close()
})

it('moves credentials out of the addresses of an older store', async () => {
  const all = readMigrations()
  const before = all.slice(
    0,
    all.findIndex((sql) => sql.includes('login_in(')),
  )
  fillOldStore(before)

  const store = open()
  const feeds = await store.feeds({ order: 'id', limit: 9 })
  expect(feeds.map(({ feed }) => [feed.url, feed.credentials])).toEqual([
    ['https://a.example/feed', { user: 'ada', password: 's3cret:@' }],
    ['https://b.example/feed', undefined],
    ['https://b.example/feed#3', { user: 'bob', password: 's3cret' }],
    ['https://c.example/@c', undefined],
  ])
  expect((await store.feeds({ order: 'id', text: 'a.example/feed', limit: 9 })).map(({ feed }) => feed.id)).toEqual([1])
  expect(await store.sources({ limit: 9 })).toMatchObject([
    { url: 'https://a.example/', credentials: { user: 'ada', password: 's3cret' }, others: ['https://a.example/2'] },
  ])
  const key = 'https://a.example/1'
  const [known] = await store.knownEntries([{ feedId: feeds[0]!.feed.id, keys: [key] }])
  expect(known!.get(key)).toMatchObject({ title: 'one', url: key })
  expect(await store.hubSubscriptionsOf([feeds[0]!.feed.id])).toEqual([undefined])
  await store.close()

  const db = new Database(file, { readonly: true })
  for (const table of ['feeds', 'sources', 'schedules', 'entries', 'polls', 'hub_subscriptions'])
    for (const { credentials: _, ...row } of db.prepare(`SELECT * FROM ${table}`).all() as Record<string, unknown>[])
      expect(JSON.stringify(row)).not.toContain('s3cret')
  db.close()
})

/** Two entries that share an article page, which was read, and another whose page waits. Triggers still update the counters. */
async function fillWithArticles(migrations: string[]): Promise<void> {
  const text = await packArticleContent({ facts: { words: 1 }, text: 'word', html: '<p>word</p>' })
  const db = new Database(file)
  migrate(db, file, migrations)
  db.exec(`
    INSERT INTO feeds (url, root, title, subscribers, added_at, haystack) VALUES ('https://a.example/', 'a.example', 't', 1, 0, 't');
    INSERT INTO schedules (feed_id, state, due_at, failures, strategy, memory) VALUES (1, 'active', 0, 0, 'fixed', x'');
    INSERT INTO entries (feed_id, key_hash, sort_at, seen_at, key, title) VALUES
      (1, 1, 1, 1, 'a', ''), (1, 2, 2, 2, 'b', ''), (1, 3, 3, 3, 'c', '');
    UPDATE counters SET active = 1, unpolled = 1, entries = 3;
    INSERT INTO articles (url_hash, state, wanted_at, news_at, due_at, fetched_at, same_as, root, url) VALUES
      (1, 'read', 1, 2, NULL, 5, NULL, 'a.example', 'https://a.example/1'),
      (2, 'same', 1, 2, NULL, NULL, 1, 'a.example', 'https://a.example/2'),
      (3, 'waiting', 1, 3, 3, NULL, NULL, 'a.example', 'https://a.example/3');
    INSERT INTO article_lines (root, not_before_at, due_at) VALUES ('a.example', 0, 3);
    INSERT INTO article_entries VALUES (1, 1), (2, 1), (3, 3);
    INSERT INTO page_patterns VALUES (1, 'a.example', 0, x'0102');
    INSERT INTO pages VALUES (1, 5, 1, 0, x'030405');
  `)
  db.prepare('INSERT INTO article_texts VALUES (1, 5, ?, ?)').run(text.codec, text.packed)
  db.close()
}

/** A store as earlier versions wrote it, with all that they stored of a private feed. */
function fillOldStore(migrations: string[]): void {
  const db = new Database(file)
  migrate(db, file, migrations)
  const feed = db.prepare(
    "INSERT INTO feeds (url, root, title, subscribers, added_at, haystack) VALUES (?, 'x.example', 't', 1, 0, ?)",
  )
  const schedule = db.prepare(
    "INSERT INTO schedules (feed_id, state, due_at, failures, strategy, memory, trouble) VALUES (?, 'active', 0, 0, 'fixed', x'', ?)",
  )
  const urls = [
    'https://ada:s3cret%3A%40@a.example/feed',
    'https://b.example/feed',
    'https://bob:s3cret@b.example/feed',
    'https://c.example/@c',
  ]
  const trouble = JSON.stringify({ kind: 'no-feed-found', detail: 'the page names http://ada:s3cret@a.example/x' })
  for (const url of urls) schedule.run(feed.run(url, `t\n${url}`).lastInsertRowid, trouble)
  db.prepare(
    `INSERT INTO sources (url, root, added_at, state, due_at, failures, trouble, others)
     VALUES ('https://ada:s3cret@a.example/', 'a.example', 0, 'looking', 0, 0, ?, '["https://ada:s3cret@a.example/2"]')`,
  ).run(trouble)
  db.prepare(
    `INSERT INTO entries (feed_id, key_hash, sort_at, seen_at, key, url, title, content)
     VALUES (1, 1, 0, 0, 'https://ada:s3cret@a.example/1', 'https://ada:s3cret@a.example/1', 'one', '<img src="https://ada:s3cret@a.example/p">')`,
  ).run()
  db.prepare('INSERT INTO polls (feed_id, at, took_ms, bytes, result, failure) VALUES (1, 0, 0, 0, 0, ?)').run(trouble)
  db.prepare("INSERT INTO pushes VALUES ('t', 1, 'active', 0, ?)").run('{"topic":"https://ada:s3cret@a.example/feed"}')
  db.close()
}
