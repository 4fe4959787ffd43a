import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseOpml, parseOpmlInSteps } from './parse-opml.ts'
import { createOpmlWriter, type OpmlFeed, writeOpml } from './write-opml.ts'

/** The outlines of valid OPML. */
function outlinesOf(text: string) {
  const reading = parseOpml(text)
  if (reading.kind !== 'opml') throw new Error(`not OPML: ${reading.reason}`)
  return reading.outlines
}

function inBody(body: string): string {
  return `<?xml version="1.0"?><opml version="2.0"><head><title>List</title></head><body>${body}</body></opml>`
}

describe('parseOpml', () => {
  it('reads feeds, their sites and their folders', () => {
    const text = inBody(`
      <outline text="Loose" xmlUrl="https://loose.example/feed"/>
      <outline text="News">
        <outline text="Daily" title="The Daily" type="rss" xmlUrl="https://daily.example/rss" htmlUrl="https://daily.example/"/>
        <outline text="Local">
          <outline text="Village" xmlUrl="https://village.example/atom.xml"></outline>
        </outline>
        <outline text="Weekly" xmlUrl="https://weekly.example/rss"/>
      </outline>
      <outline text="Last" xmlUrl="https://last.example/rss"/>`)
    expect(parseOpml(text)).toEqual({
      kind: 'opml',
      title: 'List',
      unusable: [],
      outlines: [
        { url: 'https://loose.example/feed', kind: 'feed', title: 'Loose' },
        {
          url: 'https://daily.example/rss',
          kind: 'feed',
          title: 'The Daily',
          siteUrl: 'https://daily.example/',
          folder: 'News',
        },
        { url: 'https://village.example/atom.xml', kind: 'feed', title: 'Village', folder: 'News / Local' },
        { url: 'https://weekly.example/rss', kind: 'feed', title: 'Weekly', folder: 'News' },
        { url: 'https://last.example/rss', kind: 'feed', title: 'Last' },
      ],
    })
  })

  it.each<[string, string, object]>([
    [
      'raw ampersands',
      '<outline text="A & B" xmlUrl="http://a.example/?x=1&y=2&copy=3"/>',
      { title: 'A & B', url: 'http://a.example/?x=1&y=2&copy=3' },
    ],
    [
      'HTML entities',
      '<outline text="Caf&eacute; &#8211; &quot;x&quot;" xmlUrl="http://a.example/?x=1&amp;y=2"/>',
      { title: 'Café – "x"', url: 'http://a.example/?x=1&y=2' },
    ],
    [
      'attributes in any case',
      '<OUTLINE TEXT="A" XMLURL="http://a.example/" HTMLurl="http://b.example/"/>',
      { url: 'http://a.example/', siteUrl: 'http://b.example/' },
    ],
    [
      'single quotes and no quotes',
      "<outline text='A b' xmlUrl=http://a.example/x />",
      { title: 'A b', url: 'http://a.example/x' },
    ],
    ['a bracket in a title', '<outline text="a < b > c" xmlUrl="http://a.example/"/>', { title: 'a < b > c' }],
    ['line breaks in a title', '<outline text=" a\n\t b " xmlUrl="http://a.example/"/>', { title: 'a b' }],
    ['a feed: address', '<outline text="A" xmlUrl="feed://a.example/rss"/>', { url: 'https://a.example/rss' }],
    ['an address without a scheme', '<outline text="A" xmlUrl="a.example/rss"/>', { url: 'https://a.example/rss' }],
    [
      'a title that equals the address',
      '<outline text="http://a.example/" xmlUrl="http://a.example/"/>',
      { url: 'http://a.example/', kind: 'feed' },
    ],
    [
      'a site without a feed',
      '<outline text="A" htmlUrl="http://a.example/"/>',
      { kind: 'site', url: 'http://a.example/' },
    ],
    ['a link', '<outline text="A" type="link" url="http://a.example/"/>', { kind: 'site', url: 'http://a.example/' }],
    [
      'a feed under `url`',
      '<outline text="A" type="rss" url="http://a.example/rss"/>',
      { kind: 'feed', url: 'http://a.example/rss' },
    ],
    [
      'an invalid feed address with a valid site',
      '<outline xmlUrl="nonsense" htmlUrl="http://a.example/"/>',
      { kind: 'site', url: 'http://a.example/' },
    ],
    [
      'a category instead of a folder',
      '<outline xmlUrl="http://a.example/" category="/News/Local,/Other"/>',
      { folder: 'News / Local' },
    ],
    [
      'a folder without a name',
      '<outline><outline text="F"><outline xmlUrl="http://a.example/"/></outline></outline>',
      { folder: 'F' },
    ],
    [
      'a folder with the attributes of a feed',
      '<outline text="F" xmlUrl=""><outline xmlUrl="http://a.example/"/></outline>',
      { folder: 'F' },
    ],
    [
      'a comment before it',
      '<!-- <outline xmlUrl="http://no.example/"/> --><outline xmlUrl="http://a.example/"/>',
      { url: 'http://a.example/' },
    ],
  ])('reads %s', (_, body, expected) => {
    const [outline] = outlinesOf(inBody(body))
    expect(outline).toMatchObject(expected)
  })

  it.each<[string, string]>([
    ['no <body>', '<opml><head><title>x</title></head><outline xmlUrl="http://a.example/"/></opml>'],
    ['no <opml>', '<outline text="F"><outline xmlUrl="http://a.example/"/></outline>'],
    [
      'no end tag',
      '<opml version="1.0"><body><outline text="F"><outline text="A" xmlUrl="http://a.example/"'.concat('>'),
    ],
    ['a byte order mark and blank lines', `\ufeff\n\n${inBody('<outline xmlUrl="http://a.example/"/>')}`],
    ['a DOCTYPE with entities', `<!DOCTYPE opml [<!ENTITY a "b">]>${inBody('<outline xmlUrl="http://a.example/"/>')}`],
    ['stray end tags', inBody('</outline></outline></x><outline xmlUrl="http://a.example/"/>')],
  ])('reads a list with %s', (_, text) => {
    expect(outlinesOf(text).map(({ url }) => url)).toEqual(['http://a.example/'])
  })

  it('reads a title from CDATA among blanks', () => {
    expect(parseOpml('<opml><head><title> <![CDATA[A & B]]> </title></head></opml>')).toMatchObject({ title: 'A & B' })
  })

  it('keeps folders right where outlines of feeds are never closed', () => {
    const text = inBody(`
      <outline text="One">
        <outline text="A" xmlUrl="http://a.example/">
        <outline text="B" xmlUrl="http://b.example/">
      </outline>
      <outline text="Two">
        <outline text="C" xmlUrl="http://c.example/">
        <outline text="D" xmlUrl="http://d.example/">
      </outline>
      <outline text="E" xmlUrl="http://e.example/">`)
    expect(outlinesOf(text).map(({ title, folder }) => [title, folder])).toEqual([
      ['A', 'One'],
      ['B', 'One'],
      ['C', 'Two'],
      ['D', 'Two'],
      ['E', undefined],
    ])
  })

  it('accepts web addresses only, reports the others, and drops duplicates', () => {
    const text = inBody(`
      <outline text="A" xmlUrl="http://a.example/"/>
      <outline text="A again" xmlUrl="HTTP://A.example"/>
      <outline text="script" xmlUrl="javascript:alert(1)"/>
      <outline text="file" xmlUrl="file:///etc/passwd"/>
      <outline text="empty" xmlUrl=""/>
      <outline text="a note"/>`)
    const reading = parseOpml(text)
    expect(reading).toMatchObject({
      outlines: [{ url: 'http://a.example/', title: 'A' }],
      unusable: ['javascript:alert(1)', 'file:///etc/passwd', 'empty'],
    })
  })

  it.each([
    ['', 'it is empty'],
    [' \n ', 'it is empty'],
    ['<!doctype html><html><body>hello</body></html>', 'it is a web page'],
    ['<?xml version="1.0"?><rss><channel><title>x</title></channel></rss>', 'it is a feed itself, not a list of feeds'],
    ['<feed xmlns="http://www.w3.org/2005/Atom"/>', 'it is a feed itself, not a list of feeds'],
    ['https://a.example/', 'it has no <opml> element and no outlines'],
    ['{"outlines":[]}', 'it has no <opml> element and no outlines'],
  ])('says why %j is not OPML', (text, reason) => {
    expect(parseOpml(text)).toEqual({ kind: 'not-opml', reason })
  })

  it('accepts an empty list', () => {
    expect(parseOpml('<opml/>')).toEqual({ kind: 'opml', outlines: [], unusable: [] })
  })

  it('flattens folders below the eighth level', () => {
    const deep = '<outline text="f">'.repeat(20_000)
    const [outline] = outlinesOf(inBody(`${deep}<outline xmlUrl="http://a.example/"/>`))
    expect(outline?.folder).toBe(Array(8).fill('f').join(' / '))
  })

  it('reads a hundred thousand outlines', () => {
    const feeds = Array.from({ length: 100_000 }, (_, n) => ({
      url: `https://example.org/${n}/feed`,
      title: `Feed & number ${n}`,
      folder: `Folder ${n % 100} / ${n % 7}`,
    }))
    expect(outlinesOf(writeOpml({ title: 'Many', feeds }))).toHaveLength(100_000)
  })

  it.each([
    ['an endless attribute', inBody(`<outline text="${'x'.repeat(2_000_000)}" xmlUrl="http://a.example/"/>`)],
    ['half a million attributes', inBody(`<outline xmlUrl="http://a.example/" ${'a=b '.repeat(500_000)}/>`)],
    [
      'a hundred thousand open folders',
      inBody(`${'<outline text="x">'.repeat(100_000)}<outline xmlUrl="http://a.example/"/>`),
    ],
    [
      'three hundred thousand stray ends',
      inBody(`${'</outline>'.repeat(300_000)}<outline xmlUrl="http://a.example/"/>`),
    ],
    ['unterminated entities', inBody(`<outline text="${'&amp'.repeat(300_000)}" xmlUrl="http://a.example/"/>`)],
  ])('survives %s', (_, text) => {
    expect(outlinesOf(text)).toHaveLength(1)
  })

  it('never throws', () => {
    const fragment = fc.constantFrom(
      '<outline ',
      'xmlUrl="',
      'http://a.example/',
      '">',
      '/>',
      '</outline>',
      '<!--',
      '&',
      '<![CDATA[',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(fragment, fc.string())), (fragments) => {
        expect(parseOpml(fragments.join('')).kind).toMatch(/^(?:not-)?opml$/)
      }),
    )
  })
})

