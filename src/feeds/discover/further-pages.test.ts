/** Which further pages are searched when a page names no feed, and declarations under unusual names. */
import { describe, expect, it } from 'vitest'
import { address } from '../../model/address.fixture.ts'
import { feedLinks, furtherPages, refreshTarget } from './find-feed-links.ts'

const url = address('https://tides.example/')
const declared = (href: string) => `<link rel="alternate" type="application/rss+xml" href="${href}">`

describe('further pages', () => {
  it.each<[string, string, string[]]>([
    ['the list of feeds', '<a href="/rss-feeds.html">RSS feeds</a>', ['https://tides.example/rss-feeds.html']],
    ['the blog', '<a href="/blog">Our blog</a>', ['https://tides.example/blog']],
    ['by its path', '<a href="/news/">What is new</a>', ['https://tides.example/news/']],
    [
      'the list first, and two at most',
      '<a href="/blog">Blog</a><a href="/news">News</a><a href="/help/rss">RSS</a>',
      ['https://tides.example/help/rss', 'https://tides.example/blog'],
    ],
    [
      'the page for desktops of a mobile page',
      '<link rel="canonical" href="https://www.tides.example/"><a href="/blog">Blog</a>',
      ['https://www.tides.example/', 'https://tides.example/blog'],
    ],
    ['no pages of another site', '<a href="https://other.example/blog">Blog</a>', []],
    ['no posts', '<a href="/blog/2026/low-water">Low water</a>', []],
  ])('%s', (_, html, pages) => {
    expect(furtherPages({ html, url })).toEqual(pages)
  })
})

it.each<[string, string | undefined]>([
  ['<meta http-equiv="refresh" content="0; url=/en/">', 'https://tides.example/en/'],
  ["<META HTTP-EQUIV='Refresh' CONTENT='0;URL=https://www.tides.example/'>", 'https://www.tides.example/'],
  ['<meta http-equiv="refresh" content="300">', undefined],
  ['<meta http-equiv="refresh" content="60; url=/later">', undefined],
  ['<meta http-equiv="refresh" content="0; url=/">', undefined],
])('%s leads to %s', (html, to) => {
  expect(refreshTarget({ html, url })).toBe(to)
})

describe('accepts feeds', () => {
  const found = (html: string) => feedLinks({ html, url }).map((feed) => feed.url)

  it.each<[string, string, string[]]>([
    ['declared with .htm', declared('/news.htm'), ['https://tides.example/news.htm']],
    ['whose query ends in .html', declared('/feed?of=/index.html'), ['https://tides.example/feed?of=/index.html']],
    ['not as pictures', declared('/news.png'), []],
    [
      'from FeedBurner, if the page links there',
      '<a href="https://feeds.feedburner.com/tides">RSS</a>',
      ['https://feeds.feedburner.com/tides'],
    ],
    ['not from other hosts', '<a href="https://other.example/feed.xml">RSS</a>', []],
    [
      'of topics before replies',
      declared('/posts.rss') + declared('/latest.rss'),
      ['https://tides.example/latest.rss', 'https://tides.example/posts.rss'],
    ],
    ['of posts that are not replies', declared('/posts.rss'), ['https://tides.example/posts.rss']],
  ])('%s', (_, html, feeds) => {
    expect(found(html)).toEqual(feeds)
  })
})
