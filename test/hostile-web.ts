/**
 * A hostile web generated from a seed: addresses, headers, dates and numbers are invalid now and then. Hosts work for some days, then
 * disappear, then move, so that a crawl has to use everything it has: polls, older pages after a gap, the search for a moved feed, hubs,
 * article pages, robots.txt.
 */
import { createMemoryNet } from '../src/lab/village/memory-net.ts'
import type { Reply, VillageRequest } from '../src/lab/village/reply.ts'
import { DAY, HOUR, type Instant } from '../src/model/index.ts'
import type { Net } from '../src/ports/index.ts'
import {
  badAddress,
  badDate,
  badNumber,
  badWord,
  createRandom,
  DATES,
  HOSTS,
  NUMBERS,
  type Random,
} from './invalid-values.ts'

export interface HostileWeb {
  net: Net
  /** Addresses of feeds, pages and nothing. */
  hostile: string[]
  healthy: string[]
  /** A list of feeds, as a user may upload it. */
  opml(): string
  /** A feed, as a hub may push it. */
  document(): string
  /** Callback addresses of requested subscriptions. */
  callbacks: { callback: string; topic: string; secret: string }[]
  chance: Random
}

export function createHostileWeb(seed: number, now: () => Instant): HostileWeb {
  const chance = createRandom(seed)
  const callbacks: HostileWeb['callbacks'] = []
  const names = Array.from({ length: HOSTS }, (_, n) => `bad-${n}.example`)

  function visit(request: VillageRequest): Reply | undefined {
    const { hostname, pathname } = URL.parse(request.url) ?? { hostname: '', pathname: '' }
    if (/^well-\d\.example$/.test(hostname)) return healthyReply(hostname, pathname, now())
    if (request.method === 'POST') {
      const form = new URLSearchParams(request.body)
      const field = (name: string) => form.get(`hub.${name}`) ?? ''
      callbacks.push({ callback: field('callback'), topic: field('topic'), secret: field('secret') })
      return { ...reply(''), status: chance.one([202, 202, 204, 400, 429, 503, 301]), headers: badHeaders(chance, 0.3) }
    }
    if (chance.is(0.02)) return undefined
    const days = Math.floor(now() / DAY) + hashOf(hostname)
    if (pathname === '/robots.txt') return robots(chance)
    const isGone = days % 9 >= 4 && days % 9 < 8 && pathname.startsWith('/feed')
    if (isGone) return { ...reply('gone'), status: chance.one([404, 404, 410]), headers: badHeaders(chance, 0.05) }
    if (chance.is(0.08)) return redirect(chance)
    if (chance.is(0.08)) return { ...reply('?'), status: badStatus(chance), headers: badHeaders(chance, 0.3) }
    if (chance.is(0.03)) return { ...reply(''), manner: chance.one(['slow', 'endless', 'cut', 'reset'] as const) }
    const isFeed = pathname.startsWith('/feed')
    return isFeed ? badFeed(chance, now()) : badPage(chance)
  }

  return {
    net: createMemoryNet(visit),
    hostile: names.map((name, n) => `http://${name}/${n % 3 === 0 ? '' : 'feed'}`),
    healthy: [0, 1, 2].map((n) => `http://well-${n}.example/feed`),
    opml: () => badOpml(chance),
    document: () => chance.one([rss, atom, json, sitemap])(chance, now()),
    callbacks,
    chance,
  }
}

function badHeaders(chance: Random, often: number): Record<string, string> {
  const values: Record<string, () => string> = {
    'retry-after': () =>
      chance.one(chance.is(0.1) ? [...NUMBERS, ...DATES] : ['-1', '1', 'NaN', '1e400', '1, 2', '', ' ', 'é']),
    'cache-control': () => `max-age=${badNumber(chance)}, ${chance.one(['no-cache="', 's-maxage=x', 'private', ''])}`,
    age: () => badNumber(chance),
    date: () => chance.one(DATES),
    expires: () => badNumber(chance),
    etag: () => chance.one(['"x"', 'W/', '""', '"é"', '"\u0000"', `"${'x'.repeat(50_000)}"`, 'a, b']),
    'last-modified': () => chance.one([...DATES, badWord(chance)]),
    'content-type': () =>
      chance.one([
        'text/html',
        'x',
        'text/xml; charset=utf-16le',
        'a/b; charset=""',
        'text/html; charset=nonsense',
        '',
      ]),
    link: () =>
      chance.one([
        `<${badAddress(chance)}>; rel=hub, <${badAddress(chance)}>; rel="self"`,
        `<${badAddress(chance)}>; rel="alternate"; type="application/rss+xml"`,
        '<',
        '<>;rel=hub,<>;rel=hub',
        '<a>; rel="hub; x',
      ]),
    'x-robots-tag': () => chance.one(['noindex', 'noarchive', `unavailable_after: ${chance.one(DATES)}`, ': , :']),
    location: () => badAddress(chance),
  }
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (chance.is(often) ? [[name, value()]] : [])),
  )
}

