import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseFeed } from './parse-feed.ts'
import { FEED_LIMITS, type ParsedFeed } from './parsed-feed.ts'

const FIXTURES = new URL('../../../test/fixtures/feeds/', import.meta.url)

/** In the format of the expected values beside the fixtures: instants as dates. */
function readable(value: unknown): unknown {
  const withDates = (name: string, value: unknown) =>
    name.endsWith('At') && typeof value === 'number' ? new Date(value).toISOString() : value
  return JSON.parse(JSON.stringify(value, withDates))
}

function parse(text: string, url = 'https://site.example/feed'): ParsedFeed {
  const feed = parseFeed(Buffer.from(text), { url })
  if (feed.kind !== 'feed') throw new Error(feed.reason)
  return feed
}

const rss = (items: string, head = '') => `<rss version="2.0"><channel><title>T</title>${head}${items}</channel></rss>`
const atom = (entries: string) => `<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title>${entries}</feed>`

describe('fixtures', () => {
  const names = readdirSync(FIXTURES).filter((name) => !name.endsWith('.json'))
  it.each(names)('%s is parsed as expected', (name) => {
    const feed = parseFeed(readFileSync(new URL(name, FIXTURES)), { url: 'https://site.example/feed' })
    const expected = JSON.parse(readFileSync(new URL(name.replace(/\.\w+$/, '.json'), FIXTURES), 'utf8'))
    expect(readable(feed)).toEqual(expected)
  })
})

describe('invalid addresses', () => {
  it.each(['http://', 'http://[hub', 'https://a b.example/', 'mailto:ada@example.org', 'http://a:99999/', 'urn:x:1'])(
    '%s is no site, hub, self or next page',
    (address) => {
      const links = ['hub', 'self', 'next'].map((rel) => `<atom:link rel="${rel}" href="${address}"/>`).join('')
      const ns = 'xmlns:atom="http://www.w3.org/2005/Atom"'
      const head = `<link>${address}</link>${links}`
      const json = { items: [], home_page_url: address, feed_url: address, next_url: address, hubs: [{ url: address }] }
      for (const text of [rss('', head).replace('<rss', `<rss ${ns}`), JSON.stringify(json)]) {
        const { facts, nextUrl } = parse(text)
        expect(facts).toEqual({ format: expect.any(String), ...(facts.title && { title: 'T' }) })
        expect(nextUrl).toBeUndefined()
      }
    },
  )

  it('do not hide valid ones of the same kind', () => {
    const links = '<link rel="hub" href="http://[hub"/><link rel="hub" href="/hub"/>'
    expect(parse(atom(links)).facts.hub).toBe('https://site.example/hub')
    const hubs = [{ url: 'http://' }, { url: 'https://hub.example/' }]
    expect(parse(JSON.stringify({ items: [], hubs })).facts.hub).toBe('https://hub.example/')
  })
})

describe('documents that are not feeds', () => {
  it.each([
    ['', 'it is empty'],
    [' \n\t', 'it is empty'],
    ['<!DOCTYPE html><html><body>about <rss> and such</body></html>', 'it is a web page'],
    ['<!DOCTYPE html><p>about <rss> and such</p>', 'it is a web page'],
    ['<html><head><title>x</title></head><feed></feed></html>', 'it begins with <html>'],
    ['just text', 'there is neither <rss>, <feed>, <rdf:RDF> nor a JSON Feed in it'],
    ['<opml version="2.0"><body><outline/></body></opml>', 'it begins with <opml>'],
    ['<sitemapindex><sitemap><loc>https://a.example/b.xml</loc></sitemap></sitemapindex>', 'it is a list of sitemaps'],
    ['{"name": "a package"}', 'it is JSON, but not a JSON Feed'],
    ['{"version": ', 'it is invalid JSON'],
  ])('says why %j is not a feed', (text, reason) => {
    expect(parseFeed(Buffer.from(text))).toEqual({ kind: 'not-a-feed', reason })
  })
})

