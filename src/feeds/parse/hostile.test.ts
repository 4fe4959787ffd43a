/** Hostile input: parsing must be linear and never throw. */
import { readdirSync, readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainText } from '../../html/index.ts'
import { parseOpml } from '../opml/parse-opml.ts'
import { parseFeed } from './parse-feed.ts'
import { FEED_LIMITS } from './parsed-feed.ts'
import { decodeText } from './text/decode-text.ts'

const fill = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length))
const rss = (inside: string) => `<rss version="2.0"><channel><title>t</title>${inside}</channel></rss>`
const item = (inside: string) => rss(`<item><guid>1</guid>${inside}</item>`)
const urlset = (inside: string) => `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${inside}</urlset>`
const address = (path: string) => `<url><loc>https://site.example${path}</loc><lastmod>2026-01-05</lastmod></url>`
const atom = (inside: string) => `<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id>${inside}</entry></feed>`

const HOSTILE: Record<string, (length: number) => string> = {
  'elements nested without end': (n) => item(fill('<b>', n)),
  'the same element nested without end': (n) => item(fill('<description>', n)),
  'unknown elements nested in the channel': (n) => rss(fill('<zz:x>', n)),
  'elements that never end, in turn': (n) => item(fill('<title>a<link>b<author>c<pubDate>d', n)),
  'end tags of nothing': (n) => item(`<title>${fill('</b>', n)}`),
  'end tags misspelt': (n) => item(fill('<title>a</titel><author>b</authro>', n)),
  'end tags misspelt, one in an item': (n) => rss(fill('<item><title>a</titel></item>', n)),
  'halves of end tags': (n) => item(`<title>${fill('</titl', n)}`),
  'comments that never end': (n) => item(fill('<!--', n)),
  'comments that never end, in a field': (n) => item(`<description>${fill('<!-- ', n)}</description>`),
  'sections that never end': (n) => item(fill('<![CDATA[', n)),
  'sections that end too late': (n) => item(`<description>${fill('<![CDATA[</description ', n)}]]>`),
  'instructions that never end': (n) => item(fill('<?', n)),
  'items without end': (n) => rss(fill('<item>', n)),
  'items that are all alike': (n) => rss(fill('<item><description>a</description></item>', n)),
  'items with one guid': (n) =>
    rss(Array.from({ length: n / 50 }, (_, i) => `<item><guid>x</guid><title>${i}</title></item>`).join('')),
  'an attribute as long as the document': (n) => item(`<link href="${fill('a', n)}"/>`),
  'more attributes than anybody needs': (n) => item(`<link ${fill('a="b" ', n)}/>`),
  'quotes that never close': (n) => item(fill('<a b="', n)),
  'a name as long as the document': (n) => item(`<${fill('a', n)}>`),
  'more names than anybody needs': (n) => item(Array.from({ length: n / 8 }, (_, i) => `<n${i}>`).join('')),
  'namespaces declared again and again': (n) => item(fill('<title xmlns:q="x">a</title>', n)),
  ampersands: (n) => item(`<description>${fill('&', n)}</description>`),
  'entities with long names': (n) => item(`<description>${fill(`&${'a'.repeat(60)}`, n)}</description>`),
  'groups within groups': (n) => item(fill('<media:group>', n / 2) + fill('</media:group>', n / 2)),
  'names within an author': (n) => item(`<author>${fill('<name>', n)}</author>`),
  'relative addresses': (n) => item(`<description>${fill('&lt;a href=""&gt;', n)}</description>`),
  'addresses that never close': (n) => item(`<description>&lt;a ${fill(" href='", n)}</description>`),
  'divs within divs': (n) => atom(`<content type="xhtml">${fill('<div>', n / 2)}${fill('</div>', n / 2)}</content>`),
  'entries within foreign content': (n) => atom(`<content type="text/xml">${fill('<entry>', n)}</content>`),
  'nothing but brackets': (n) => fill('<', n),
  'junk before the root': (n) => fill('<br>', n) + rss(''),
  'document types without end': (n) => fill('<!doctype x ', n) + rss(''),
  'sitemaps of many addresses': (n) => urlset(Array.from({ length: n / 60 }, (_, i) => address(`/${i}`)).join('')),
  'sitemaps with one address': (n) => urlset(fill(address('/x'), n)),
  'sitemaps of other sites': (n) =>
    urlset(Array.from({ length: n / 60 }, (_, i) => `<url><loc>https://a${i}.example/x</loc></url>`).join('')),
  'sitemaps with many translations': (n) =>
    urlset(
      `<url><loc>https://site.example/a</loc>${fill('<xhtml:link hreflang="x" href="https://site.example/b"/>', n)}</url>`,
    ),
  'sitemaps with news that never end': (n) =>
    urlset(fill('<url><loc>https://site.example/a<news:news><news:title>', n)),
  NULs: (n) => item(`<title>${fill('\0', n)}</title>`),
}

