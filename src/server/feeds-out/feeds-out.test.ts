/** Outgoing feeds, read by our own parser and by others. */
import { execFileSync, spawnSync } from 'node:child_process'
import fc from 'fast-check'
import RssParser from 'rss-parser'
import { describe, expect, test } from 'vitest'
import { createServerFixture, NOW } from '../../../test/server-fixture.ts'
import { type ParsedFeed, parseFeed } from '../../feeds/index.ts'
import { address } from '../../model/address.fixture.ts'
import { type EntryId, HOUR } from '../../model/index.ts'
import type { OutgoingFeed } from '../../views/index.ts'
import { type FeedOutFormat, writeFeedOut } from './write-feed-out.ts'

const FORMATS: FeedOutFormat[] = ['rss', 'atom', 'json']
const PLACES = { selfUrl: 'https://us.example/feeds/all.rss?q=a&unique=copy', homeUrl: 'https://us.example/' }

async function filled() {
  const fixture = createServerFixture()
  const tides = await fixture.addFeed({
    url: 'https://tides.example/feed',
    title: 'Tides',
    folder: 'Sea',
    entries: [
      {
        title: 'High water & wind',
        url: 'https://tides.example/1?a=1&b=2',
        content: '<p onclick="x()">high</p><script>alert(1)</script>',
        agoMs: 5 * HOUR,
        category: 'science',
        tags: ['sea'],
        media: [{ url: address('https://tides.example/1.mp3'), kind: 'audio', type: 'audio/mpeg', bytes: 12 }],
      },
      { title: 'Low water', summary: `<b>${'low '.repeat(400)}</b>`, agoMs: 8 * HOUR },
    ],
  })
  await fixture.addFeed({
    url: 'https://bread.example/atom.xml',
    title: 'Bread',
    entries: [{ title: 'Rye and water', agoMs: 6 * HOUR, category: 'food' }],
  })
  await fixture.index()
  const titles = async (path: string) => read(await (await fixture.app.request(path)).text()).map(({ title }) => title)
  return { ...fixture, tides, titles }
}

function read(document: string): ParsedFeed['entries'] {
  const parsed = parseFeed(new TextEncoder().encode(document), { url: address(PLACES.selfUrl) })
  if (parsed.kind !== 'feed') throw new Error('it is not a feed')
  return parsed.entries
}