describe('documents with other content', () => {
  const xmp =
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description tiff:Orientation="1"/></rdf:RDF></x:xmpmeta>'

  it('does not take a picture with RDF metadata for a feed', () => {
    const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]), Buffer.from(xmp)])
    expect(parseFeed(png, { contentType: 'image/png' })).toEqual({ kind: 'not-a-feed', reason: 'it is not text' })
  })

  it('does not take RDF without channel and items for a feed', () => {
    expect(parseFeed(Buffer.from(xmp))).toEqual({ kind: 'not-a-feed', reason: 'it is RDF without a channel' })
    const { entries } = parse('<rdf:RDF><item rdf:about="https://site.example/1"><title>Low</title></item></rdf:RDF>')
    expect(entries.map(({ title }) => title)).toEqual(['Low'])
  })

  it.each([
    ['<html><body>', '</body></html>'],
    ['<html xmlns="http://www.w3.org/1999/xhtml"><head></head><body>', '</body></html>'],
    ['<!DOCTYPE html><html><head/><body>\n', '\n'],
  ])('reads a feed wrapped in %j', (before, after) => {
    const entries = '<entry><id>1</id><title>High</title><link href="/high"></entry>'
    const feed = parse(`${before}${atom(entries)}${after}`)
    expect([feed.facts.format, feed.entries.length]).toEqual(['atom', 1])
    expect(feed.entries[0]).toMatchObject({ title: 'High', url: 'https://site.example/high' })
    expect(parse(`${before}${rss('<item><title>Low</title></item>')}${after}`).entries).toHaveLength(1)
  })

  it('does not take a page with a custom element called feed for a feed', () => {
    const page = '<html><body><feed class="timeline"><entry>Low</entry></feed></body></html>'
    expect(parseFeed(Buffer.from(page))).toEqual({ kind: 'not-a-feed', reason: 'it begins with <html>' })
  })
})

describe('authors', () => {
  const authors = (entry: string) => {
    const inRss = parse(rss(`<item><title>Low</title>${entry}</item>`)).entries[0]
    const inAtom = parse(atom(`<entry><id>1</id><title>Low</title>${entry}</entry>`)).entries[0]
    expect(inRss?.authors).toEqual(inAtom?.authors)
    return inRss?.author
  }

  it.each([
    '<author><name></name></author>',
    '<author><name> \n </name></author>',
    '<author><name/></author>',
    '<author><name>&#160;</name><uri></uri><email/></author>',
    '<author>&lt;name&gt;&lt;/name&gt;</author>',
    '<author><![CDATA[<name></name>]]></author>',
    '<author><nmae></nmae></author>',
    '<author/>',
    '<dc:creator><name></name></dc:creator>',
  ])('%s has no author', (author) => expect(authors(author)).toBeUndefined())

  it.each([
    ['<author><nmae>Ada Eel</nmae></author>', 'Ada Eel'],
    ['<author><name></name><fullname>Ada Eel</fullname></author>', 'Ada Eel'],
    ['<author><b>Ada</b> Eel</author>', 'Ada Eel'],
    ['<author><name/></author><dc:creator>Kim Eel</dc:creator>', 'Kim Eel'],
    ['<author>Ada Eel &lt;ada@site.example&gt;</author>', 'Ada Eel'],
  ])('%s has an author', (author, name) => expect(authors(author)).toBe(name))

  it('do not include the photographer', () => {
    const picture = '<media:content url="/a.jpg" type="image/jpeg"><media:credit>Lu Kelp</media:credit></media:content>'
    const bare =
      '<media:content url="/a"><media:credit scheme="urn:ebu">Photograph: Lu Kelp</media:credit></media:content>'
    expect([picture, bare, '<media:credit>Lu Kelp</media:credit>'].map(authors).filter(Boolean)).toEqual([])
    const film = picture.replace('image/jpeg', 'video/mp4')
    expect(authors(film)).toBe('Lu Kelp')
    expect(authors(`<dc:creator>Kim Eel</dc:creator>${picture}`)).toBe('Kim Eel')
  })
})

