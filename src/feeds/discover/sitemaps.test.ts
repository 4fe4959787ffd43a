import { describe, expect, it } from 'vitest'
import { address } from '../../model/address.fixture.ts'
import { listedSitemaps, sitemapAddresses } from './sitemaps.ts'
import { sameSiteByName } from './user-address.ts'

const SITE = 'https://site.example/'

describe('addresses of sitemaps', () => {
  it.each<[string, string[], string[]]>([
    ['of news first', ['a.xml', 'news.xml', 'posts.xml', 'pages.xml'], ['news.xml', 'posts.xml', 'a.xml', 'pages.xml']],
    ['the latest number first', ['map-2.xml', 'map-10.xml', 'map-9.xml'], ['map-10.xml', 'map-9.xml', 'map-2.xml']],
    ['without newsletters', ['newsletter.xml', 'blog.xml'], ['blog.xml', 'newsletter.xml']],
  ])('that robots.txt names are tried %s', (_, named, expected) => {
    const addresses = sitemapAddresses(
      address(SITE),
      named.map((path) => SITE + path),
      sameSiteByName,
    )
    expect(addresses).toEqual(expected.map((path) => SITE + path))
  })

  it('are usual ones if robots.txt names none of the site', () => {
    const usual = sitemapAddresses(
      address(`${SITE}blog/`),
      ['https://other.example/news.xml', 'nonsense'],
      sameSiteByName,
    )
    expect(usual.slice(0, 3)).toEqual(
      ['sitemap-news.xml', 'news-sitemap.xml', 'sitemap.xml'].map((path) => SITE + path),
    )
  })
})

describe('a list of sitemaps', () => {
  const listed = (text: string) => listedSitemaps({ text, url: address(`${SITE}index.xml`) }, sameSiteByName)
  const list = (...children: [string, string?][]) =>
    `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${children
      .map(
        ([path, date]) =>
          `<sitemap><loc>${new URL(path, SITE)}</loc>${date ? `<lastmod>${date}</lastmod>` : ''}</sitemap>`,
      )
      .join('')}</sitemapindex>`

  it.each<[string, string, string[]]>([
    ['news first', list(['a.xml', '2026-01-05'], ['google-news.xml']), ['google-news.xml', 'a.xml']],
    ['then the latest', list(['a.xml', '2026-01-04'], ['b.xml', '2026-01-05']), ['b.xml', 'a.xml']],
    ['then the highest number', list(['map-2026-9.xml'], ['map-2026-11.xml']), ['map-2026-11.xml', 'map-2026-9.xml']],
    [
      'articles before pages',
      list(['page-sitemap.xml', '2026-01-05'], ['post-sitemap.xml']),
      ['post-sitemap.xml', 'page-sitemap.xml'],
    ],
    ['none of other sites', list(['https://other.example/a.xml'], ['ftp://site.example/a.xml']), []],
    ['none twice', list(['a.xml'], ['a.xml']), ['a.xml']],
  ])('gives %s', (_, text, expected) => {
    expect(listed(text)).toEqual(expected.map((path) => SITE + path))
  })

  it.each([
    '',
    '<urlset><url><loc>https://site.example/a</loc></url></urlset>',
    '<html><sitemap><loc>/a</loc></sitemap>',
  ])('is not %j', (text) => {
    expect(listed(text)).toEqual([])
  })
})