describe('writeOpml', () => {
  it('writes one outline per feed, in nested folders', () => {
    const feeds: OpmlFeed[] = [
      { url: 'https://a.example/', title: 'A', folder: 'X / Y' },
      { url: 'https://b.example/?a&b', title: 'B <"&>', siteUrl: 'https://b.example/' },
      { url: 'https://c.example/', title: '', folder: 'X' },
    ]
    expect(writeOpml({ title: 'My "list"', feeds })).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
  <head>
    <title>My &quot;list&quot;</title>
  </head>
  <body>
    <outline type="rss" text="B &lt;&quot;&amp;&gt;" title="B &lt;&quot;&amp;&gt;" xmlUrl="https://b.example/?a&amp;b" htmlUrl="https://b.example/"/>
    <outline text="X" title="X">
      <outline type="rss" text="https://c.example/" title="https://c.example/" xmlUrl="https://c.example/"/>
      <outline text="Y" title="Y">
        <outline type="rss" text="A" title="A" xmlUrl="https://a.example/"/>
      </outline>
    </outline>
  </body>
</opml>
`)
  })

  it('drops characters that XML cannot contain', () => {
    const text = writeOpml({
      title: '\u0000\ud800\u000b',
      feeds: [{ url: 'https://a.example/', title: 'a\u0001\uffffb' }],
    })
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\ufffe\uffff]/)
    expect(text.isWellFormed()).toBe(true)
    expect(outlinesOf(text)).toEqual([{ url: 'https://a.example/', kind: 'feed', title: 'ab' }])
  })

  it('writes what parseOpml reads back', () => {
    const line = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .map((text) =>
        text
          .replace(/\s+/g, ' ')
          .replace(/[\u0000-\u001f\u007f]/g, '')
          .trim(),
      )
      .filter((text) => text !== '')
    const name = line.filter((text) => !text.split(' ').includes('/'))
    const web = fc.webUrl({ withQueryParameters: true }).map((url) => new URL(url).href)
    const feed = fc.record(
      {
        url: web,
        title: line,
        siteUrl: web,
        folder: fc.array(name, { minLength: 1, maxLength: 6 }).map((names) => names.join(' / ')),
      },
      { requiredKeys: ['url', 'title'] },
    )
    const feeds = fc.uniqueArray(feed, { selector: ({ url }) => url, maxLength: 30 })
    fc.assert(
      fc.property(line, feeds, (title, list) => {
        const reading = parseOpml(writeOpml({ title, feeds: list as OpmlFeed[] }))
        const expected = list.map((feed) => ({ ...feed, kind: 'feed' }))
        const byUrl = (a: { url: string }, b: { url: string }) => (a.url < b.url ? -1 : 1)
        expect(reading).toMatchObject({ kind: 'opml', title, unusable: [] })
        if (reading.kind === 'opml') expect(reading.outlines.toSorted(byUrl)).toEqual(expected.toSorted(byUrl))
      }),
      { numRuns: 300 },
    )
  })
})

it('reads and writes a long list in chunks, without losses between them', () => {
  const feeds = Array.from({ length: 20_000 }, (_, i) => ({
    url: `https://www.site-${i}.example/feed?a=1&b=${'x'.repeat(i % 50)}`,
    title: `Geese > ducks, "no. ${i}"`,
    folder: `Folder ${i % 3} > all`,
  }))
  const list = createOpmlWriter('All')
  for (const feed of feeds) list.add(feed)
  const written = [...list.pieces()]
  expect(written.length).toBeGreaterThan(10)
  const text = written.join('')
  expect(text).toBe(writeOpml({ title: 'All', feeds }))

  const steps = parseOpmlInSteps(text.replaceAll('&gt;', '>'))
  let count = 0
  let step = steps.next()
  for (; !step.done; step = steps.next()) count++
  expect(count).toBeGreaterThan(10)
  const outlines = step.value.kind === 'opml' ? step.value.outlines : []
  expect(outlines.map(({ url }) => url).sort()).toEqual(feeds.map(({ url }) => url).sort())
  expect(new Set(outlines.map(({ folder }) => folder)).size).toBe(3)
  expect(outlines.every(({ title }) => title?.startsWith('Geese > ducks'))).toBe(true)
})

it('writes bidirectional marks as character references, which terminals ignore', () => {
  const marked = 'evil\u202egpj.exe\u2066\u200f\u061c'
  const text = writeOpml({
    title: marked,
    feeds: [{ url: 'https://a.example/feed', title: marked, folder: marked } as OpmlFeed],
  })
  expect(text).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/)
  expect(outlinesOf(text)).toMatchObject([{ title: marked, folder: marked }])
})