function badStatus(chance: Random): number {
  return chance.one([200, 204, 206, 300, 304, 400, 401, 403, 418, 429, 451, 500, 503, 599, 999, 0])
}

function redirect(chance: Random): Reply {
  const headers = { ...badHeaders(chance, 0.1), location: badAddress(chance) }
  return { ...reply(''), status: chance.one([301, 302, 303, 307, 308]), headers }
}

function robots(chance: Random): Reply {
  if (chance.is(0.3)) return { ...reply(''), status: badStatus(chance), headers: badHeaders(chance, 0.3) }
  if (chance.is(0.1)) return redirect(chance)
  const lines = [
    'User-agent: *',
    `Crawl-delay: ${chance.one([...NUMBERS.slice(0, 4), ...NUMBERS])}`,
    `Disallow: ${chance.one(['/private', `${'*'.repeat(500)}x`, '/*$*$', '%', '\u0000', 'http://[', '$'])}`,
    `Sitemap: ${badAddress(chance)}`,
  ]
  return reply(lines.join(chance.one(['\n', '\r', '\r\n'])))
}

function badFeed(chance: Random, now: Instant): Reply {
  const headers = badHeaders(chance, 0.06)
  const body = chance.one([rss, atom, json, sitemap])(chance, now)
  const isCut = chance.is(0.05)
  return { ...reply(isCut ? body.slice(0, chance.next() * body.length) : body), headers }
}

/** Usually the window of the last hours; sometimes one without any known entry. */
function numbers(chance: Random, now: Instant): number[] {
  const newest = Math.floor(now / HOUR) + (chance.is(0.2) ? Math.floor(1e6 * chance.next()) : 0)
  return Array.from({ length: 5 }, (_, n) => newest - n)
}

/** Sometimes valid, sometimes not. */
function or(chance: Random, sensible: string, bad: (chance: Random) => string): string {
  return chance.is(0.3) ? bad(chance) : sensible
}

