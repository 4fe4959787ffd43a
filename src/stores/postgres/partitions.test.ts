/** Old data is dropped by month, and migrated data is not mistaken for old. */
import pg from 'pg'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type PostgresServer, postgresForTests } from '../../../test/postgres-server.ts'
import { DAY, type EntryId } from '../../model/index.ts'
import { articleOf, rawPage, readArticle, want } from '../../ports/article-samples.contract.ts'
import type { Store } from '../../ports/index.ts'
import { addFeed, all, draft, record, START } from '../../ports/store-samples.contract.ts'
import { openPostgresStore } from './index.ts'

const { server, reason } = await postgresForTests()
const MONTHS = [0, 31, 62, 93].map((days) => START + days * DAY)

describe.skipIf(!server)(`monthly partitions${reason ? ` (${reason})` : ''}`, () => {
  let store: Store
  let client: pg.Client

  beforeEach(async () => {
    const address = await (server as PostgresServer).freshStore()
    store = (await openPostgresStore({ address, mode: 'write', connections: 3 })).store
    client = new pg.Client({ connectionString: address })
    await client.connect()
    return async () => {
      await client.end()
      await store.close()
    }
  })

  afterAll(async () => server?.close())

  /** All partitions but the first, which is for migrated rows. */
  async function monthsOf(table: string): Promise<string[]> {
    const { rows } = await client.query(
      'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass ORDER BY 1',
      [table],
    )
    return rows.map(({ name }) => name).filter((name) => name !== `${table}_1970_01`)
  }

  async function say(): Promise<EntryId[]> {
    const feedId = await addFeed(store, 'f')
    for (const [i, at] of MONTHS.entries()) await store.recordPolls([record(feedId, at, { fresh: [draft(`e${i}`)] })])
    return (await all(store.everyEntry({}))).map(({ id }) => id)
  }

  it('of polls are dropped as a whole, and the newest one row by row', async () => {
    await say()
    expect(await monthsOf('polls')).toEqual(['polls_2023_11', 'polls_2023_12', 'polls_2024_01', 'polls_2024_02'])
    expect(await store.forget('polls', MONTHS[2]!, 1)).toBe(1) // the limit is not reached, but two partitions were dropped
    expect(await monthsOf('polls')).toEqual(['polls_2024_01', 'polls_2024_02'])
    expect(await store.forget('polls', MONTHS[3]! + 1, 9)).toBe(2)
    expect(await store.forget('polls', MONTHS[3]! + 1, 9)).toBe(0)
    expect(await monthsOf('polls')).toEqual(['polls_2024_02'])
    expect((await store.counts()).polls).toBe(0)
    expect(await store.recordPolls([record((await feedIds())[0]!, MONTHS[3]! + 5)])).toEqual(['recorded'])
  })

  async function feedIds() {
    return (await all(store.everyFeed())).map(({ feed }) => feed.id)
  }

  it('of entries are dropped once all entries are deleted, and their keys stay known', async () => {
    await say()
    expect(await store.forget('entries', MONTHS[2]!, 9)).toBe(2)
    expect(await monthsOf('entries')).toEqual(['entries_2024_01', 'entries_2024_02'])
    const [feedId] = await feedIds()
    const [known] = await store.knownEntries([{ feedId: feedId!, keys: ['e0', 'e1', 'e2'] }])
    expect([known!.get('e0'), known!.get('e1'), known!.get('e2')]).toMatchObject(['forgotten', 'forgotten', {}])
    expect((await store.unindexed(99)).changes.filter(({ entry }) => !entry)).toHaveLength(2)
  })

  it('of pages and texts are dropped likewise, with unused patterns', async () => {
    const ids = await say()
    const body = Buffer.from(Array.from({ length: 2000 }, (_, i) => `<p class="c${i}">${i * 7}</p>`).join(''))
    await store.queueArticles(
      ids.map((id, i) => want(id, `x${i}`, 'page')),
      START,
    )
    for (const [i, id] of ids.entries()) {
      const page = { ...rawPage(MONTHS[i]!, ''), body }
      const { id: articleId } = await articleOf(store, id)
      await store.recordArticles([readArticle(articleId, MONTHS[i]!, { page })])
    }
    // Late rows are numbered in the newest month, so they are deleted row by row.
    expect(await monthsOf('pages')).toHaveLength(4)
    const before = (await store.counts()).articles
    expect(before.pages).toBe(4)
    expect(await store.forget('pages', MONTHS[3]!, 99)).toBe(3)
    expect((await store.counts()).articles.pages).toBe(1)
    expect(await store.forget('pages', MONTHS[3]! + 1, 99)).toBe(1)
    expect((await store.counts()).articles).toMatchObject({ pages: 0, pageBytes: 0 })
    expect((await client.query('SELECT count(*)::int AS n FROM page_patterns')).rows[0].n).toBe(0)
    expect(await store.forget('articles', MONTHS[3]! + 1, 99)).toBe(4)
    expect((await store.counts()).articles.textBytes).toBe(0)
    expect(await monthsOf('article_texts')).toEqual(['article_texts_2024_02'])
  })

  it('of pages are dropped with their patterns, except for those that a later page uses', async () => {
    const feedId = await addFeed(store, 'f')
    const body = Buffer.from(Array.from({ length: 2000 }, (_, i) => `<p class="c${i}">${i * 7}</p>`).join(''))
    for (const [i, at] of MONTHS.entries()) {
      await store.recordPolls([record(feedId, at, { fresh: [draft(`e${i}`)] })])
      const id = (await store.newestEntryId()) as EntryId
      const site = i === 0 ? 'alone' : 'shared'
      await store.queueArticles([want(id, site, `${i}`)], at)
      const article = await articleOf(store, id)
      await store.recordArticles([
        readArticle(article.id, at, { page: { ...rawPage(at, ''), url: article.url, body } }),
      ])
    }
    expect(await store.forget('pages', MONTHS[2]!, 9)).toBe(2)
    expect(await monthsOf('pages')).toEqual(['pages_2024_01', 'pages_2024_02'])
    expect((await client.query('SELECT count(*)::int AS n FROM page_patterns')).rows[0].n).toBe(1)
    const [, , third] = await all(store.everyEntry({}))
    const article = await articleOf(store, third!.id)
    expect(Buffer.compare((await store.rawPage(article.id))!.body, body)).toBe(0)
    const { rows } = await client.query(
      'SELECT (SELECT sum(octet_length(packed)) FROM pages) + (SELECT sum(octet_length(packed)) FROM page_patterns) AS bytes',
    )
    expect((await store.counts()).articles.pageBytes).toBe(Number(rows[0].bytes))
  })

  it('are left for the next call while another session reads', async () => {
    await say()
    await client.query('BEGIN; SELECT 1 FROM polls LIMIT 1')
    expect(await store.forget('polls', MONTHS[2]!, 9)).toBe(2)
    expect(await monthsOf('polls')).toHaveLength(4)
    await client.query('COMMIT')
    expect(await store.forget('polls', MONTHS[2]!, 9)).toBe(0)
    expect(await monthsOf('polls')).toHaveLength(2)
  })
})
