import { describe, expect, it } from 'vitest'
import { DAY, HOUR, type Instant } from '../../../model/index.ts'
import { parseFeed } from '../parse-feed.ts'
import type { ParsedFeed } from '../parsed-feed.ts'

const NOW = Date.UTC(2026, 0, 31)
const DECLARATIONS = [
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"',
  'xmlns:n="http://www.google.com/schemas/sitemap-news/0.9"',
  'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"',
  'xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"',
  'xmlns:xhtml="http://www.w3.org/1999/xhtml"',
].join(' ')

function parse(inside: string): ParsedFeed {
  const text = `<?xml version="1.0"?><urlset ${DECLARATIONS}>${inside}</urlset>`
  const sameSite = (a: string, b: string) => a.endsWith('site.example') && b.endsWith('site.example')
  const feed = parseFeed(Buffer.from(text), { url: 'https://site.example/sitemap.xml', now: NOW, sameSite })
  if (feed.kind !== 'feed') throw new Error(feed.reason)
  return feed
}

const day = (at: Instant) => new Date(at).toISOString().slice(0, 10)
const page = (path: string, inside = '') => `<url><loc>https://site.example${path}</loc>${inside}</url>`
const changed = (at: Instant) => `<lastmod>${new Date(at).toISOString()}</lastmod>`
const news = (at: Instant, title = 'News') =>
  `<n:news><n:publication_date>${new Date(at).toISOString()}</n:publication_date><n:title>${title}</n:title></n:news>`
const paths = ({ entries }: ParsedFeed) => entries.map(({ url }) => new URL(url!).pathname)
const times = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n))

describe('an entry of a sitemap', () => {
  it.each<[string, string, object]>([
    ['has the address as link and key', page('/a?b=1&amp;c=2'), { url: 'https://site.example/a?b=1&c=2', title: '' }],
    ['has a key without tracking parameters', page('/a?utm_source=x'), { key: 'https://site.example/a' }],
    [
      'has a normalized address',
      '<url><loc>\n HTTPS://SITE.example:443/a/../b </loc></url>',
      { url: 'https://site.example/b' },
    ],
    ['has the title of the news', page('/a', news(NOW, '<![CDATA[High & low]]>')), { title: 'High & low' }],
    [
      'has the date of the news',
      page('/a', news(NOW - HOUR) + changed(NOW)),
      { publishedAt: NOW - HOUR, updatedAt: NOW },
    ],
    ['has the date of its change', page('/a', changed(NOW - HOUR)), { updatedAt: NOW - HOUR }],
    ['has a day', page('/a', `<lastmod>${day(NOW)}</lastmod>`), { updatedAt: NOW, dateOnly: true }],
    ['has no invalid date', page('/a', '<lastmod>soon</lastmod>'), { key: 'https://site.example/a' }],
    [
      'has the first picture',
      page('/a', '<image:image><image:loc>https://cdn.example/1.jpg</image:loc></image:image><image:image/>'),
      { image: 'https://cdn.example/1.jpg' },
    ],
    [
      'has title and picture of a video',
      page(
        '/a',
        '<video:video><video:title>Ebb</video:title><video:thumbnail_loc>https://cdn.example/v.jpg</video:thumbnail_loc></video:video>',
      ),
      { title: 'Ebb', image: 'https://cdn.example/v.jpg' },
    ],
    [
      'has the keywords as tags',
      page('/a', '<n:news><n:keywords>tides, sea</n:keywords></n:news>'),
      { categories: [{ term: 'tides' }, { term: 'sea' }] },
    ],
    [
      'may be on another host of the site',
      '<url><loc>https://blog.site.example/a</loc></url>',
      { url: 'https://blog.site.example/a' },
    ],
  ])('%s', (_, inside, expected) => {
    expect(parse(inside).entries).toEqual([expect.objectContaining(expected)])
  })

  it.each([
    ['another site', '<url><loc>https://other.example/a</loc></url>'],
    ['another scheme', '<url><loc>ftp://site.example/a</loc></url><url><loc>javascript:alert(1)</loc></url>'],
    ['the front page', page('/')],
    ['nothing', '<url><lastmod>2026-01-01</lastmod></url><url/>'],
  ])('is not made of an address of %s', (_, inside) => {
    expect(parse(inside).entries).toEqual([])
  })
})

it('translations are one entry, and so are repeated addresses', () => {
  const alternates = ['/de/a', '/a']
    .map((path) => `<xhtml:link rel="alternate" hreflang="x" href="https://site.example${path}"/>`)
    .join('')
  expect(paths(parse(page('/a', alternates) + page('/de/a', alternates) + page('/b') + page('/b')))).toEqual([
    '/a',
    '/b',
  ])
})

it('the publication gives title and language, and the address the site', () => {
  const publication =
    '<n:news><n:publication><n:name>Tides</n:name><n:language>zh_cn</n:language></n:publication></n:news>'
  const { facts } = parse(page('/a', publication))
  expect(facts).toEqual({ format: 'sitemap', title: 'Tides', language: 'zh-cn', siteUrl: 'https://site.example/' })
})

describe('of the addresses of a sitemap', () => {
  it('the newest come first, none a month older than the newest', () => {
    const pages = [40, 2, 31, 1].map((days) => page(`/${days}`, changed(NOW - days * DAY)))
    expect(paths(parse(pages.join('')))).toEqual(['/1', '/2', '/31'])
  })

  it('those without a date are no articles where most have one', () => {
    expect(paths(parse(page('/about') + page('/a', changed(NOW)) + page('/b', changed(NOW - 1))))).toEqual(['/a', '/b'])
  })

  it('a date in the future counts as now', () => {
    const pages = page('/a', changed(NOW - DAY)) + page('/b', changed(NOW + 900 * DAY)) + page('/c', changed(NOW))
    expect(paths(parse(pages))).toEqual(['/b', '/c', '/a'])
  })

  it('one date for most of them is when the sitemap was generated', () => {
    const pages = times(12, (n) => page(`/${n}`, changed(NOW))).join('') + page('/old', changed(NOW - 99 * DAY))
    const { entries } = parse(pages)
    expect(entries).toHaveLength(13)
    expect(entries.filter(({ updatedAt }) => updatedAt !== undefined).map(({ url }) => url)).toEqual([
      'https://site.example/old',
    ])
    expect(parse(times(12, (n) => page(`/${n}`, news(NOW))).join('')).entries[0]?.publishedAt).toBe(NOW)
  })

  it('the newest thousand are kept, without dates the first and the last five hundred', () => {
    const dated = parse(times(1_200, (n) => page(`/${n}`, changed(NOW - 1_200_000 + n * 1000))).join(''))
    expect(dated).toMatchObject({ droppedEntries: 200, entries: { length: 1_000 } })
    expect([paths(dated).at(0), paths(dated).at(-1)]).toEqual(['/1199', '/200'])
    const undated = paths(parse(times(1_200, (n) => page(`/${n}`)).join('')))
    expect([undated.length, undated[499], undated[500]]).toEqual([1_000, '/499', '/700'])
  })

  it('fifty thousand are read', () => {
    const { entries } = parse(times(50_001, (n) => page(`/${n}`)).join(''))
    expect(entries.at(-1)?.url).toBe('https://site.example/49999')
  })
})

it('the last address of a truncated sitemap is dropped', () => {
  const feed = parseFeed(Buffer.from(`<urlset>${page('/a')}<url><loc>https://site.example/b`), {})
  expect(feed).toMatchObject({ cut: true, entries: [{ url: 'https://site.example/a' }] })
})