describe.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
  'the word %s has no special meaning',
  (word) => {
    const read = (text: string) => parseFeed(Buffer.from(text), { url: 'https://site.example/feed' })
    it.each([
      ['an element', item(`<${word}>x</${word}><title>a</title>`)],
      ['a prefix', item(`<${word}:title xmlns:${word}="urn:x">x</${word}:title><title>a</title>`)],
      ['an unbound prefix', item(`<${word}:title>x</${word}:title><title>a</title>`)],
      ['a namespace', item(`<q:x xmlns:q="${word}">x</q:x><title>a</title>`)],
      [
        'an attribute',
        item(`<link ${word}="x" href="https://a.example/" rel="${word}" type="${word}"/><title>a</title>`),
      ],
      ['an entity', item(`<description>&${word};</description><title>a</title>`)],
      ['an encoding', `<?xml version="1.0" encoding="${word}"?>${item('<title>a</title>')}`],
      ['a date', item(`<pubDate>Mon, 01 ${word} 2026 10:00:00 ${word}</pubDate><title>a</title>`)],
      [
        'a month',
        item(`<sy:updatePeriod>${word}</sy:updatePeriod><skipDays><day>${word}</day></skipDays><title>a</title>`),
      ],
      [
        'a field of JSON',
        `{"version":"https://jsonfeed.org/version/1.1","${word}":{},"items":[{"id":1,"title":"a","${word}":{"url":1}}]}`,
      ],
    ])('as %s', (_, text) => {
      expect(read(text)).toMatchObject({ kind: 'feed', entries: [{ title: 'a' }] })
    })

    it('as a content type', () => {
      const feed = parseFeed(Buffer.from(item('<title>a</title>')), { contentType: `${word}/${word}; charset=${word}` })
      expect(feed).toMatchObject({ kind: 'feed', entries: [{ title: 'a' }] })
    })

    it('in OPML', () => {
      const outline = `<outline text="${word}" ${word}="x" type="${word}" xmlUrl="https://a.example/"/>`
      const list = parseOpml(`<opml><body><outline text="${word}">${outline}</outline></body></opml>`)
      expect(list).toMatchObject({ kind: 'opml', outlines: [{ url: 'https://a.example/', title: word, folder: word }] })
    })
  },
)

describe('hostile input', () => {
  it.each(Object.entries(HOSTILE))('twice the length takes about twice the work: %s', (_, make) => {
    const work = (length: number) => {
      const counter = { steps: 0 }
      parseFeed(Buffer.from(make(length)), { url: 'https://site.example/feed', work: counter })
      return counter.steps
    }
    const [small, large] = [work(30_000), work(60_000)]
    expect(large).toBeLessThan(2.2 * small + 2_000)
    expect(large).toBeLessThan(6 * make(60_000).length)
  })

  it('does not produce more text than it contains', () => {
    for (const make of Object.values(HOSTILE)) {
      const text = make(20_000)
      const output = JSON.stringify(parseFeed(Buffer.from(text), { url: `https://site.example/${'x'.repeat(1000)}` }))
      // Keys, numbers and field names are added by us; a base may be added, within limits.
      expect(output.length).toBeLessThan(12 * text.length + 200_000)
    }
  })
})

