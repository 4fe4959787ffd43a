/** Changing and previewing settings for fetching over the API. */
import { describe, expect, test } from 'vitest'
import { createServerFixture } from '../../test/server-fixture.ts'
import { HOUR } from '../model/index.ts'
import { rawPage, readArticle, want } from '../ports/article-samples.contract.ts'

async function createStage() {
  const stage = createServerFixture()
  const entries = [1, 2].map((n) => ({ title: `entry ${n}`, agoMs: n * HOUR, url: `https://harbor.example/${n}` }))
  const id = await stage.addFeed({ url: 'https://harbor.example/feed', title: 'Harbor', entries })
  const other = await stage.addFeed({ url: 'https://mill.example/feed', title: 'Mill', entries: [entries[0]!] })
  const send = async (method: string, path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const response = await stage.app.request(`/api/v1/feeds/${path}`, { method, headers, body: JSON.stringify(body) })
    return { status: response.status, text: await response.text() }
  }
  const stored = async () => (await stage.store.feedsById([id]))[0]!.feed.fetching
  return { ...stage, id, other, send, stored }
}

describe('settings for fetching', () => {
  test('are changed one by one, and removed with null', async () => {
    const { send, stored, id } = await createStage()
    const change = async (fetching: object | null) => {
      const { status, text } = await send('PATCH', `${id}`, { fetching })
      expect(status, text).toBe(200)
      return stored()
    }
    expect(await change({ headers: { 'X-Key': 'a', 'x-more': 'b' }, cookies: 'c=1', userAgent: 'R' })).toEqual({
      headers: { 'x-key': 'a', 'x-more': 'b' },
      cookies: 'c=1',
      userAgent: 'R',
      byAdmin: true,
    })
    await change({ headers: { 'X-KEY': 'z', 'x-more': null }, cookies: null, proxy: 'http://ann:s@proxy.example:81' })
    expect(await change({ ignoresValidators: true, acceptsInvalidCertificate: false })).toEqual({
      headers: { 'x-key': 'z' },
      userAgent: 'R',
      proxy: 'http://proxy.example:81',
      proxyLogin: 'ann:s',
      ignoresValidators: true,
      byAdmin: true,
    })
    await change({ content: 'p', remove: 'a', proxy: 'http://proxy.example' })
    expect(await change({ content: null, headers: { 'x-key': null } })).toEqual({
      userAgent: 'R',
      proxy: 'http://proxy.example',
      ignoresValidators: true,
      extraction: { remove: 'a' },
      byAdmin: true,
    })
    expect(await change(null)).toBeUndefined()
  })

  test.each<[object, string]>([
    [{ headers: { Host: 'secretvalue' } }, 'cannot be set'],
    [{ headers: { 'X-Key': 'secretvalue\r\nHost: x' } }, 'characters'],
    [{ headers: Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`x-${i}`, 'v'])) }, 'at most 10 headers'],
    [{ cookies: 'a=1\nsecretvalue' }, 'characters'],
    [{ cookies: 'a'.repeat(4001) }, 'invalid field fetching.cookies'],
    [{ proxy: 'socks5://ann:secretvalue@proxy.example' }, 'not the address of a proxy'],
    [{ bridge: 'https://bridge.example/' }, 'contains {url}'],
    [{ content: 'p:hover' }, 'cannot be used here'],
    [{ content: 'p'.repeat(501) }, 'invalid field fetching.content'],
    [{ rewrites: [{ part: 'title', find: '(', replace: '' }] }, 'regular expression'],
    [
      { rewrites: Array.from({ length: 11 }, () => ({ part: 'title', find: 'a', replace: '' })) },
      'invalid field fetching.rewrites',
    ],
    [{ unknown: true }, 'unknown'],
  ])('are rejected without quoting secrets: %#', async (fetching, reason) => {
    const { send, stored, id } = await createStage()
    const { status, text } = await send('PATCH', `${id}`, { fetching })
    expect([status, text]).toEqual([400, expect.stringContaining(reason)])
    expect(text).not.toContain('secretvalue')
    expect(await stored()).toBeUndefined()
  })
})

describe('a preview of extraction rules', () => {
  test('uses the newest stored page of the feed, and fetches nothing', async () => {
    const { send, store, clock, id, other } = await createStage()
    expect((await send('POST', `${id}/extraction-preview`, {})).status).toBe(409)
    const [, older] = await store.entries({ feedId: id, limit: 2 })
    await store.queueArticles([want(older!.id, 'harbor', '2')], clock.now())
    const [leased] = await store.leaseDueArticles(clock.now(), 1, clock.now() + HOUR)
    const html = '<div class=text><p>one two</p><p class=ad>three</p><script>alert(1)</script></div>'
    const page = { ...rawPage(clock.now(), ''), body: Buffer.from(html) }
    await store.recordArticles([readArticle(leased!.id, clock.now(), { page, pageUrl: 'https://harbor.example/2' })])
    const preview = await send('POST', `${id}/extraction-preview`, { content: '.text', remove: '.ad' })
    expect(JSON.parse(preview.text)).toMatchObject({
      entryId: older!.id,
      url: 'https://harbor.example/2',
      title: 'entry 2',
      html: '<p>one two</p>',
      words: 2,
      matches: { content: 1, remove: 1 },
    })
    expect((await send('POST', `${id}/extraction-preview`, { content: ':x' })).status).toBe(400)
    expect((await send('POST', `${other}/extraction-preview`, { entry: older!.id })).status).toBe(409)
  })
})
