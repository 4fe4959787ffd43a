import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { address } from '../../model/address.fixture.ts'
import type { WebAddress } from '../../model/index.ts'
import { feedLinks, pageTitle } from './find-feed-links.ts'

const url = address('https://www.example.org/blog/index.html')

/** The links found in a page, as "via address". */
function found(html: string, input: { linkHeader?: string; url?: WebAddress } = {}): string[] {
  return feedLinks({ html, url, ...input }).map((candidate) => `${candidate.via} ${candidate.url}`)
}

const rss = 'application/rss+xml'

describe('feedLinks: declared feeds', () => {
  it.each([
    ['RSS', `<link rel="alternate" type="${rss}" href="/f">`],
    ['Atom', '<link rel="alternate" type="application/atom+xml" href="/f">'],
    ['RDF', '<link rel="alternate" type="application/rdf+xml" href="/f">'],
    ['JSON Feed', '<link rel="alternate" type="application/feed+json" href="/f">'],
    ['old types', '<link rel="alternate" type="application/x.atom+xml" href="/f">'],
    ['older types', '<link rel="alternate" type="text/rss+xml" href="/f">'],
    ['plain XML', '<link rel="alternate" type="text/xml" href="/f">'],
    ['plain JSON', '<link rel="alternate" type="application/json" href="/f">'],
    ['a type with a charset', `<link rel="alternate" type="${rss}; charset=utf-8" href="/f">`],
    ['a type with spaces', `<link rel="alternate" type="  ${rss}  " href="/f">`],
    ['any case', `<LINK REL="ALTERNATE" TYPE="Application/RSS+XML" HREF="/f">`],
    ['any order', `<link href="/f" type="${rss}" rel="alternate">`],
    ['no quotes', `<link rel=alternate type=${rss} href=/f>`],
    ['single quotes', `<link rel='alternate' type='${rss}' href='/f'>`],
    ['a closing slash', `<link rel="alternate" type="${rss}" href="/f"/>`],
    ['line breaks', `<link\n  rel="alternate"\n\ttype="${rss}"\n  href="/f"\n>`],
    ['several rels', `<link rel="home ALTERNATE" type="${rss}" href="/f">`],
    ['rels separated by tabs', `<link rel="x\talternate\ny" type="${rss}" href="/f">`],
    ['rel=feed without a type', '<link rel="feed" href="/f">'],
    ['rel=feed among others', '<link rel="alternate feed" href="/f">'],
    ['no rel at all', `<link type="${rss}" href="/f">`],
    ['a custom rel', `<link rel="rss" type="${rss}" href="/f">`],
    ['a link in the body', `<body><p><link rel="alternate" type="${rss}" href="/f"></p>`],
    ['a link in a broken head', `<head><title>x</title><div><link rel="alternate" type="${rss}" href="/f">`],
    ['an attribute given twice', `<link rel="alternate" type="${rss}" href="/f" href="/other">`],
    ['spaces around the address', `<link rel="alternate" type="${rss}" href="  /f \n">`],
  ])('accepts %s', (_, html) => {
    expect(found(html)).toEqual(['link https://www.example.org/f'])
  })

  it.each([
    ['a stylesheet', `<link rel="alternate stylesheet" type="${rss}" href="/f">`],
    ['another language', '<link rel="alternate" hreflang="de" href="/de/">'],
    ['another language whose name resembles a feed', '<link rel="alternate" hreflang="de" href="/de/feedback">'],
    ['a mobile page', '<link rel="alternate" media="handheld" href="/m/newsfeed">'],
    ['an icon', '<link rel="icon" type="image/png" href="/rss.png">'],
    ['another rel', `<link rel="edituri" type="application/rsd+xml" href="/rsd">`],
    ['another rel with the type of a feed', `<link rel="service.post" type="application/atom+xml" href="/post">`],
    ['plain XML with another rel', '<link rel="sitemap" type="application/xml" href="/sitemap.xml">'],
    ['an API', '<link rel="alternate" type="application/json" href="/wp-json/wp/v2/posts/7">'],
    ['an oEmbed link', '<link rel="alternate" type="application/json+oembed" href="/oembed?format=json">'],
    ['an HTML feed', '<link rel="feed" type="text/html" href="/">'],
    ['no address', `<link rel="alternate" type="${rss}">`],
    ['an empty address', `<link rel="alternate" type="${rss}" href="">`],
    ['the page itself', `<link rel="alternate" type="${rss}" href="${url}#top">`],
    ['a script', `<link rel="alternate" type="${rss}" href="javascript:void(0)">`],
    ['a link in a comment', `<!-- <link rel="alternate" type="${rss}" href="/f"> -->`],
    ['a link in a script', `<script>'<link rel="alternate" type="${rss}" href="/f">'</script>`],
    ['a link in a text area', `<textarea><link rel="alternate" type="${rss}" href="/f"></textarea>`],
  ])('ignores %s', (_, html) => {
    expect(found(html)).toEqual([])
  })

  it('accepts <a> and <area> that declare one, after the links', () => {
    const html = `
      <a rel="alternate" type="${rss}" href="/a">x</a>
      <map><area rel="feed" href="/area"></map>
      <link rel="alternate" type="${rss}" href="/link">`
    expect(found(html)).toEqual([
      'link https://www.example.org/link',
      'anchor https://www.example.org/a',
      'anchor https://www.example.org/area',
    ])
  })

  it('reads the Link header first, and only links about this page', () => {
    const linkHeader = [
      '</style.css>; rel=preload',
      `</h1>; rel="alternate"; type="${rss}"; title="A \\"feed\\", of sorts"`,
      `</h2>;rel=alternate;type=application/atom+xml`,
      `</other>; rel="alternate"; type="${rss}"; anchor="/elsewhere"`,
      '</h3>; rel="feed"',
    ].join(', ')
    const candidates = feedLinks({ html: `<link rel=alternate type=${rss} href=/l>`, url, linkHeader })
    expect(candidates).toEqual([
      { url: 'https://www.example.org/h1', title: 'A "feed", of sorts', via: 'link-header' },
      { url: 'https://www.example.org/h2', via: 'link-header' },
      { url: 'https://www.example.org/h3', via: 'link-header' },
      { url: 'https://www.example.org/l', via: 'link' },
    ])
  })

  it.each([
    '<',
    '</x>; rel="alternate',
    ', , ,',
    '; rel=feed',
    `</x>${' '.repeat(20_000)}`,
    '</x>; ;;;=',
    '"'.repeat(9_999),
  ])('survives a broken Link header (%#)', (linkHeader) => {
    expect(found('', { linkHeader })).toEqual([])
  })

  it('keeps document order and drops duplicates', () => {
    const html = ['/2', '/1', '/2#x', '/3']
      .map((href) => `<link rel=alternate type=${rss} href="${href}" title="T${href}">`)
      .join('')
    expect(feedLinks({ html, url })).toEqual([
      { url: 'https://www.example.org/2', title: 'T/2', via: 'link' },
      { url: 'https://www.example.org/1', title: 'T/1', via: 'link' },
      { url: 'https://www.example.org/3', title: 'T/3', via: 'link' },
    ])
  })

  it('decodes titles and addresses', () => {
    const html = `<link rel=alternate type=${rss} href="/f?a=1&amp;b=2&c=3" title="Caf&eacute; &amp;  Co">`
    expect(feedLinks({ html, url })).toEqual([
      { url: 'https://www.example.org/f?a=1&b=2&c=3', title: 'Café & Co', via: 'link' },
    ])
  })

  it.each([
    ['', 'https://www.example.org/blog/f.xml'],
    ['<base href="/news/">', 'https://www.example.org/news/f.xml'],
    ['<base href="https://cdn.example.net/x/y">', 'https://cdn.example.net/x/f.xml'],
    ['<base target="_blank"><base href="/second/"><base href="/third/">', 'https://www.example.org/second/f.xml'],
    ['<base href="javascript:alert(1)">', 'https://www.example.org/blog/f.xml'],
  ])('respects <base>: %s', (base, address) => {
    const link = `<link rel=alternate type=${rss} href=f.xml>`
    expect(found(base + link)).toEqual([`link ${address}`])
    expect(found(link + base)).toEqual([`link ${address}`])
  })

  it('drops comments and tags first where a page declares too many feeds', () => {
    const tags = Array.from({ length: 30 }, (_, n) => `<link rel=alternate type=${rss} href="/tag/${n}/feed">`)
    const html = `<link rel=alternate type=${rss} href="/comments/feed">${tags.join('')}
      <link rel=alternate type=${rss} href="/feed">`
    const candidates = found(html)
    expect(candidates).toHaveLength(10)
    expect(candidates.at(-1)).toBe('link https://www.example.org/feed')
    expect(candidates[0]).toBe('link https://www.example.org/comments/feed')
  })

  it('keeps the shortest address of dozens, wherever it is', () => {
    const sections = Array.from({ length: 30 }, (_, i) => `/ressort-${i}/rss.xml`)
    const html = [...sections, '/rss.xml']
      .map((href) => `<link rel="alternate" type="application/rss+xml" href="${href}">`)
      .join('')
    const candidates = found(html)
    expect(candidates).toHaveLength(10)
    expect(candidates[0]).toBe('link https://www.example.org/ressort-0/rss.xml')
    expect(candidates.at(-1)).toBe('link https://www.example.org/rss.xml')
  })

  it('applies host rules to the canonical address', () => {
    const html = '<link rel="canonical" href="https://www.youtube.com/channel/UCinvented">'
    expect(found(html, { url: address('https://www.youtube.com/@invented') })).toEqual([
      'host-rule https://www.youtube.com/feeds/videos.xml?channel_id=UCinvented',
    ])
  })
})