describe('memory', () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const heapUsed = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed
  }

  it('retains nothing of a parsed document, whatever names it had', () => {
    const length = 500_000
    const xmlDocuments = 40
    const before = heapUsed()
    for (let index = 0; index < xmlDocuments; index++) {
      const name = `a-name-of-its-own-${index}`
      parseFeed(Buffer.from(item(`<${name}/><author><${name}/></author><description>&${name};${fill('a ', length)}`)))
    }
    expect(heapUsed() - before).toBeLessThan((xmlDocuments * length) / 4)
  })
})

describe('mutilated feeds', () => {
  const folder = new URL('../../../test/fixtures/feeds/', import.meta.url)
  const fixtures = readdirSync(folder)
    .filter((name) => !name.endsWith('.json'))
    .map((name) => readFileSync(new URL(name, folder)))
  const SNIPPETS = [
    '<',
    '>',
    '</',
    '/>',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '&',
    '"',
    "'",
    '<item>',
    '</item>',
    '\0',
    '<?',
    '\xff',
  ]

  const change = fc.oneof(
    fc.record({ kind: fc.constant('cut' as const), at: fc.double({ min: 0, max: 1, noNaN: true }) }),
    fc.record({
      kind: fc.constant('drop' as const),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      count: fc.nat(40),
    }),
    fc.record({
      kind: fc.constant('insert' as const),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      snippet: fc.constantFrom(...SNIPPETS),
    }),
    fc.record({
      kind: fc.constant('flip' as const),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      byte: fc.nat(255),
    }),
    fc.record({
      kind: fc.constant('double' as const),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      count: fc.nat(200),
    }),
  )
  type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

  function applyChange(bytes: Buffer, change: Change): Buffer {
    const at = Math.floor(change.at * bytes.length)
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
    switch (change.kind) {
      case 'cut':
        return before
      case 'drop':
        return Buffer.concat([before, after.subarray(change.count)])
      case 'insert':
        return Buffer.concat([before, Buffer.from(change.snippet, 'latin1'), after])
      case 'flip':
        return Buffer.concat([before, Buffer.from([change.byte]), after.subarray(1)])
      case 'double':
        return Buffer.concat([before, after.subarray(0, change.count), after])
    }
  }

  it('never throw or hang, and the result is still valid', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...fixtures),
        fc.array(change, { minLength: 1, maxLength: 6 }),
        (fixture, changes) => {
          const bytes = changes.reduce(applyChange, fixture)
          const counter = { steps: 0 }
          const feed = parseFeed(bytes, { url: 'https://site.example/feed', work: counter })
          expect(counter.steps).toBeLessThan(20 * bytes.length + 1_000)
          if (feed.kind !== 'feed') return
          expect(new Set(feed.entries.map(({ key }) => key)).size).toBe(feed.entries.length)
          for (const entry of feed.entries) {
            expect(entry.key).not.toBe('')
            expect(entry.title.length).toBeLessThanOrEqual(FEED_LIMITS.line)
            expect(entry.title).not.toMatch(/[\0-\x08\n]/)
            if (entry.publishedAt !== undefined) expect(Number.isFinite(entry.publishedAt)).toBe(true)
          }
        },
      ),
      { numRuns: 1_000 },
    )
  })

  it('survive any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.string({ unit: 'binary', maxLength: 200 }), (bytes, text) => {
        expect(typeof decodeText(bytes).text).toBe('string')
        parseFeed(bytes)
        parseFeed(Buffer.from(`<rss>${text}<item>${text}</item>`))
        expect(typeof plainText(text)).toBe('string')
      }),
      { numRuns: 500 },
    )
  })
})
