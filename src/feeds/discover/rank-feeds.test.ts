import { describe, expect, it } from 'vitest'
import { address } from '../../model/address.fixture.ts'
import { DAY } from '../../model/index.ts'
import type { ParsedEntry } from '../parse/parsed-feed.ts'
import type { FeedCandidate } from './candidates.ts'
import { rankFeeds } from './rank-feeds.ts'
import type { PageFacts, TriedFeed } from './score-feed.ts'

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
  askedUrl?: string
  entry?: Partial<ParsedEntry>
}

function tried(url: string, sketch: Sketch = {}): TriedFeed {
  const { via = 'link', title, format = 'rss', content, newestAt = now, linkTitle, askedUrl = url } = sketch
  const links = sketch.links ?? Array.from({ length: 10 }, (_, n) => `https://example.org/entry?of=${url}&n=${n}`)
  return {
    candidate: { url: address(askedUrl), via, ...(linkTitle && { title: linkTitle }) },
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

function best(feeds: TriedFeed[], at: PageFacts = page): string | undefined {
  return rankFeeds(feeds, at)[0]?.url
}

const posts = Array.from({ length: 10 }, (_, n) => `https://example.org/post/${n}`)

describe('rankFeeds: the intended feed', () => {
  it('has the shortest address of many on a front page, and is below the page elsewhere', () => {
    const sections = Array.from({ length: 9 }, (_, i) => tried(`https://example.org/ressort-${i}/rss.xml`))
    const all = [...sections, tried('https://example.org/rss.xml')]
    expect(best(all)).toBe('https://example.org/rss.xml')
    expect(best(all, { url: address('https://example.org/ressort-3/') })).toBe('https://example.org/ressort-3/rss.xml')
    expect(best(all.slice(-3))).toBe('https://example.org/ressort-7/rss.xml')
  })

  it.each<[string, TriedFeed, TriedFeed]>([
    [
      'posts before comments, by the address',
      tried('https://example.org/feed/'),
      tried('https://example.org/comments/feed/'),
    ],
    [
      'posts before comments, by the title',
      tried('https://example.org/long/feed', { title: 'The Example' }),
      tried('https://example.org/f', { title: 'Kommentare zu The Example' }),
    ],
    [
      "posts before comments, by the link's title",
      tried('https://example.org/f1'),
      tried('https://example.org/f2', { linkTitle: 'The Example » Comments Feed' }),
    ],
    [
      'posts before comments, by their entries',
      tried('https://example.org/f1'),
      tried('https://example.org/f2', { links: posts.map((post, n) => `${post}#comment-${n}`) }),
    ],
    [
      'posts before replies',
      tried('https://example.org/f1'),
      tried('https://example.org/f2', { entry: { inReplyTo: 'x' } }),
    ],
    ['the whole before a tag', tried('https://example.org/feed/'), tried('https://example.org/tag/cats/feed/')],
    ['the whole before a category', tried('https://example.org/feed/'), tried('https://example.org/?feed=rss2&cat=3')],
    ['the whole before an author', tried('https://example.org/feed/'), tried('https://example.org/author/anna/feed/')],
    [
      'the whole before a category, by its name',
      tried('https://example.org/f1'),
      tried('https://example.org/f2', { linkTitle: 'The Example » Cats Category Feed' }),
    ],
    ['articles before a podcast', tried('https://example.org/feed/'), tried('https://example.org/podcast/feed/')],
    [
      'articles before nothing but sound',
      tried('https://example.org/f1'),
      tried('https://example.org/f2', {
        entry: { enclosures: [{ url: 'https://example.org/1', type: 'audio/mpeg' }] },
      }),
    ],
    [
      'the site before elsewhere',
      tried('https://example.org/f1', { via: 'body' }),
      tried('https://feeds.example.net/f2'),
    ],
    [
      'elsewhere, if the page says so, before comments of the site',
      tried('https://feeds.example.net/main'),
      tried('https://example.org/comments/feed'),
    ],
    [
      'what the page declares before what it links',
      tried('https://example.org/f1'),
      tried('https://example.org/f', { via: 'body' }),
    ],
    [
      'the one named like the site',
      tried('https://example.org/f1', { title: 'The Example - RSS feed' }),
      tried('https://example.org/f2', { title: 'Something else' }),
    ],
    [
      'the one with news',
      tried('https://example.org/f1'),
      tried('https://example.org/f2', { newestAt: now - 400 * DAY }),
    ],
    [
      'the one whose entries are of the site',
      tried('https://example.org/f1'),
      tried('https://example.org/f2', { links: posts.map((_, n) => `https://elsewhere.example/${n}`) }),
    ],
    [
      'the one that has entries',
      tried('https://example.org/f1', { via: 'probe' }),
      tried('https://example.org/f2', { links: [], via: 'host-rule' }),
    ],
  ])('%s', (_, wanted, other) => {
    expect(best([other, wanted])).toBe(wanted.finalUrl)
  })

  it('is the first in the document, if nothing else decides', () => {
    const feeds = [tried('https://example.org/a-long-address'), tried('https://example.org/b')]
    expect(best(feeds)).toBe('https://example.org/a-long-address')
  })

  it.each<[string, string, TriedFeed, TriedFeed]>([
    [
      "a tag's page",
      'https://example.org/tag/cats/',
      tried('https://example.org/tag/cats/feed/'),
      tried('https://example.org/feed/'),
    ],
    [
      "a tag's page without a feed",
      'https://example.org/tag/cats/',
      tried('https://example.org/feed/'),
      tried('https://example.org/tag/dogs/feed/'),
    ],
    [
      "a folder's page",
      'https://example.org/blog/',
      tried('https://example.org/blog/feed.xml'),
      tried('https://example.org/feed.xml'),
    ],
    [
      "a post's page",
      'https://example.org/post/',
      tried('https://example.org/feed/'),
      tried('https://example.org/post/feed/', { title: 'Comments on: Post' }),
    ],
  ])('of %s is the feed that belongs to it', (_, url, wanted, other) => {
    expect(best([other, wanted], { url: address(url), title: '' })).toBe(wanted.finalUrl)
  })

  it('may contain a word for minor feeds that is the name of the site', () => {
    const site = { url: address('https://example.org/'), title: 'Comments and Replies' }
    const feeds = [tried('https://example.org/f1', { title: 'Comments and Replies' }), tried('https://example.org/f2')]
    expect(best(feeds, site)).toBe('https://example.org/f1')
  })

  it('has the shortest address where nothing else decides', () => {
    const [first, second] = [tried('https://example.org/longer'), tried('https://example.org/short')]
    // Eleven others, so that both have the same position penalty.
    const others = Array.from({ length: 11 }, (_, n) => tried(`https://example.org/tag/${n}/feed`))
    expect(best([...others, first, second])).toBe('https://example.org/short')
  })

  it('is never on another site that the page does not name', () => {
    expect(rankFeeds([tried('https://other.example/rss', { via: 'body' })], page)).toEqual([])
  })

  it('may be on another site that the site itself redirects to', () => {
    const sent = tried('https://feeds.example.net/x', { via: 'probe', askedUrl: 'https://example.org/feed' })
    expect(best([sent])).toBe('https://feeds.example.net/x')
  })

  it('depends on the sameSite function of the caller', () => {
    const feeds = [tried('https://a.example/feed'), tried('https://b.example/feed')]
    const sameSite = (a: string, b: string) => a === b || a === 'b.example'
    expect(rankFeeds(feeds, page, sameSite)[0]?.url).toBe('https://b.example/feed')
  })

  it('comes with the reasons', () => {
    const [ranked] = rankFeeds([tried('https://example.org/feed', { title: 'The Example' })], page)
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
    const twice = [tried('https://example.org/feed'), tried('https://example.org/feed', { via: 'body' })]
    expect(rankFeeds(twice, page)).toHaveLength(1)
    expect(rankFeeds([], page)).toEqual([])
  })
})

describe('rankFeeds: documents with the same entries', () => {
  const rssUrl = 'https://example.org/rss'
  const atomUrl = 'https://example.org/atom-feed.xml'

  function ranking(rss: Sketch, atom: Sketch) {
    return rankFeeds(
      [tried(rssUrl, { links: posts, ...rss }), tried(atomUrl, { links: posts, format: 'atom', ...atom })],
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
    ['one is an entry behind', [...posts.slice(1), 'https://example.org/post/old'], true],
    ['they are counted by campaigns', posts.map((post) => `${post}?utm_source=atom`), true],
    ['they differ in http and www', posts.map((post) => post.replace('https://', 'http://www.')), true],
    ['they are in another order', posts.toReversed(), true],
    [
      'a third differs',
      [...posts.slice(0, 6), 'https://example.org/1', 'https://example.org/2', 'https://example.org/3'],
      false,
    ],
    ['one is a part of the other', [posts[7]!, posts[9]!], false],
    ['one is empty', [], false],
  ])('are recognized by their entries: %s', (_, links, same) => {
    expect(ranking({}, { links }).some((line) => line.includes(' = '))).toBe(same)
  })

  it('get the score of the best among them', () => {
    const feeds = [
      tried(rssUrl, { links: posts }),
      tried('https://example.org/other'),
      tried(atomUrl, { links: posts, format: 'atom', via: 'body' }),
    ]
    expect(rankFeeds(feeds, page).map(({ url }) => url)).toEqual([atomUrl, 'https://example.org/other', rssUrl])
  })

  it('are represented by the one on the site where the page names another site', () => {
    const feeds = [
      tried('https://hoster.example/feed/@anna', { links: posts, format: 'atom' }),
      tried('https://example.org/feed', { links: posts, via: 'body' }),
    ]
    expect(best(feeds)).toBe('https://example.org/feed')
  })

  it('are found among feeds of twenty thousand entries', () => {
    const links = Array.from({ length: 20_000 }, (_, n) => `https://example.org/${n}`)
    const feeds = Array.from({ length: 10 }, (_, n) => tried(`https://example.org/feed${n}`, { links }))
    expect(rankFeeds(feeds, page).filter(({ sameListAs }) => sameListAs === undefined)).toHaveLength(1)
  })
})

it('prefers the feed of a section for its page, and the first of many to a short one that names a topic', () => {
  const all = tried('https://example.org/rss/1001.xml', { title: 'The Example' })
  const science = tried('https://example.org/rss/1007.xml', { title: 'Example topics: Science', via: 'body' })
  expect(best([all, science], { url: address('https://example.org/sections/science/') })).toBe(science.finalUrl)
  expect(best([all, science])).toBe(all.finalUrl)
  const subjects = ['beer', 'wine', 'bread', 'cheese', 'salads', 'pastry'].map((name) =>
    tried(`https://example.org/${name}`),
  )
  expect(best([all, ...subjects])).toBe(all.finalUrl)
})
