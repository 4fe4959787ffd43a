/**
 * From an address as people paste it to the feed, through the village. The hosts of platforms are sites of the village under other names:
 * nothing is requested from the internet.
 */
import { describe, expect, it } from 'vitest'
import { createCrawlHarness, quietNewspaperSite, START } from '../../test/crawl-harness.ts'
import type { SiteSpec } from '../lab/index.ts'
import { address } from '../model/address.fixture.ts'
import { describeFailure, MINUTE, type WebAddress } from '../model/index.ts'
import type { Net } from '../ports/index.ts'

const JRD = 'application/jrd+json'
const CHANNEL = `UC${'tides0123456789abcdef_'.slice(0, 22)}`
const webFinger = (...links: object[]) => ({
  '/.well-known/webfinger': { type: JRD, text: JSON.stringify({ subject: 'acct:anna@tides.localhost', links }) },
})
const PROFILE = {
  rel: 'http://webfinger.net/rel/profile-page',
  type: 'text/html',
  href: 'http://social.localhost/@anna',
}
const published = (name: string, ...paths: string[]): SiteSpec => ({
  ...quietNewspaperSite,
  name,
  silentSince: START,
  feeds: paths.map((path) => ({ path, announced: 'no' as const })),
})

const SITES: SiteSpec[] = [
  // A domain whose server is elsewhere, as with most servers of the Fediverse that have a host of their own
  { name: 'tides', feeds: [], documents: webFinger(PROFILE) },
  { ...published('social', '/@anna.rss'), documents: { '/@anna': { text: '<title>Anna</title>' } } },
  {
    ...published('blog', '/feeds/anna.atom'),
    documents: webFinger(
      { rel: 'self', type: 'application/activity+json', href: 'http://blog.localhost/anna' },
      {
        rel: 'http://schemas.google.com/g/2010#updates-from',
        type: 'application/atom+xml',
        href: 'http://blog.localhost/feeds/anna.atom',
      },
    ),
  },
  {
    name: 'itunes',
    feeds: [],
    documents: {
      '/lookup': {
        type: 'text/javascript',
        text: JSON.stringify({ resultCount: 1, results: [{ feedUrl: 'http://podcast.localhost/feed' }] }),
      },
    },
  },
  published('podcast', '/feed'),
  {
    ...published('youtube', '/feeds/videos.xml'),
    documents: {
      '/@anna': { text: `<title>Anna</title><link rel="canonical" href="https://www.youtube.com/channel/${CHANNEL}">` },
      '/watch': { text: `<title>Low tide</title><script>{"externalChannelId":"${CHANNEL}"}</script>` },
    },
  },
  { name: 'short', feeds: [], fault: { kind: 'moved', status: 301, to: 'http://social.localhost/@anna' } },
]

/** Real hosts, and the sites of the village that stand for them. */
const STAND_INS: [RegExp, string][] = [
  [/^https:\/\/www\.youtube\.com\//, 'http://youtube.localhost/'],
  [/^https:\/\/itunes\.apple\.com\//, 'http://itunes.localhost/'],
]

function standIn(net: Net): Net {
  return {
    ...net,
    get: async (request) => {
      const [pattern, site] = STAND_INS.find(([host]) => host.test(request.url)) ?? []
      if (!pattern || !site) return net.get(request)
      const answer = await net.get({ ...request, url: request.url.replace(pattern, site) as WebAddress })
      return answer.ok ? { ...answer, url: address(request.url) } : answer
    },
  }
}

async function add(pasted: string, sites = SITES) {
  const { crawler, village, clock, store } = createCrawlHarness(sites, { wrapNet: standIn })
  const [result] = await crawler.subscribe([{ url: pasted, kind: 'any' }])
  await clock.advance(30 * MINUTE)
  const feeds = await store.feeds({ order: 'id', limit: 10 })
  const [source] = await store.sources({ state: 'looking', limit: 1 })
  return {
    result,
    feeds: feeds.map(({ feed }) => feed.url),
    trouble: source?.trouble && describeFailure(source.trouble),
    requests: village.requests.map(({ url }) => url),
  }
}

describe('an address as people paste it', () => {
  it.each([
    ['@anna@tides.localhost', 'http://social.localhost/@anna.rss'],
    ['acct:anna@tides.localhost', 'http://social.localhost/@anna.rss'],
    ['social.localhost/@anna@tides.localhost', 'http://social.localhost/@anna.rss'],
    ['@anna@social.localhost', 'http://social.localhost/@anna.rss'], // without WebFinger
    ['@anna@blog.localhost', 'http://blog.localhost/feeds/anna.atom'],
    ['https://podcasts.apple.com/gb/podcast/tides/id123?i=456', 'http://podcast.localhost/feed'],
    ['https://www.youtube.com/@anna', `https://www.youtube.com/feeds/videos.xml?channel_id=${CHANNEL}`],
    ['https://youtu.be/1?si=x', `https://www.youtube.com/feeds/videos.xml?channel_id=${CHANNEL}`],
    ['http://short.localhost/x', 'http://social.localhost/@anna.rss'],
  ])('%s leads to its feed', async (pasted, feed) => {
    expect((await add(pasted)).feeds).toEqual([feed])
  })

  it('says that a podcast has no public feed', async () => {
    const empty = {
      name: 'itunes',
      feeds: [],
      documents: { '/lookup': { type: 'text/javascript', text: '{"results":[]}' } },
    }
    const { trouble, requests } = await add('https://podcasts.apple.com/podcast/id9', [empty])
    expect(trouble).toMatch(/directory names no feed of this podcast/)
    expect(requests.filter((url) => url.includes('/lookup'))).toHaveLength(1)
  })

  it('says that the directory did not answer', async () => {
    const broken: SiteSpec = { name: 'itunes', feeds: [], fault: { kind: 'status', status: 503 } }
    expect((await add('https://podcasts.apple.com/podcast/id9', [broken])).trouble).toMatch(/503/)
  })

  it('survives a WebFinger document that is none', async () => {
    const documents = { '/.well-known/webfinger': { type: JRD, text: '{"links":[null,7,{"rel":["self"],"href":{}}]}' } }
    const { trouble } = await add('@anna@odd.localhost', [{ name: 'odd', feeds: [], documents }])
    expect(trouble).toMatch(/404/)
  })

  it('is refused with a sentence, and without a request, if the host has no feeds', async () => {
    const { result, requests } = await add('https://t.me/s/tides')
    expect(result).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/^Telegram has no feeds; .*--bridge\)$/),
    })
    expect(requests).toEqual([])
  })
})
