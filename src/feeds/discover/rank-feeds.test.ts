import { describe, expect, it } from 'vitest'
import { address } from '../../model/address.fixture.ts'
import { DAY } from '../../model/index.ts'
import type { ParsedEntry } from '../parse/parsed-feed.ts'
import type { FeedCandidate } from './candidates.ts'
import { rankFeeds } from './rank-feeds.ts'
import type { PageFacts, ProbedFeed } from './score-feed.ts'

const page = { url: address('https://example.org/'), title: 'The Example' }
const now = 1_000 * DAY

interface Sketch {
  via?: FeedCandidate['via']
  title?: string
  format?: 'rss' | 'atom'
  /** Addresses of the entries; by default ten of the site, under a unique name. */
  links?: string[]
  content?: string
  newestAt?: number
  linkTitle?: string
  requestedUrl?: string
  entry?: Partial<ParsedEntry>
}

function probedFeed(url: string, sketch: Sketch = {}): ProbedFeed {
  const { via = 'link', title, format = 'rss', content, newestAt = now, linkTitle, requestedUrl = url } = sketch
  const links = sketch.links ?? Array.from({ length: 10 }, (_, n) => `https://example.org/entry?of=${url}&n=${n}`)
  return {
    candidate: { url: address(requestedUrl), via, ...(linkTitle && { title: linkTitle }) },
    finalUrl: address(url),
    feed: {
      facts: { format, ...(title && { title }) },
      entries: links.map((link, n) => ({
        key: link,
        title: `Entry ${n}`,
        url: link,
        publishedAt: newestAt - n * DAY,
        ...(content && { content }),
        ...sketch.entry,
      })),
    },
  }
}

function best(feeds: ProbedFeed[], at: PageFacts = page): string | undefined {
  return rankFeeds(feeds, at)[0]?.url
}

const posts = Array.from({ length: 10 }, (_, n) => `https://example.org/post/${n}`)