describe('titles and texts', () => {
  it('treats an Atom title as text unless declared as HTML', () => {
    const { entries } = parse(
      atom(
        '<entry><id>1</id><title>a &lt;b&gt; c</title></entry><entry><id>2</id><title type="html">a &lt;b&gt;c</title></entry>',
      ),
    )
    expect(entries.map(({ title }) => title)).toEqual(['a <b> c', 'a c'])
  })

  it('escapes Atom text where HTML is expected', () => {
    const [entry] = parse(atom('<entry><id>1</id><summary type="text">1 &lt; 2 &lt;/p&gt;</summary></entry>')).entries
    expect(entry).toMatchObject({ summary: '1 &lt; 2 &lt;/p&gt;', summaryText: '1 < 2 </p>' })
  })

  it('treats an untyped summary as HTML where it clearly is', () => {
    const [entry] = parse(atom('<entry><id>1</id><summary>&lt;p&gt;x&lt;/p&gt;</summary></entry>')).entries
    expect(entry?.summary).toBe('<p>x</p>')
    expect(entry?.summaryText).toBeUndefined()
  })

  it('keeps XML inside Atom content unchanged, even if it is a feed', () => {
    const { entries } = parse(
      atom('<entry><id>1</id><content type="application/xml"><feed><entry><id>2</id></entry></feed></content></entry>'),
    )
    expect(entries.map(({ key }) => key)).toEqual(['1'])
  })

  it('truncates long titles', () => {
    const [entry] = parse(rss(`<item><title>${'word '.repeat(2000)}</title></item>`)).entries
    expect(entry?.title).toHaveLength(FEED_LIMITS.line)
  })
})

describe('addresses', () => {
  it.each(['tag:site.example,2026:1', 'urn:uuid:1', 'mailto:ada@site.example', 'ftp://site.example/1'])(
    '%s is the address of no entry',
    (link) => {
      const texts = [
        rss(`<item><title>Low</title><link>${link}</link></item>`),
        atom(`<entry><id>${link}</id><title>Low</title><link href="${link}"/></entry>`),
        rss(`<item><title>Low</title><enclosure url="${link}"/></item>`),
        JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', items: [{ id: '1', title: 'Low', url: link }] }),
      ]
      expect(texts.map((text) => parse(text).entries[0]?.url)).toEqual(texts.map(() => undefined))
    },
  )

  it('a link to something else does not hide a page', () => {
    const links = '<link href="tag:site.example,2026:1"/><link href="/low"/>'
    expect(parse(atom(`<entry><id>1</id>${links}</entry>`)).entries[0]?.url).toBe('https://site.example/low')
  })

  it('resolves against xml:base, which may be relative', () => {
    const { entries } = parse(
      '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/a/"><entry xml:base="b/"><id>1</id><link href="c"/></entry></feed>',
    )
    expect(entries[0]?.url).toBe('https://site.example/a/b/c')
  })

  it('resolves against the base of its own document, even if another one had the same root tag', () => {
    const text = '<feed xml:lang="de" xml:base="a/"><entry><id>1</id><link href="c"/></entry></feed>'
    const read = ['https://one.example/', 'https://two.example/'].map((url) => parse(text, url))
    expect(read.map(({ entries }) => entries[0]?.url)).toEqual(['https://one.example/a/c', 'https://two.example/a/c'])
    expect(read.map(({ facts }) => facts.language)).toEqual(['de', 'de'])
  })

  it('decodes prefixes with its own entities, even if another document had the same root tag', () => {
    const declaring = (address: string) =>
      `<!DOCTYPE rss [<!ENTITY ns "${address}">]><rss xmlns:q="&ns;"><channel><item><q:creator>Jo</q:creator></item></channel></rss>`
    expect(parse(declaring('http://purl.org/dc/elements/1.1/')).entries[0]?.author).toBe('Jo')
    expect(parse(declaring('http://search.yahoo.com/mrss/')).entries).toEqual([])
    expect(parse(declaring('http://purl.org/dc/elements/1.1/')).entries[0]?.author).toBe('Jo')
  })

  it('rejects script addresses', () => {
    const { entries } = parse(rss('<item><title>x</title><link>javascript:alert(1)</link></item>'))
    expect(entries[0]?.url).toBeUndefined()
  })

  it('uses a guid as the address only where it may be one', () => {
    const { entries } = parse(
      rss(
        '<item><guid>https://a.example/1</guid></item><item><guid isPermaLink="false">https://a.example/2</guid></item>' +
          '<item><guid>3</guid></item>',
      ),
    )
    expect(entries.map(({ url }) => url)).toEqual(['https://a.example/1', undefined, undefined])
  })

  it('prefers the original address to a redirect through a tracking service', () => {
    const { entries } = parse(
      rss(
        '<item><link>https://counter.example/~r/1</link><feedburner:origLink>https://site.example/1</feedburner:origLink></item>',
      ),
    )
    expect(entries[0]?.url).toBe('https://site.example/1')
  })

  it('limits growth by a long base', () => {
    const base = `https://site.example/${'x'.repeat(2000)}/`
    const html = '&lt;a href="y"&gt;'.repeat(5_000)
    const [entry] = parse(rss(`<item><description>${html}</description></item>`), base).entries
    expect(entry!.summary!.length).toBeLessThan(4 * html.length)
  })
})

