/** Feeds that are found one step further than the page: behind consent pages and bot checks, on lists of feeds, on blogs, after a refresh. */
import { expect, it } from 'vitest'
import { createSteppedClock } from '../../clocks/index.ts'
import { address } from '../../model/address.fixture.ts'
import { describeFailure, HOUR } from '../../model/index.ts'
import type { Net, NetAnswer } from '../../ports/index.ts'
import { discover } from './discover.ts'

const HOME = 'https://tides.example/'
const FEED = `<rss version="2.0"><channel><title>Tides</title><item><title>Low</title><link>${HOME}low</link></item></channel></rss>`
const declares = (href: string) => `<!doctype html><link rel="alternate" type="application/rss+xml" href="${href}">`

type Shown = string | { status: number; headers?: Record<string, string> } | { redirect: string; text: string }

async function look(site: Record<string, Shown>, url = HOME) {
  const requested: string[] = []
  const net: Net = {
    async get(request): Promise<NetAnswer> {
      requested.push(request.url)
      const shown = site[request.url] ?? { status: 404 }
      const plain = {
        ok: true as const,
        status: 200,
        url: address(request.url),
        redirects: [],
        headers: {},
        wireBytes: 1,
      }
      if (typeof shown === 'string') return { ...plain, body: Buffer.from(shown) }
      if ('status' in shown)
        return { ...plain, status: shown.status, headers: shown.headers ?? {}, body: Buffer.from('') }
      const to = address(shown.redirect)
      return { ...plain, url: to, redirects: [{ status: 302, to }], body: Buffer.from(shown.text) }
    },
    post: () => Promise.reject(new Error('unexpected POST')),
    close: async () => {},
  }
  const clock = createSteppedClock(Date.UTC(2026, 0, 5))
  const discovery = discover(
    { url: address(url), gapMs: 0 },
    { net, clock, obeyRobots: 'guesses' },
    AbortSignal.timeout(1e6),
  )
  await clock.advance(HOUR)
  const { feeds, failure } = await discovery
  return {
    feeds: feeds.map((feed) => feed.url),
    words: failure && describeFailure(failure),
    requested: requested.filter((url) => !url.endsWith('/robots.txt')),
  }
}

it.each<[string, Record<string, Shown>, string]>([
  [
    'on a page that lists feeds',
    {
      [HOME]: '<!doctype html><a href="/rss">RSS feeds</a>',
      [`${HOME}rss`]: '<!doctype html><a href="/all/rss.xml">All</a>',
      [`${HOME}all/rss.xml`]: FEED,
    },
    `${HOME}all/rss.xml`,
  ],
  [
    'on a list whose address looks like a page',
    {
      [HOME]: '<!doctype html><a href="/feeds.html">RSS</a>',
      [`${HOME}feeds.html`]: declares('/x/tides'),
      [`${HOME}x/tides`]: FEED,
    },
    `${HOME}x/tides`,
  ],
  [
    'on the blog',
    {
      [HOME]: '<!doctype html><a href="/blog">Blog</a>',
      [`${HOME}blog`]: declares('/blog/latest'),
      [`${HOME}blog/latest`]: FEED,
    },
    `${HOME}blog/latest`,
  ],
  [
    'after a refresh',
    {
      [HOME]: '<!doctype html><meta http-equiv="refresh" content="0; url=/en/">',
      [`${HOME}en/`]: declares('/en/news'),
      [`${HOME}en/news`]: FEED,
    },
    `${HOME}en/news`,
  ],
  [
    'behind a bot check',
    { [HOME]: { status: 403, headers: { 'cf-mitigated': 'challenge' } }, [`${HOME}rss/`]: FEED },
    `${HOME}rss/`,
  ],
  [
    'behind a page that asks for consent',
    {
      [HOME]: { redirect: 'https://consent.tides.example/m', text: '<!doctype html>Before you continue' },
      [`${HOME}feed/`]: FEED,
    },
    `${HOME}feed/`,
  ],
])('finds a feed %s', async (_, site, expected) => {
  const { feeds, requested } = await look(site)
  expect(feeds).toEqual([expected])
  expect(new Set(requested).size).toBe(requested.length)
})

it('finds the feed of a channel whose page is behind a consent page', async () => {
  const name = 'https://www.youtube.com/@anna'
  const wall = `https://consent.youtube.com/m?continue=${encodeURIComponent(name)}`
  const feed = 'https://www.youtube.com/feeds/videos.xml?channel_id=UCinvented'
  const page = '<!doctype html><link rel="canonical" href="https://www.youtube.com/channel/UCinvented">'
  const { feeds, requested } = await look(
    { [name]: { redirect: wall, text: '<!doctype html>Before you continue' }, [`${name}?ucbcb=1`]: page, [feed]: FEED },
    name,
  )
  expect(feeds).toEqual([feed])
  expect(requested.filter((url) => url.includes('consent.'))).toEqual([])
})

it('reports what blocks the page, and makes few probes', async () => {
  const challenged = await look({ [HOME]: { status: 403, headers: { 'cf-mitigated': 'challenge' } } })
  expect(challenged.words).toMatch(/blocks crawlers with a bot check/)
  expect(challenged.requested.length).toBeLessThanOrEqual(5)
  const walled = await look({ [HOME]: { redirect: 'https://consent.tides.example/m', text: '<!doctype html>' } })
  expect(walled.words).toMatch(/consent to cookies/)
  expect(walled.requested.every((url) => url.startsWith(HOME))).toBe(true)
})

it('stays within the request limit on a site with endless links', async () => {
  const links = Array.from({ length: 40 }, (_, n) => `<a href="/rss/${n}">RSS ${n}</a>`).join('')
  const list = `<!doctype html><a href="/blog">Blog</a>${links}`
  const { requested } = await look({
    [HOME]: list,
    [`${HOME}blog`]: list,
    [`${HOME}rss/0`]: list,
    [`${HOME}rss/1`]: list,
  })
  expect(requested.length).toBeLessThanOrEqual(14)
})