describe('rankFeeds: the intended feed', () => {
  it('has the shortest address of many on a front page, and is below the page elsewhere', () => {
    const sections = Array.from({ length: 9 }, (_, i) => probedFeed(`https://example.org/ressort-${i}/rss.xml`))
    const allFeeds = [...sections, probedFeed('https://example.org/rss.xml')]
    expect(best(allFeeds)).toBe('https://example.org/rss.xml')
    expect(best(allFeeds, { url: address('https://example.org/ressort-3/') })).toBe(
      'https://example.org/ressort-3/rss.xml',
    )
    expect(best(allFeeds.slice(-3))).toBe('https://example.org/ressort-7/rss.xml')
  })

  it.each<[string, ProbedFeed, ProbedFeed]>([
    [
      'posts before comments, by the address',
      probedFeed('https://example.org/feed/'),
      probedFeed('https://example.org/comments/feed/'),
    ],
    [
      'posts before comments, by the title',
      probedFeed('https://example.org/long/feed', { title: 'The Example' }),
      probedFeed('https://example.org/f', { title: 'Kommentare zu The Example' }),
    ],
    [
      "posts before comments, by the link's title",
      probedFeed('https://example.org/f1'),
      probedFeed('https://example.org/f2', { linkTitle: 'The Example » Comments Feed' }),
    ],
    [
      'posts before comments, by their entries',
      probedFeed('https://example.org/f1'),
      probedFeed('https://example.org/f2', { links: posts.map((post, n) => `${post}#comment-${n}`) }),
    ],
    [
      'posts before replies',
      probedFeed('https://example.org/f1'),
      probedFeed('https://example.org/f2', { entry: { inReplyTo: 'x' } }),
    ],
    [
      'the main feed before a tag',
      probedFeed('https://example.org/feed/'),
      probedFeed('https://example.org/tag/cats/feed/'),
    ],
    [
      'the main feed before a category',
      probedFeed('https://example.org/feed/'),
      probedFeed('https://example.org/?feed=rss2&cat=3'),
    ],
    [
      'the main feed before an author',
      probedFeed('https://example.org/feed/'),
      probedFeed('https://example.org/author/anna/feed/'),
    ],
    [
      'the main feed before a category, by its name',
      probedFeed('https://example.org/f1'),
      probedFeed('https://example.org/f2', { linkTitle: 'The Example » Cats Category Feed' }),
    ],
    [
      'articles before a podcast',
      probedFeed('https://example.org/feed/'),
      probedFeed('https://example.org/podcast/feed/'),
    ],
    [
      'articles before audio',
      probedFeed('https://example.org/f1'),
      probedFeed('https://example.org/f2', {
        entry: { enclosures: [{ url: 'https://example.org/1', type: 'audio/mpeg' }] },
      }),
    ],
    [
      "the site's feed before another site's",
      probedFeed('https://example.org/f1', { via: 'body' }),
      probedFeed('https://feeds.example.net/f2'),
    ],
    [
      "a declared feed on another site before the site's comments",
      probedFeed('https://feeds.example.net/main'),
      probedFeed('https://example.org/comments/feed'),
    ],
    [
      'declared feeds before linked ones',
      probedFeed('https://example.org/f1'),
      probedFeed('https://example.org/f', { via: 'body' }),
    ],
    [
      "the one with the site's title",
      probedFeed('https://example.org/f1', { title: 'The Example - RSS feed' }),
      probedFeed('https://example.org/f2', { title: 'Something else' }),
    ],
    [
      'the one with the newest entries',
      probedFeed('https://example.org/f1'),
      probedFeed('https://example.org/f2', { newestAt: now - 400 * DAY }),
    ],
    [
      'the one whose entries link to the site',
      probedFeed('https://example.org/f1'),
      probedFeed('https://example.org/f2', { links: posts.map((_, n) => `https://elsewhere.example/${n}`) }),
    ],
    [
      'the one with entries',
      probedFeed('https://example.org/f1', { via: 'probe' }),
      probedFeed('https://example.org/f2', { links: [], via: 'host-rule' }),
    ],
  ])('%s', (_, expected, second) => {
    expect(best([second, expected])).toBe(expected.finalUrl)
  })

  it('is the first in the document, if nothing else decides', () => {
    const feeds = [probedFeed('https://example.org/a-long-address'), probedFeed('https://example.org/b')]
    expect(best(feeds)).toBe('https://example.org/a-long-address')
  })

  it.each<[string, string, ProbedFeed, ProbedFeed]>([
    [
      "a tag's page",
      'https://example.org/tag/cats/',
      probedFeed('https://example.org/tag/cats/feed/'),
      probedFeed('https://example.org/feed/'),
    ],
    [
      "a tag's page without a feed",
      'https://example.org/tag/cats/',
      probedFeed('https://example.org/feed/'),
      probedFeed('https://example.org/tag/dogs/feed/'),
    ],
    [
      "a folder's page",
      'https://example.org/blog/',
      probedFeed('https://example.org/blog/feed.xml'),
      probedFeed('https://example.org/feed.xml'),
    ],
    [
      "a post's page",
      'https://example.org/post/',
      probedFeed('https://example.org/feed/'),
      probedFeed('https://example.org/post/feed/', { title: 'Comments on: Post' }),
    ],
  ])('of %s is the feed that belongs to it', (_, url, expected, second) => {
    expect(best([second, expected], { url: address(url), title: '' })).toBe(expected.finalUrl)
  })

  it('may contain a word for minor feeds that is the name of the site', () => {
    const site = { url: address('https://example.org/'), title: 'Comments and Replies' }
    const feeds = [
      probedFeed('https://example.org/f1', { title: 'Comments and Replies' }),
      probedFeed('https://example.org/f2'),
    ]
    expect(best(feeds, site)).toBe('https://example.org/f1')
  })

  it('has the shortest address where nothing else decides', () => {
    const [first, second] = [probedFeed('https://example.org/longer'), probedFeed('https://example.org/short')]
    // Eleven others, so that both have the same position penalty.
    const sectionFeeds = Array.from({ length: 11 }, (_, n) => probedFeed(`https://example.org/tag/${n}/feed`))
    expect(best([...sectionFeeds, first, second])).toBe('https://example.org/short')
  })

  it('is never on another site that the page does not name', () => {
    expect(rankFeeds([probedFeed('https://other.example/rss', { via: 'body' })], page)).toEqual([])
  })

  it('may be on another site that the site itself redirects to', () => {
    const sent = probedFeed('https://feeds.example.net/x', { via: 'probe', requestedUrl: 'https://example.org/feed' })
    expect(best([sent])).toBe('https://feeds.example.net/x')
  })

  it('depends on the sameSite function of the caller', () => {
    const feeds = [probedFeed('https://a.example/feed'), probedFeed('https://b.example/feed')]
    const sameSite = (a: string, b: string) => a === b || a === 'b.example'
    expect(rankFeeds(feeds, page, sameSite)[0]?.url).toBe('https://b.example/feed')
  })

  it('comes with the reasons', () => {
    const [ranked] = rankFeeds([probedFeed('https://example.org/feed', { title: 'The Example' })], page)
    expect(ranked).toEqual({
      url: 'https://example.org/feed',
      score: 148,
      why: [
        '+100 on the same site',
        '+20 declared by the page',
        '+10 named like the site',
        '+10 its entries are on the site',
        '+8 has news',
      ],
    })
  })

  it('ignores duplicate addresses and accepts an empty list', () => {
    const twice = [probedFeed('https://example.org/feed'), probedFeed('https://example.org/feed', { via: 'body' })]
    expect(rankFeeds(twice, page)).toHaveLength(1)
    expect(rankFeeds([], page)).toEqual([])
  })
})

