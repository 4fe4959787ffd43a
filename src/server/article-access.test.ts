/** Texts of noarchive pages, pages that users have fetched, and the texts that are shown: who gets what, through all doors of the server. */
import { beforeEach, describe, expect, test } from 'vitest'
import { ACTORS, type Actor, createPrivacyHarness, type PrivacyHarness } from '../../test/privacy-harness.ts'
import { createServerFixture, NOW } from '../../test/server-fixture.ts'
import type { EntryId } from '../model/index.ts'
import { articleOf, readArticle, want } from '../ports/article-samples.contract.ts'

const TEXT = 'herons wade at low tide'

describe('the text of a noarchive page', () => {
  let harness: PrivacyHarness
  let id: EntryId

  /** `openmark` is a public feed, which with shared reading everybody sees. */
  async function withNoArchive(changes: Parameters<typeof createPrivacyHarness>[0] = {}): Promise<void> {
    harness = await createPrivacyHarness(changes)
    id = harness.entries.openmark
    await harness.store.queueArticles([want(id, 'openmark')], NOW)
    const { id: articleId } = await articleOf(harness.store, id)
    await harness.store.recordArticles([readArticle(articleId, NOW + 1, { text: TEXT, noArchive: true })])
    await harness.index()
  }

  const seenBy = async (path: string, headers: Partial<Record<Actor, Record<string, string>>> = {}) => {
    const seeing: Actor[] = []
    for (const actor of ACTORS) {
      const { text } = await harness.ask(actor, path, headers[actor] ? { headers: headers[actor] } : {})
      if (text.includes(TEXT)) seeing.push(actor)
    }
    return seeing
  }

  test.each([{}, { sharedReading: true }])('is shown to followers only: %o', async (changes) => {
    await withNoArchive(changes)
    for (const path of [`entries/${id}`, `entries/${id}/article`, 'entries?q=openmark'])
      expect([path, await seenBy(`/api/v1/${path}`)]).toEqual([path, ['follower']])
    const { text } = await harness.ask('admin', `/api/v1/entries/${id}/article`)
    expect(JSON.parse(text).missing).toMatchObject({ reason: 'noarchive' })
  })

  test('reaches the feed readers of followers', async () => {
    await withNoArchive()
    const tokens = Object.fromEntries(
      Object.entries(harness.tokens).map(([actor, token]) => [actor, { 'x-auth-token': token! }]),
    )
    expect(await seenBy(`/v1/entries/${id}`, tokens)).toEqual(['follower'])
  })

  test('is in no outgoing feed and in no export', async () => {
    await withNoArchive({ sharedReading: true })
    const paths = ['/feeds/all.rss', '/api/v1/export/articles', '/api/v1/export/entries?with=article']
    for (const path of [...paths, ...harness.feedsOut.follower.map((key) => `/feeds/out/${key}.json`)])
      expect([path, await seenBy(path)]).toEqual([path, []])
  })

  test('is in outgoing feeds and exports if the operator includes it', async () => {
    await withNoArchive({ includeNoArchive: true })
    for (const path of ['/feeds/all.rss', '/api/v1/export/articles', '/api/v1/export/entries?with=article'])
      expect([path, await seenBy(path)]).toEqual([path, ['follower', 'corpus']])
    expect(await seenBy(`/feeds/out/${harness.feedsOut.follower[0]}.json`)).toEqual([...ACTORS])
    expect(await seenBy(`/feeds/out/${harness.feedsOut.other[0]}.json`)).toEqual([])
  })
})

