/** Store contract: read articles, their texts and pages, lookup and retention. */
import { expect } from 'vitest'
import { address } from '../model/address.fixture.ts'
import type { ArticleFacts, ArticleId, Entry, EntryId, StoredArticle } from '../model/index.ts'
import { articleOf, failedArticle, rawPage, readArticle, sameArticle, want } from './article-samples.contract.ts'
import type { Store } from './index.ts'
import { expectCounts } from './store-expectations.contract.ts'
import type { Promised } from './store-promise.contract.ts'
import { addFeed, all, draft, POISON, record, START } from './store-samples.contract.ts'

const FACTS: ArticleFacts = {
  title: 'Ein Titel “mit” Zeichen',
  authors: ['A. Author', 'B'],
  date: {
    at: START - 5,
    from: 'page',
    trust: 0.9,
    notes: [{ of: 'feed', fault: 'zone', done: 'corrected', byMs: 3_600_000 }],
  },
  published: { at: START - 5, dateOnly: false, from: 'json-ld', trust: 0.95 },
  modified: { at: START - 4, dateOnly: true, from: 'text', trust: 0.5 },
  language: 'de',
  category: 'politics',
  image: 'https://x.example/image.jpg',
  siteName: 'X',
  section: 'Politik',
  keywords: ['a', 'b'],
  description: 'What it is about',
  paywall: 'metered',
  words: 4711,
}