function rss(chance: Random, now: Instant): string {
  const items = numbers(chance, now).map(
    (
      n,
    ) => `<item><guid isPermaLink="${chance.one(['true', 'false', ''])}">${or(chance, `http://x/${n}`, badWord)}</guid>
      <link>${or(chance, `http://bad-1.example/page/${n}`, badAddress)}</link><title>${or(chance, `No. ${n}`, badWord)}</title>
      <pubDate>${or(chance, new Date(n * HOUR).toUTCString(), badDate)}</pubDate>
      <enclosure url="${badAddress(chance)}" length="${badNumber(chance)}" type="audio/mpeg"/>
      <comments>${badAddress(chance)}</comments><source url="${badAddress(chance)}">x</source>
      <description>&lt;a href="${badAddress(chance)}"&gt;${badWord(chance)}&lt;/a&gt;</description></item>`,
  )
  return `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"
    xml:base="${chance.is(0.2) ? badAddress(chance) : ''}"><channel><title>${or(chance, 'Bad', badWord)}</title>
    <link>${badAddress(chance)}</link><language>${or(chance, 'en', badWord)}</language><ttl>${badNumber(chance)}</ttl>
    <skipHours><hour>${badNumber(chance)}</hour></skipHours><skipDays><day>${badWord(chance)}</day></skipDays>
    <sy:updatePeriod>${chance.one(['hourly', 'yearly', 'x'])}</sy:updatePeriod>
    <sy:updateFrequency>${badNumber(chance)}</sy:updateFrequency><cloud domain="${badAddress(chance)}" port="x"/>
    ${links(chance, 'atom:link')}${items.join('')}</channel></rss>`
}

function sitemap(chance: Random, now: Instant): string {
  const urls = numbers(chance, now).map(
    (n) => `<url><loc>${or(chance, `http://bad-1.example/page/${n}`, badAddress)}</loc>
      <lastmod>${or(chance, new Date(n * HOUR).toISOString(), badDate)}</lastmod>
      <xhtml:link rel="alternate" hreflang="${badWord(chance)}" href="${badAddress(chance)}"/>
      <news:news><news:title>${or(chance, `No. ${n}`, badWord)}</news:title>
      <news:publication_date>${badDate(chance)}</news:publication_date></news:news>
      <image:image><image:loc>${badAddress(chance)}</image:loc></image:image></url>`,
  )
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`
}

function links(chance: Random, element: string): string {
  return ['hub', 'self', 'next', 'prev-archive', 'alternate', 'hub']
    .map((rel) => `<${element} rel="${rel}" href="${badAddress(chance)}"/>`)
    .join('')
}

function atom(chance: Random, now: Instant): string {
  const entries = numbers(chance, now).map(
    (n) => `<entry xml:base="${chance.is(0.2) ? badAddress(chance) : ''}"><id>${or(chance, `n${n}`, badWord)}</id>
      <title type="${chance.one(['text', 'html', 'xhtml', 'x'])}">${or(chance, `No. ${n}`, badWord)}</title>
      <link href="${or(chance, `http://bad-2.example/page/${n}`, badAddress)}"/><link rel="enclosure" href="${badAddress(chance)}"/>
      <updated>${or(chance, new Date(n * HOUR).toISOString(), badDate)}</updated>
      <content src="${badAddress(chance)}">${badWord(chance)}</content></entry>`,
  )
  return `<feed xmlns="http://www.w3.org/2005/Atom"><title>Bad</title><id>${badWord(chance)}</id>
    ${links(chance, 'link')}${entries.join('')}</feed>`
}

function json(chance: Random, now: Instant): string {
  const items = numbers(chance, now).map((n) => ({
    id: chance.one([n, `${n}`, null, {}, badWord(chance)]),
    url: or(chance, `http://bad-3.example/page/${n}`, badAddress),
    title: or(chance, `No. ${n}`, badWord),
    content_html: `<img src="${badAddress(chance)}">${badWord(chance)}`,
    date_published: or(chance, new Date(n * HOUR).toISOString(), badDate),
    attachments: [{ url: badAddress(chance), size_in_bytes: badNumber(chance), duration_in_seconds: -1e300 }],
    tags: [badWord(chance), null, 7],
  }))
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: or(chance, 'Bad', badWord),
    home_page_url: badAddress(chance),
    feed_url: badAddress(chance),
    next_url: badAddress(chance),
    hubs: [{ type: 'WebSub', url: badAddress(chance) }, { url: badAddress(chance) }],
    items,
  })
}

function badPage(chance: Random): Reply {
  const text = 'It was a long day at the port, and nobody had seen the ferry come in. '.repeat(20)
  const html = `<!doctype html><html lang="${badWord(chance)}"><head><base href="${badAddress(chance)}">
    <link rel="canonical" href="${badAddress(chance)}"><title>${badWord(chance)}</title>
    <link rel="alternate" type="application/rss+xml" href="${or(chance, '/feed', badAddress)}">
    <link rel="alternate" type="application/atom+xml" href="${badAddress(chance)}">
    <meta property="og:url" content="${badAddress(chance)}"><meta property="og:image" content="${badAddress(chance)}">
    <meta property="article:published_time" content="${chance.one(DATES)}"><meta name="robots" content="${badWord(chance)}">
    <script type="application/ld+json">{"@type":"Article","url":"${badAddress(chance)}","datePublished":"${chance.one(DATES)}"}</script>
    </head><body><a href="${badAddress(chance)}">RSS</a><article><p>${text}</p><img src="${badAddress(chance)}"></article></body></html>`
  return { ...reply(html), headers: { 'content-type': 'text/html', ...badHeaders(chance, 0.06) } }
}

function badOpml(chance: Random): string {
  const outlines = Array.from(
    { length: 10 },
    () => `<outline text="${badWord(chance)}" xmlUrl="${badAddress(chance)}" htmlUrl="${badAddress(chance)}"/>`,
  )
  return `<opml version="2.0"><body>${outlines.join('')}</body></opml>`
}

function reply(body: string): Reply {
  return { status: 200, headers: {}, body, manner: 'plain' }
}

function healthyReply(host: string, path: string, now: Instant): Reply {
  if (path === '/robots.txt') return { ...reply(''), status: 404 }
  const items = Array.from({ length: 5 }, (_, n) => Math.floor(now / HOUR) - n).map(
    (n) => `<item><guid>${n}</guid><title>No. ${n}</title></item>`,
  )
  return reply(`<rss version="2.0"><channel><title>${host}</title>${items.join('')}</channel></rss>`)
}

function hashOf(text: string): number {
  return [...text].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
}