describe('feedLinks: links that look like a feed', () => {
  it.each([
    '/rss',
    '/rss.xml',
    '/feed/',
    '/blog/index.xml',
    '/news.rss',
    '/news.atom',
    '/index.rdf',
    '/feeds/all',
    '/?feed=rss2',
    '/export?format=atom',
    '/feed.json',
    'https://feeds.example.org/main-rss',
    'http://example.org/rss',
  ])('accepts %s', (href) => {
    expect(found(`<a href="${href}">x</a>`)).toEqual([`body ${new URL(href, url)}`])
  })

  it.each([
    '/feedback',
    '/atomic-habits',
    '/press/',
    '/rss.html',
    '/images/rss.png',
    '/rss-icon.svg?v=2',
    '/sitemap.xml',
    '/wp-json/feed/',
    '/story/amp/?feed',
    'https://social.example.net/rss',
    'mailto:rss@example.org',
  ])('ignores %s', (href) => {
    expect(found(`<a href="${href}">x</a>`)).toEqual([])
  })

  it.each([
    '<a href="/abo">RSS</a>',
    '<a href="/abo"> <b>RSS</b>-Feed </a>',
    '<a href="/abo">Subscribe via RSS</a>',
    '<a href="/abo"><img src="i.png" alt="RSS"></a>',
    '<a href="/abo" title="Atom feed"><i class="icon"></i></a>',
    '<a href="/abo" aria-label="RSS"><svg><title>RSS</title></svg></a>',
    '<a href="/abo">RSS<a href="/x">other</a>',
  ])('accepts a link by its text: %s', (html) => {
    expect(found(`<title>t</title>${html}`)).toEqual(['body https://www.example.org/abo'])
  })

  it.each([
    '<a href="/abo">Read why RSS is the best way to follow the things that you like to read</a>',
    '<a href="/abo">press</a>',
  ])('ignores a link that only mentions feeds: %s', (html) => {
    expect(found(html)).toEqual([])
  })

  it('returns at most eight, main feeds rather than comments, in document order', () => {
    const links = Array.from({ length: 20 }, (_, n) => `<a href="/${n}/rss">x</a>`).join('')
    const candidates = found(`<a href="/comments/rss">x</a>${links}`)
    expect(candidates).toEqual(Array.from({ length: 8 }, (_, n) => `body https://www.example.org/${n}/rss`))
  })

  it('uses the sameSite function of the caller', () => {
    const html = '<a href="https://other.example/rss">x</a>'
    expect(feedLinks({ html, url, sameSite: () => true })).toHaveLength(1)
    expect(feedLinks({ html, url, sameSite: () => false })).toHaveLength(0)
  })
})