export function articlePromises(promised: Promised): void {
  promised('stores everything read from a page', async (store) => {
    const [a] = await articles(store, 'a')
    const content = { text: 'Erster Absatz.\n\nZweiter 漢字.', html: '<p>Erster Absatz.</p><p>Zweiter 漢字.</p>' }
    const page = rawPage(START + 9, 'x')
    const result = { kind: 'read', pageUrl: address('https://x.example/b'), facts: FACTS, content, page } as const
    expect(await store.recordArticles([{ id: a!.id, at: START + 9, queueDueAt: START + 20, result }])).toEqual([true])
    const { dueAt: _, ...waiting } = a!
    const read: StoredArticle = {
      ...waiting,
      state: 'read',
      triedAt: START + 9,
      fetchedAt: START + 9,
      reads: 1,
      pageUrl: address('https://x.example/b'),
      facts: FACTS,
    }
    expect(await store.articlesById([a!.id, 999 as ArticleId])).toStrictEqual([read, undefined])
    const context = await store.articleContext(
      [a!.id, 999 as ArticleId],
      ['https://x.example/b', 'https://x.example/c'],
    )
    const [[first]] = (await store.entriesOfArticles([a!.id])) as [[Entry]]
    const [scheduled] = await store.feedsById([first.feedId])
    expect(context).toStrictEqual({
      articles: [read, undefined],
      firsts: [first, undefined],
      links: [[{ entryId: first.id, feedId: first.feedId }], []],
      feeds: [scheduled!.feed],
      atAddresses: [read],
    })
    expect(await store.articleTexts([999 as ArticleId, a!.id])).toStrictEqual([undefined, content])
    const storedPage = await store.rawPage(a!.id)
    expect({ ...storedPage, body: Buffer.from(storedPage!.body) }).toEqual({ ...page, body: Buffer.from(page.body) })
    const { textBytes, pageBytes } = (await store.counts()).articles
    expect(Math.min(textBytes, pageBytes)).toBeGreaterThan(0)
  })

  promised('gives entries without a title that of their page', async (store) => {
    const feedId = await addFeed(store, 'f')
    const fresh = [draft('untitled', { title: '' }), draft('titled', { title: 'Own' })]
    await store.recordPolls([record(feedId, START, { fresh })])
    const entries = await store.entries({ limit: 9 })
    await store.queueArticles(
      entries.map(({ id, key }) => want(id, 'x', key)),
      START,
    )
    for (const { id } of entries) {
      const { result, ...rest } = readArticle((await articleOf(store, id)).id, START + 1)
      const read = result as typeof result & { kind: 'read' }
      await store.recordArticles([{ ...rest, result: { ...read, title: "The page's" } }])
    }
    const titles = (await store.entries({ limit: 9 })).map(({ key, title }) => [key, title])
    expect(Object.fromEntries(titles)).toEqual({ untitled: "The page's", titled: 'Own' })
  })

  promised('stores similar, different, empty and large pages of a site', async (store) => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const read = await articles(store, ...names)
    const noise = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * i * 31 + (i >> 3)) & 255))
    const alike = Buffer.from(
      `<html>${Array.from({ length: 2000 }, (_, i) => `<p class="c${i}">${i * 7}</p>`).join('')}`,
    )
    const bodies = [alike, Buffer.concat([alike, Buffer.from('and more')]), Buffer.alloc(0), noise, noise, alike]
    for (const [i, body] of bodies.entries())
      await store.recordArticles([readArticle(read[i]!.id, START + i, { page: { ...rawPage(START + i, ''), body } })])
    for (const [i, body] of bodies.entries())
      expect(Buffer.compare((await store.rawPage(read[i]!.id))!.body, body), names[i]!).toBe(0)
    expect(await store.trim('pages', 0, 3)).toBe(3)
    for (const i of [3, 4, 5])
      expect(Buffer.compare((await store.rawPage(read[i]!.id))!.body, bodies[i]!), names[i]!).toBe(0)
  })

  promised('keeps a page intact while other pages of its site are dropped', async (store) => {
    const [a, b, c] = await articles(store, 'a', 'b', 'c')
    const body = Buffer.from(Array.from({ length: 2000 }, (_, i) => `<p class="c${i}">${i * 7}</p>`).join(''))
    const reading = (id: ArticleId, at: number) => readArticle(id, at, { page: { ...rawPage(at, ''), body } })
    await store.recordArticles([reading(a!.id, START)])
    const [recorded] = await Promise.all([
      store.recordArticles([reading(b!.id, START + 1), reading(c!.id, START + 1)]),
      store.forget('pages', START + 1, 9),
    ])
    expect(recorded).toEqual([true, true])
    await store.forget('pages', START + 1, 9)
    for (const { id } of [b!, c!]) expect(Buffer.compare((await store.rawPage(id))!.body, body)).toBe(0)
    expect(await store.rawPage(a!.id)).toBeUndefined()
  })

  promised('writes a record once, and all records of an array or none', async (store) => {
    const [a, b] = await articles(store, 'a', 'b')
    const one = readArticle(a!.id, START + 5, { text: 'first' })
    expect(await store.recordArticles([one, one, readArticle(999 as ArticleId, START)])).toEqual([true, false, false])
    expect(await store.recordArticles([readArticle(a!.id, START + 4, { text: 'earlier' })])).toEqual([false])
    expect(await store.articleTexts([a!.id])).toMatchObject([{ text: 'first' }])
    await expect(store.recordArticles([readArticle(b!.id, START + 5), POISON])).rejects.toThrow()
    expect(await store.articlesById([b!.id])).toMatchObject([{ state: 'waiting' }])
  })

  promised('keeps the content when a later fetch fails, and deletes it when refused', async (store) => {
    const [a, b] = await articles(store, 'a', 'b')
    await store.recordArticles([readArticle(a!.id, START), readArticle(b!.id, START)])
    await store.recordArticles([failedArticle(a!.id, START + 1), failedArticle(b!.id, START + 1, { state: 'refused' })])
    expect(await store.articlesById([a!.id, b!.id])).toMatchObject([
      { state: 'read', failures: 1, trouble: { kind: 'http', status: 404 }, facts: { words: 3 } },
      { state: 'refused' },
    ])
    expect(await store.articleTexts([a!.id, b!.id])).toMatchObject([{ text: `text of ${a!.id}` }, undefined])
    expect(await store.rawPage(b!.id)).toBeUndefined()
    await expectCounts(store, {
      feeds: { active: 1 },
      entries: 2,
      polls: 1,
      articles: { read: 1, refused: 1, pages: 1 },
    })
  })

  promised('does not store pages that forbid it, and deletes stored ones', async (store) => {
    const [a] = await articles(store, 'a')
    await store.recordArticles([readArticle(a!.id, START)])
    await store.recordArticles([readArticle(a!.id, START + 1, { noArchive: true })])
    expect(await store.rawPage(a!.id)).toBeUndefined()
    expect(await store.articlesById([a!.id])).toMatchObject([{ noArchive: true, reads: 2 }])
    await store.recordArticles([readArticle(a!.id, START + 2)])
    expect(await store.articlesById([a!.id])).not.toMatchObject([{ noArchive: true }])
  })

  promised('queues authors of articles for the search index', async (store) => {
    const [a] = await articles(store, 'a')
    const one = readArticle(a!.id, START)
    if (one.result.kind === 'read') one.result.facts = { ...one.result.facts, authors: ['Ann Other'] }
    await store.recordArticles([one])
    expect((await store.unindexed(9)).changes).toMatchObject([{ text: `text of ${a!.id}`, authors: ['Ann Other'] }])
  })

  promised('queues article texts and their removal for the search index', async (store) => {
    const [a, b] = await articles(store, 'a', 'b')
    await store.markIndexed((await store.unindexed(9)).positions)
    await store.recordArticles([readArticle(a!.id, START, { text: 'words' })])
    expect(await unindexed(store)).toEqual([['a', 'words']])
    await store.recordArticles([sameArticle(b!.id, START, a!.id)])
    expect(await unindexed(store)).toEqual([
      ['a', 'words'],
      ['b', 'words'],
    ])
    await store.markIndexed((await store.unindexed(9)).positions)
    await store.forget('articles', START + 1, 9)
    expect(await unindexed(store)).toEqual([
      ['a', undefined],
      ['b', undefined],
    ])
  })

  promised('scans all read articles in order, with their entries', async (store) => {
    const [a, b, c] = await articles(store, 'a', 'b', 'c')
    await store.recordArticles([
      readArticle(c!.id, START + 3),
      readArticle(a!.id, START + 1),
      failedArticle(b!.id, START),
    ])
    const every = await all(store.everyArticle({}))
    expect(every.map(({ article, text }) => [article.id, text])).toEqual([
      [a!.id, `text of ${a!.id}`],
      [c!.id, `text of ${c!.id}`],
    ])
    expect(every[0]).toStrictEqual({
      article: (await store.articlesById([a!.id]))[0],
      text: `text of ${a!.id}`,
      html: `<p>text of ${a!.id}</p>`,
      entryIds: (await store.entriesOfArticles([a!.id]))[0]!.map(({ id }) => id),
    })
    expect((await all(store.everyArticle({ since: START + 3 }))).map(({ article }) => article.id)).toEqual([c!.id])
    const other = await addFeed(store, 'other')
    const [scheduled] = await store.feeds({ order: 'id', limit: 1 })
    expect(await all(store.everyArticle({ feedId: other }))).toEqual([])
    expect(await all(store.everyArticle({ feedId: scheduled!.feed.id }))).toHaveLength(2)
  })

  promised('deletes pages by age and size, oldest first, and keeps texts', async (store) => {
    const [a, b, c] = await articles(store, 'a', 'b', 'c')
    for (const [i, { id }] of [a!, b!, c!].entries()) await store.recordArticles([readArticle(id, START + i)])
    expect(await store.forget('pages', START, 9)).toBe(0)
    expect(await store.forget('pages', START + 9, 1)).toBe(1)
    expect([await store.rawPage(a!.id), (await store.rawPage(b!.id))?.status]).toEqual([undefined, 200])
    expect(await store.trim('pages', 1_000_000, 9)).toBe(0)
    expect(await store.trim('pages', (await store.counts()).articles.pageBytes - 1, 9)).toBe(1)
    expect([await store.rawPage(b!.id), (await store.rawPage(c!.id))?.status]).toEqual([undefined, 200])
    expect(await store.trim('pages', 0, 9)).toBe(1)
    expect((await store.counts()).articles).toMatchObject({ read: 3, pages: 0, pageBytes: 0 })
    expect(await store.articleTexts([a!.id])).toMatchObject([{ text: `text of ${a!.id}` }])
  })

  promised('deletes articles by age, and does not fetch them again', async (store) => {
    const [a, b] = await articles(store, 'a', 'b')
    await store.recordArticles([readArticle(a!.id, START + 1), readArticle(b!.id, START)])
    expect(await store.forget('articles', START + 2, 1)).toBe(1)
    expect(await store.articleTexts([a!.id, b!.id])).toMatchObject([{}, undefined])
    expect(await store.forget('articles', START + 2, 9)).toBe(1)
    expect(await store.forget('articles', START + 2, 9)).toBe(0)
    expect((await store.articlesById([a!.id]))[0]).toMatchObject({ state: 'read', reads: 1 })
    expect((await store.articlesById([a!.id]))[0]).not.toHaveProperty('facts')
    expect((await store.counts()).articles).toMatchObject({ read: 2, pages: 0, textBytes: 0, pageBytes: 0 })
    expect((await store.nextDue()).articleAt).toBeUndefined()
  })

  promised('deletes an article without entries', async (store) => {
    const [a, b] = await articles(store, 'a', 'b')
    const [ea, eb] = (await all(store.everyEntry({}))).map(({ id }) => id)
    await store.recordArticles([readArticle(a!.id, START), sameArticle(b!.id, START, a!.id)])
    await store.queueArticles([want(ea!, 'elsewhere')], START)
    expect(await store.articlesById([a!.id])).toMatchObject([{ state: 'read' }])
    await store.queueArticles([want(eb!, 'elsewhere')], START)
    expect(await store.articlesById([a!.id, b!.id])).toEqual([undefined, undefined])
    expect(await store.rawPage(a!.id)).toBeUndefined()
    const { id } = await articleOf(store, ea!)
    await store.forget('entries', START + 1, 1)
    expect(await store.articlesById([id])).toMatchObject([{ state: 'waiting' }])
    const [scheduled] = await store.feeds({ order: 'id', limit: 1 })
    await store.removeFeed(scheduled!.feed.id)
    expect(await store.articlesById([id])).toEqual([undefined])
    expect((await store.nextDue()).articleAt).toBeUndefined()
    await expectCounts(store, {})
  })

  promised('reports disk usage by kind', async (store) => {
    const diskUsage = await store.diskUsage()
    expect(Object.values(diskUsage).every((bytes) => bytes >= 0)).toBe(true)
  })
}

/** Adds a feed whose entries have these keys, each with a waiting article. */
async function articles(store: Store, ...keys: string[]): Promise<StoredArticle[]> {
  const feedId = await addFeed(store, 'f')
  await store.recordPolls([record(feedId, START, { fresh: keys.map((key) => draft(key)) })])
  const entryIds = (await all(store.everyEntry({}))).map(({ id }) => id)
  await store.queueArticles(
    entryIds.map((id, i) => want(id, 'x', keys[i])),
    START,
  )
  return Promise.all(entryIds.map((id: EntryId) => articleOf(store, id)))
}

async function unindexed(store: Store): Promise<[string | undefined, string | undefined][]> {
  return (await store.unindexed(9)).changes.map(({ entry, text }) => [entry?.key, text])
}