describe('malformed XML', () => {
  it('ends an element without end tag where the next one starts', () => {
    const [entry] = parse(rss('<item><title>One<guid>1</guid><pubDate>2024-05-06</item>')).entries
    expect(entry).toMatchObject({ title: 'One', key: '1', publishedAt: Date.UTC(2024, 4, 6), dateOnly: true })
  })

  it('keeps text around unclosed unknown elements', () => {
    const { facts, entries } = parse(
      rss('<item><x:y><title>One</title></item>', '<x:y><link>https://a.example/</link>'),
    )
    expect(facts.siteUrl).toBe('https://a.example/')
    expect(entries[0]?.title).toBe('One')
  })

  it('skips unknown elements with their content', () => {
    const [entry] = parse(rss('<item><x:y><title>Wrong</title></x:y><title>Right</title></item>')).entries
    expect(entry?.title).toBe('Right')
  })

  it('knows conventional prefixes without declaration, and others with one', () => {
    const [entry] = parse(
      '<rss xmlns:q="http://purl.org/dc/elements/1.1/"><channel><item><title>x</title><q:creator>Ann</q:creator>' +
        '<content:encoded>c</content:encoded></item></channel></rss>',
    ).entries
    expect(entry).toMatchObject({ author: 'Ann', content: 'c' })
  })

  it('keeps the last item of a truncated document if its key is certain', () => {
    const { entries, cut } = parse('<rss><channel><item><guid>1</guid></item><item><guid>2</guid><title>half a ti')
    expect(cut).toBe(true)
    expect(entries.map(({ key, title }) => [key, title])).toEqual([
      ['1', ''],
      ['2', ''],
    ])
  })

  it('is not confused by names of object properties', () => {
    const { entries } = parse(
      '<rss xmlns:constructor="constructor" xmlns:q="toString"><channel><sy:updatePeriod>constructor</sy:updatePeriod><item>' +
        '<constructor:title>x</constructor:title><q:title>x</q:title><title>y</title><itunes:explicit>constructor</itunes:explicit>' +
        '<author><valueOf>z</valueOf></author><pubDate>Mon, 06 May 2024 08:00:00 constructor</pubDate></item></channel></rss>',
    )
    expect(readable(entries)).toMatchObject([{ title: 'y', publishedAt: '2024-05-06T08:00:00.000Z' }])
    expect(entries[0]).not.toHaveProperty('explicit')
  })

  it('drops empty items', () => {
    expect(parse(rss('<item/><item></item><item><title> </title></item>')).entries).toEqual([])
  })

  it('limits the number of entries and counts the dropped ones', () => {
    const feed = parse(
      rss(Array.from({ length: FEED_LIMITS.entries + 5 }, (_, i) => `<item><guid>${i}</guid></item>`).join('')),
    )
    expect(feed.entries).toHaveLength(FEED_LIMITS.entries)
    expect(feed.droppedEntries).toBe(5)
  })
})

describe('entities declared by a document', () => {
  it('are decoded, also when nested', () => {
    const { facts } = parse(
      `<!DOCTYPE rss [<!ENTITY a "x"><!ENTITY b '&a;y'>]>${rss('', '<description>&b;&c;</description>')}`,
    )
    expect(facts.description).toBe('xy&c;')
  })

  it('cannot explode in size', () => {
    const laughs = Array.from({ length: 30 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')
    const body = rss(`<item><guid>1</guid><description>${'&l30;&l3;&l2;'.repeat(10_000)}</description></item>`)
    const [entry] = parse(`<!DOCTYPE rss [<!ENTITY l0 "ha">${laughs}]>${body}`).entries
    expect(entry!.summary!.length).toBeLessThan(body.length + FEED_LIMITS.entityGrowth)
  })
})