describe('an outgoing feed', () => {
  test.each(FORMATS)('as %s lists the newest entries first, sanitized, with enclosures', async (format) => {
    const { app } = await filled()
    const response = await app.request(`/feeds/all.${format}`)
    const text = await response.text()
    const [first, ...rest] = read(text)
    expect(rest.map(({ title }) => title)).toEqual(['Rye and water', 'Low water'])
    expect(first).toMatchObject({ title: 'High water & wind', url: 'https://tides.example/1?a=1&b=2' })
    expect(first?.publishedAt).toBe(NOW - 5 * HOUR)
    expect(first?.enclosures?.[0]).toMatchObject({ url: 'https://tides.example/1.mp3', type: 'audio/mpeg' })
    expect(text).not.toMatch(/<script|onclick/)
    expect(text).toContain('http://localhost/feeds/all')
  })

  test.each(FORMATS)('as %s names the feed of each entry, without addresses of private feeds', async (format) => {
    const { app, addFeed } = await filled()
    const url = 'https://paid.example/feed?token=abcdefgh12345678'
    await addFeed({ url, title: 'Paid', entries: [{ title: 'Newest', agoMs: 1 }] })
    await addFeed({ url: `${url}9`, title: '', entries: [{ title: 'Untitled feed', agoMs: 2 }] })
    const text = await (await app.request(`/feeds/all.${format}`)).text()
    expect(text).not.toContain('abcdefgh12345678')
    expect(text).toMatch(
      {
        rss: /<source url="https:\/\/tides.example\/feed">(<!\[CDATA\[)?Tides/,
        atom: /<source>\s*<id>https:\/\/tides.example\/feed<\/id>\s*<link href="https:\/\/tides.example\/feed" rel="self"/,
        json: /"_freshet":{"source":{"title":"Tides","feed_url":"https:\/\/tides.example\/feed","home_page_url":"https:\/\/tides.example\/"}}/,
      }[format],
    )
    expect(text).toContain('Paid')
  })

  test('is filtered by words, feed, folder, category and limit', async () => {
    const { titles, tides } = await filled()
    expect(await titles('/feeds/x.rss?q=water')).toEqual(['High water & wind', 'Rye and water', 'Low water'])
    expect(await titles(`/feeds/x.atom?feed=${tides}&q=low`)).toEqual(['Low water'])
    expect(await titles('/feeds/x.json?folder=Sea')).toEqual(['High water & wind', 'Low water'])
    expect(await titles('/feeds/x.rss?category=food')).toEqual(['Rye and water'])
    expect(await titles('/feeds/x.rss?folder=nowhere')).toEqual([])
    expect(await titles('/feeds/x.rss?limit=1')).toEqual(['High water & wind'])
  })

  test('as a summary has only the beginning of each text', async () => {
    const { app } = await filled()
    const [full, short] = await Promise.all(
      ['full', 'summary'].map(async (text) => (await app.request(`/feeds/all.json?text=${text}&q=low`)).text()),
    )
    expect(full!.length).toBeGreaterThan(1600)
    expect(short!.length).toBeLessThan(1400)
    expect(short).toContain(' …')
  })

  test('answers 304 while nothing changed, by ETag or date', async () => {
    const { app } = await filled()
    const { headers } = await app.request('/feeds/all.atom')
    const again = (sent: Record<string, string>) => app.request('/feeds/all.atom', { headers: sent })
    const [etag, date] = [headers.get('etag')!, headers.get('last-modified')!]
    expect((await again({ 'if-none-match': etag })).status).toBe(304)
    expect((await again({ 'if-none-match': '"other"', 'if-modified-since': date })).status).toBe(200)
    expect((await again({ 'if-modified-since': date })).status).toBe(304)
    expect((await again({ 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' })).status).toBe(200)
  })

  test('an outgoing feed has at most two hundred entries', async () => {
    const { app } = await filled()
    const statusFor = async (limit: number) => (await app.request(`/feeds/all.rss?limit=${limit}`)).status
    expect([await statusFor(200), await statusFor(201)]).toEqual([200, 400])
  })

  test('answers 404 for an unknown feed or format', async () => {
    const { app } = await filled()
    expect((await app.request('/feeds/x.rss?feed=99')).status).toBe(404)
    expect((await app.request('/feeds/x.html')).status).toBe(404)
  })
})

describe('a hub', () => {
  const hub = { url: 'https://hub.example/?a=1&b=2', publicUrl: 'https://news.example.org/reader/' }

  async function secretFeed(parts: { hub?: typeof hub }) {
    const fixture = createServerFixture(parts)
    const of = { userId: await fixture.store.firstUser(), of: { kind: 'all' as const }, text: 'full' as const }
    await fixture.store.addSharedItem('feedOut', { ...of, name: 'All', key: 'secret', addedAt: NOW })
    return fixture.app
  }

  test.each(FORMATS)('is announced in an outgoing feed, with its public address (%s)', async (format) => {
    const app = await secretFeed({ hub })
    const answer = await app.request(`/feeds/out/secret.${format}`)
    const self = `https://news.example.org/reader/feeds/out/secret.${format}`
    expect(answer.headers.get('link')).toBe(`<${hub.url}>; rel="hub", <${self}>; rel="self"`)
    const text = await answer.text()
    const parsed = parseFeed(new TextEncoder().encode(text), { url: address(self) })
    expect(parsed.kind === 'feed' && parsed.facts.hub).toBe(hub.url)
    expect(text).toContain(self)
  })

  test.each([
    ['if none is configured', {}, '/feeds/out/secret.rss'],
    ['by a feed that requires a login', { hub }, '/feeds/all.rss'],
    ['by an address with parameters', { hub }, '/feeds/out/secret.rss?limit=5'],
  ])('is not announced %s', async (_, parts, path) => {
    const answer = await (await secretFeed(parts)).request(path)
    expect([answer.status, answer.headers.get('link')]).toEqual([200, null])
    expect(await answer.text()).not.toMatch(/rel="hub"/)
  })
})

describe('any title', () => {
  const PIECES = [']]>', '<![CDATA[', '&', '&amp;', '&#0;', '<b', '</title>', '<script>', '\u0000', '\u0008', '\ufffe']
  const ODD = ['\uffff', '\ud800', '\udc00', '\u0085', '\u2028', '\r', '\n', '\t', '🐌', '"', "'", '--', '%', '{{']
  const text = fc
    .array(fc.oneof(fc.constantFrom(...PIECES, ...ODD), fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 8 })
    .map((parts) => parts.join(''))

  function feedWith(title: string): OutgoingFeed {
    const item = { id: 7 as EntryId, seenAt: NOW, publishedAt: NOW, updatedHereAt: NOW, recordings: [] }
    const html = '<p>whole</p>'
    return {
      title,
      changedAt: NOW,
      items: [
        { ...item, title, html, author: title, feedTitle: title, tags: [title], url: `https://x.example/${title}` },
        { ...item, id: 8 as EntryId, title: 'behind it', html, tags: [] },
      ],
    }
  }

  test.each(FORMATS)('as %s gives a well-formed document without losing entries', async (format) => {
    await fc.assert(
      fc.asyncProperty(text, async (title) => {
        const document = await writeFeedOut(feedWith(title), format, PLACES)
        expect(document.isWellFormed()).toBe(true)
        expect(document).not.toMatch(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/)
        const entries = read(document)
        expect(entries.map(({ content, summary }) => content ?? summary)).toEqual(['<p>whole</p>', '<p>whole</p>'])
        expect(entries[1]?.title).toBe('behind it')
        if (format === 'json') return
        const { items } = await new RssParser().parseString(document)
        expect(items[1]?.title).toBe('behind it')
        expect(items[1]?.content).toBe('<p>whole</p>')
      }),
      { numRuns: 300 },
    )
  })

  test('stays text, in RSS even for readers that expect HTML', async () => {
    const title = '<img src=x onerror=alert(1)> AT&T &lt;'
    const documents = await Promise.all(FORMATS.map((format) => writeFeedOut(feedWith(title), format, PLACES)))
    const [rss, atom, json] = documents
    expect([read(rss!)[0]?.title, read(atom!)[0]?.title]).toEqual([title, title])
    expect(rss).not.toContain('<img')
    expect(JSON.parse(json!).items[0].title).toBe(title)
  })

  const hasFeedparser = spawnSync('python3', ['-c', 'import feedparser']).status === 0
  test.runIf(hasFeedparser).each(FORMATS.slice(0, 2))('as %s is parsed by feedparser', async (format) => {
    const input = await writeFeedOut(feedWith('a ]]> <b>& \u0000\ufffe\ud800 z'), format, PLACES)
    const script =
      'import sys, json, feedparser; d = feedparser.parse(sys.stdin.buffer.read()); print(json.dumps([bool(d.bozo), len(d.entries), d.entries[1].title]))'
    expect(JSON.parse(execFileSync('python3', ['-c', script], { input }).toString())).toEqual([false, 2, 'behind it'])
  })
})