describe('rankFeeds: documents with the same entries', () => {
  const rssUrl = 'https://example.org/rss'
  const atomUrl = 'https://example.org/atom-feed.xml'

  function ranking(rss: Sketch, atom: Sketch) {
    return rankFeeds(
      [probedFeed(rssUrl, { links: posts, ...rss }), probedFeed(atomUrl, { links: posts, format: 'atom', ...atom })],
      page,
    ).map(({ url, sameListAs }) => (sameListAs ? `${url} = ${sameListAs}` : url))
  }

  it('are one feed, represented by Atom', () => {
    expect(ranking({}, {})).toEqual([atomUrl, `${rssUrl} = ${atomUrl}`])
  })

  it('are one feed, represented by the one with full articles', () => {
    expect(ranking({ content: 'x'.repeat(5_000) }, { content: 'x'.repeat(100) })[0]).toBe(rssUrl)
  })

  it.each<[string, string[], boolean]>([
    ['one shows half as many', posts.slice(0, 5), true],
    ['one lacks the newest entry', [...posts.slice(1), 'https://example.org/post/old'], true],
    ['with campaign parameters', posts.map((post) => `${post}?utm_source=atom`), true],
    ['with different scheme and www', posts.map((post) => post.replace('https://', 'http://www.')), true],
    ['in another order', posts.toReversed(), true],
    [
      'a third differs',
      [...posts.slice(0, 6), 'https://example.org/1', 'https://example.org/2', 'https://example.org/3'],
      false,
    ],
    ['one is part of the other', [posts[7]!, posts[9]!], false],
    ['one is empty', [], false],
  ])('are recognized by their entries: %s', (_, links, isSame) => {
    expect(ranking({}, { links }).some((line) => line.includes(' = '))).toBe(isSame)
  })

  it('get the score of the best among them', () => {
    const feeds = [
      probedFeed(rssUrl, { links: posts }),
      probedFeed('https://example.org/other'),
      probedFeed(atomUrl, { links: posts, format: 'atom', via: 'body' }),
    ]
    expect(rankFeeds(feeds, page).map(({ url }) => url)).toEqual([atomUrl, 'https://example.org/other', rssUrl])
  })

  it('are represented by the one on the site where the page names another site', () => {
    const feeds = [
      probedFeed('https://hoster.example/feed/@anna', { links: posts, format: 'atom' }),
      probedFeed('https://example.org/feed', { links: posts, via: 'body' }),
    ]
    expect(best(feeds)).toBe('https://example.org/feed')
  })

  it('are found among feeds of twenty thousand entries', () => {
    const links = Array.from({ length: 20_000 }, (_, n) => `https://example.org/${n}`)
    const feeds = Array.from({ length: 10 }, (_, n) => probedFeed(`https://example.org/feed${n}`, { links }))
    expect(rankFeeds(feeds, page).filter(({ sameListAs }) => sameListAs === undefined)).toHaveLength(1)
  })
})

it('prefers the feed of a section for its page, and the first of many to a short one that names a topic', () => {
  const mainFeed = probedFeed('https://example.org/rss/1001.xml', { title: 'The Example' })
  const science = probedFeed('https://example.org/rss/1007.xml', { title: 'Example topics: Science', via: 'body' })
  expect(best([mainFeed, science], { url: address('https://example.org/sections/science/') })).toBe(science.finalUrl)
  expect(best([mainFeed, science])).toBe(mainFeed.finalUrl)
  const subjects = ['beer', 'wine', 'bread', 'cheese', 'salads', 'pastry'].map((name) =>
    probedFeed(`https://example.org/${name}`),
  )
  expect(best([mainFeed, ...subjects])).toBe(mainFeed.finalUrl)
})
