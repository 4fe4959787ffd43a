/** Counters, for large deletions and rollbacks. Random actions are tested in matches-memory.test.ts. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ArticleId, EntryId, FeedId } from '../../model/index.ts'
import { failedArticle, rawPage, readArticle, sameArticle, want } from '../../ports/article-samples.contract.ts'
import type { Store } from '../../ports/index.ts'
import { draft, newFeed, POISON, record, START } from '../../ports/store-samples.contract.ts'
import { openSqliteStore } from './index.ts'
import { expectRecounted } from './recount.fixture.ts'

let folder: string
let file: string
let store: Store

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'freshet-'))
  file = join(folder, 'store.db')
  store = openSqliteStore({ file, mode: 'write', now: () => START }).store
})

afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

async function recount(): Promise<void> {
  expectRecounted(file, await store.counts())
}

/** A feed with entries, each with its own article page on a site whose pages share a pattern. */
async function fill(name: string, entries: number): Promise<{ feedId: FeedId; ids: ArticleId[] }> {
  const [{ id: feedId } = { id: 0 as FeedId }] = await store.addFeeds([newFeed(name)])
  const fresh = Array.from({ length: entries }, (_, i) => draft(`${i}`))
  const wanted = fresh.map(({ key }) => ({ key, ...page(name, key) }))
  await store.recordPolls([record(feedId, START, { fresh, articles: wanted })])
  const found = await store.entries({ feedId, limit: entries })
  const articles = await store.articlesOfEntries(found.map(({ id }) => id))
  return { feedId, ids: articles.map((article) => article!.id).sort((a, b) => a - b) }
}

function page(name: string, path: string) {
  const { url, root } = want(0 as EntryId, name, path)
  return { url, root }
}

const LONG = 'a word or two, '.repeat(400)

function reading(id: ArticleId, at: number) {
  return readArticle(id, at, { text: `${LONG} ${id}`, page: rawPage(at, `${LONG} ${id}`) })
}

it('counts down with each chunk of a feed that is deleted', async () => {
  const { feedId, ids } = await fill('large', 250)
  await store.recordArticles(ids.slice(0, 30).map((id) => reading(id, START + 1)))
  await store.recordArticles(ids.slice(30, 40).map((id) => failedArticle(id, START + 1)))
  await store.recordArticles(ids.slice(40, 50).map((id) => sameArticle(id, START + 1, ids[0]!)))
  await recount()
  await store.removeFeed(feedId)
  for (let chunk = 1; chunk > 0; chunk = await store.sweepRemoved(60)) await recount()
  const { articles, entries, polls } = await store.counts()
  expect([...Object.values(articles), entries, polls]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0])
})

it('counts pages that share a pattern correctly when some are replaced or dropped', async () => {
  const { ids } = await fill('site', 6)
  for (const [i, id] of ids.entries()) await store.recordArticles([reading(id, START + 1 + i)])
  await recount()
  await store.recordArticles([reading(ids[0]!, START + 20), readArticle(ids[1]!, START + 20, { noArchive: true })])
  await recount()
  const { pageBytes } = (await store.counts()).articles
  expect(await store.trim('pages', pageBytes - 1, 9)).toBe(1)
  await recount()
  await store.forget('articles', START + 5, 9)
  await store.forget('pages', START + 99, 9)
  await recount()
  expect((await store.counts()).articles).toMatchObject({ read: 6, pages: 0, pageBytes: 0 })
})

it('deletes a pattern with the last page that uses it, also if that page gets another', async () => {
  const { ids } = await fill('rebuilt', 1)
  await store.recordArticles([reading(ids[0]!, START + 1)])
  const noise = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * i * 31 + (i >> 3)) & 255))
  const rebuilt = { ...rawPage(START + 2, ''), body: noise }
  await store.recordArticles([readArticle(ids[0]!, START + 2, { page: rebuilt })])
  await recount()
  await store.recordArticles([readArticle(ids[0]!, START + 3, { page: rawPage(START + 3, 'small') })])
  await recount()
})

it('does not count what was rolled back', async () => {
  const { ids } = await fill('undone', 3)
  const before = await store.counts()
  await expect(store.recordArticles([reading(ids[0]!, START + 1), POISON])).rejects.toThrow()
  expect((await store.counts()).articles).toEqual(before.articles)
  await recount()
})

it('has one counter per name, however much is stored', async () => {
  const rows = () => {
    const db = new Database(file, { readonly: true })
    const found = db.prepare('SELECT count(*) FROM counters').pluck().get()
    db.close()
    return found
  }
  expect(rows()).toBe(15)
  for (const name of ['a', 'b', 'c']) await fill(name, 100)
  expect(rows()).toBe(15)
})

/** A feed with more entries than are counted at once. */
async function fillLarge(): Promise<FeedId> {
  const [{ id: feedId } = { id: 0 as FeedId }] = await store.addFeeds([newFeed('huge')])
  for (let at = 0; at < 12; at++) {
    const fresh = Array.from({ length: 1000 }, (_, i) => draft(`${at} ${i}`))
    await store.recordEntries([{ feedId, at: START + at, fresh, changed: [] }])
  }
  return feedId
}

it('stops counting the entries of a large feed as soon as it is removed', async () => {
  await store.removeFeed(await fillLarge())
  expect((await store.counts()).entries).toBe(0)
  await recount()
})

it.each([0, 1, 2])(
  'counts no entry twice after a crash or a sweep during the count (after %i turns)',
  async (turns) => {
    const feedId = await fillLarge()
    const removed = store.removeFeed(feedId)
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
    if (turns > 0) await store.sweepRemoved(5000)
    else {
      await store.close()
      await removed.catch(() => {})
      store = openSqliteStore({ file, mode: 'write', now: () => START }).store
      expect((await store.counts()).entries).toBeGreaterThan(0)
    }
    while ((await store.sweepRemoved(5000)) > 0);
    await removed.catch(() => {})
    expect((await store.counts()).entries).toBe(0)
    await recount()
  },
)