describe('feedLinks: hostile pages', () => {
  const link = `<link rel=alternate type=${rss} href=/f>`
  const expected = ['link https://www.example.org/f']

  it.each([
    ['twenty thousand nested elements', `${'<div>'.repeat(20_000)}${link}`],
    ['twenty thousand nested links', `${link}${'<a href="/x">'.repeat(20_000)}`],
    ['mismatched tags', `${link}${'<b>'.repeat(120_000)}${'</i>'.repeat(120_000)}`],
    ['an attribute of a megabyte', `${link}<a href="/rss${'x'.repeat(990_000)}">`],
    ['a title of a megabyte', `${link}<a title="${'&amp;'.repeat(190_000)}" href=/>`],
    ['a name of a megabyte', `${link}<${'a'.repeat(990_000)}`],
    ['a quarter of a million attributes', `${link}<link ${'a '.repeat(250_000)}>`],
    ['an unterminated comment', `${link}<!--${' -'.repeat(400_000)}`],
    ['an unterminated script', `${link}<script>${'</scrip'.repeat(100_000)}`],
    ['only brackets', `${link}${'<'.repeat(900_000)}`],
    ['an endless text', `${link}<a href="/rss.html">${'a '.repeat(400_000)}`],
    ['empty elements', `${link}<a href=/x>${'<i></i>x'.repeat(100_000)}`],
  ])('survives %s', (_, html) => {
    expect(found(html)).toEqual(expected)
  })

  it('limits the number of links and the length of the page', () => {
    const manyLinks = Array.from({ length: 10_000 }, (_, n) => `<link rel=alternate type=${rss} href=/${n}>`).join('')
    expect(found(manyLinks)).toHaveLength(10)
    expect(found(`${' '.repeat(4_000_000)}${link}`)).toEqual([])
    expect(found(`${' '.repeat(1_000_000)}${link}`)).toHaveLength(1)
  })

  it('returns distinct web addresses for any page', () => {
    const fragment = fc.constantFrom(
      '<link ',
      '<a ',
      'rel=feed ',
      'href="',
      'rss',
      '">',
      '</a>',
      '<base href=',
      '<!--',
      '<title>',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(fragment, fc.string())), fc.string(), (fragments, linkHeader) => {
        const addresses = feedLinks({ html: fragments.join(''), url, linkHeader }).map((candidate) => candidate.url)
        expect(new Set(addresses).size).toBe(addresses.length)
        for (const address of addresses) expect(address).toMatch(/^https?:\/\//)
      }),
    )
  })
})

describe('pageTitle', () => {
  it.each([
    ['<title> An &amp; example\n page </title>', 'An & example page'],
    ['<title>Home</title><meta property="og:site_name" content="The Example">', 'The Example'],
    ['<title></title>', undefined],
    ['<title>One</title><svg><title>Two</title></svg>', 'One'],
    ['no title', undefined],
  ])('%s', (html, title) => {
    expect(pageTitle(html)).toBe(title)
  })
})