describe('a page that a user asks for', () => {
  let harness: PrivacyHarness
  beforeEach(async () => {
    harness = await createPrivacyHarness()
  })
  const fetchPage = (actor: Actor, entryId: number) =>
    harness.ask(actor, `/api/v1/entries/${entryId}/article`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    })

  test('is fetched for users who see the entry and may write', async () => {
    const statuses = { nobody: 401, reader: 403, corpus: 403, other: 404, follower: 202, admin: 202 }
    for (const actor of ACTORS)
      expect((await fetchPage(actor, harness.entries.loginmark)).status, actor).toBe(statuses[actor])
    expect((await fetchPage('admin', 999)).status).toBe(404)
    expect(await articleOf(harness.store, harness.entries.loginmark)).toMatchObject({ state: 'waiting' })
  })

  test('is limited per user', async () => {
    for (let i = 0; i < 60; i++) expect((await fetchPage('follower', harness.entries.openmark)).status).toBe(202)
    expect(await fetchPage('follower', harness.entries.openmark)).toMatchObject({ status: 429 })
    expect((await fetchPage('admin', harness.entries.openmark)).status).toBe(202)
  })

  test('is announced to those who see an entry that links to it', async () => {
    const received: Partial<Record<Actor, string>> = {}
    const links = [{ entryId: harness.entries.secretmark, feedId: harness.feeds.secretmark }]
    for (const actor of ['follower', 'other'] as const) {
      const headers = { authorization: `Bearer ${harness.tokens[actor]}` }
      const response = await harness.app.request('http://localhost/api/v1/stream?kinds=articles', { headers })
      const reader = response.body!.getReader()
      await reader.read() // the beginning
      const event = {
        kind: 'article',
        at: NOW,
        articleId: 1 as never,
        url: 'https://x.example/',
        tookMs: 1,
        bytes: 1,
      } as const
      harness.emit({ ...event, links, result: { kind: 'failed', failure: { kind: 'timeout' } } })
      const next = await Promise.race([
        reader.read(),
        new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 50)),
      ])
      received[actor] = new TextDecoder().decode(next?.value)
      await reader.cancel()
    }
    expect(received.follower).toContain('event: article')
    expect(received.follower).toContain('"state":"failed","words":"the server took too long to answer"')
    expect(received.other).toBe('')
  })
})

describe('an entry', () => {
  async function withPost() {
    const fixture = createServerFixture()
    const feedId = await fixture.addFeed({
      url: 'https://posts.example/feed',
      title: 'Posts',
      entries: [
        {
          key: 'post',
          title: '',
          url: 'https://posts.example/1',
          summary: '<p>The herons are back on the jetty.</p>',
          agoMs: 1,
        },
        {
          key: 'list',
          title: 'A list',
          url: 'https://posts.example/2',
          agoMs: 2,
          content: `<p>${'word '.repeat(60)}</p><ul><li>one<li>two<li>three<li>four</ul>`,
        },
      ],
    })
    await fixture.index()
    // biome-ignore lint/suspicious/noExplicitAny: JSON of several routes
    const json = async (path: string): Promise<any> => (await fixture.app.request(`http://localhost${path}`)).json()
    const { entries } = await json(`/api/v1/entries?feed=${feedId}`)
    const [post, list] = [1, 2].map((n) => entries.find(({ url }: { url: string }) => url.endsWith(`/${n}`)))
    return { ...fixture, json, post, list }
  }

  test('without a title is called by its first words', async () => {
    const { app, json, post } = await withPost()
    expect(post).toMatchObject({ title: 'The herons are back on the jetty.', untitled: true })
    expect((await json('/api/v1/entries?q=herons')).entries[0]).toMatchObject({
      untitled: true,
      found: { titleMarks: [{}] },
    })
    const feed = async (name: string) => (await app.request(`http://localhost/feeds/${name}`)).text()
    expect(await feed('all.rss')).not.toMatch(/<title>(<!\[CDATA\[)?The herons/)
    expect(await feed('all.rss')).toContain('The herons are back')
    expect(await feed('all.atom')).toMatch(/<title[^>]*>(<!\[CDATA\[)?The herons/)
    const items: object[] = JSON.parse(await feed('all.json')).items
    expect(items.map((item) => 'title' in item).sort()).toEqual([false, true])
  })

  test('has the richer text of feed and page, and both', async () => {
    const { app, json, list, store } = await withPost()
    const shown = () => json(`/api/v1/entries/${list.id}`)
    expect(await shown()).toMatchObject({ shownText: 'feed' })
    await store.queueArticles([want(list.id, 'posts')], NOW)
    const { id } = await articleOf(store, list.id)
    await store.recordArticles([readArticle(id, NOW + 1, { text: 'word '.repeat(65) })])
    expect(await shown()).toMatchObject({ shownText: 'feed', article: { html: expect.any(String) } })
    expect(await (await app.request('http://localhost/feeds/all.rss')).text()).toContain('<li>two')
    await store.recordArticles([readArticle(id, NOW + 2, { text: 'page '.repeat(900) })])
    expect(await shown()).toMatchObject({ shownText: 'page', content: expect.stringContaining('<li>') })
    expect(await (await app.request('http://localhost/feeds/all.rss')).text()).toContain('page page')
  })
})
