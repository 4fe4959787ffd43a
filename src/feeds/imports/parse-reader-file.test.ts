import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runToEnd } from '../../model/index.ts'
import { type ParsedReaderFile, parseReaderFileInSteps } from './parse-reader-file.ts'
import { MAX_IMPORTED_ENTRIES, mergeReaderData, type ReaderData } from './reader-data.ts'
import { readerDataParts } from './send-reader-data.ts'

const parse = (text: string): ParsedReaderFile => runToEnd(parseReaderFileInSteps(text))

function dataOf(text: string): ReaderData {
  const parsed = parse(text)
  if (parsed.kind !== 'data') throw new Error(JSON.stringify(parsed))
  return parsed.data
}

const json = (value: unknown) => JSON.stringify(value)

const HERON = { feedUrl: 'https://marsh.example/feed', url: 'https://marsh.example/heron', title: 'A heron & its pond' }
const AT = Date.parse('2026-02-03T04:05:06Z')

const INOREADER = {
  id: 'user/-/state/com.google/starred',
  title: 'Starred',
  items: [
    {
      id: 'tag:google.com,2005:reader/item/0000000a11ce0001',
      title: 'A heron &amp; its pond',
      published: AT / 1000,
      categories: ['user/77/state/com.google/read', 'user/77/label/Birds'],
      canonical: [{ href: HERON.url }],
      summary: { content: '<p>It stands.</p>' },
      author: 'Ada',
      origin: { streamId: `feed/${HERON.feedUrl}`, title: 'The Marsh', htmlUrl: 'https://marsh.example/' },
    },
  ],
}

const FRESHRSS = {
  id: 'user/-/state/org.freshrss/starred',
  items: [
    {
      guid: 'heron-1',
      title: 'A heron &amp; its pond',
      published: AT / 1000,
      categories: ['user/-/state/org.freshrss/starred', 'user/-/state/org.freshrss/unread', 'user/-/label/Birds'],
      alternate: [{ href: HERON.url }],
      content: { content: '<p>It stands.</p>' },
      origin: { streamId: 'feed/12', feedUrl: HERON.feedUrl, title: 'The Marsh', htmlUrl: 'https://marsh.example/' },
    },
  ],
}

const FEEDLY = {
  id: 'user/abc/tag/global.saved',
  items: [
    {
      originId: 'heron-1',
      title: 'A heron & its pond',
      published: AT,
      unread: false,
      tags: [
        { id: 'user/abc/tag/global.saved', label: 'Saved' },
        { id: 'user/abc/tag/birds', label: 'Birds' },
      ],
      alternate: [{ href: HERON.url }],
      origin: { streamId: `feed/${HERON.feedUrl}`, title: 'The Marsh' },
    },
  ],
}

const MINIFLUX = {
  total: 2,
  entries: [
    {
      status: 'read',
      starred: true,
      title: HERON.title,
      url: HERON.url,
      published_at: '2026-02-03T04:05:06Z',
      content: '<p>It stands.</p>',
      feed: { feed_url: HERON.feedUrl, site_url: 'https://marsh.example/', title: 'The Marsh' },
    },
    { status: 'unread', starred: false, title: 'Reeds', url: 'https://marsh.example/reeds', feed: {} },
  ],
}

const NEWSBLUR = {
  stories: [
    {
      id: 'heron-1',
      story_title: HERON.title,
      story_permalink: HERON.url,
      story_timestamp: String(AT / 1000),
      story_feed_id: 9,
      story_content: '<p>It stands.</p>',
      story_authors: 'Ada',
      read_status: 1,
      starred: true,
      user_tags: ['Birds'],
    },
  ],
  feeds: { 9: { id: 9, feed_address: HERON.feedUrl, feed_title: 'The Marsh', feed_link: 'https://marsh.example/' } },
}

const TTRSS_XML = `<articles schema-version="131"><article><guid><![CDATA[heron-1]]></guid><title><![CDATA[${HERON.title}]]></title>
<content><![CDATA[<p>It ]]]]><![CDATA[> stands.</p>]]></content><marked><![CDATA[1]]></marked><published><![CDATA[]]></published>
<link><![CDATA[${HERON.url}]]></link><label_cache><![CDATA[[[-1025,"Birds","",""]]]]></label_cache>
<feed_title><![CDATA[The Marsh]]></feed_title><feed_url><![CDATA[${HERON.feedUrl}]]></feed_url>
<updated><![CDATA[2026-02-03 04:05:06]]></updated></article></articles>`

const TTRSS_JSON = {
  seq: 0,
  status: 0,
  content: [
    {
      id: 5,
      title: HERON.title,
      link: HERON.url,
      unread: false,
      marked: true,
      updated: AT / 1000,
      feed_title: 'The Marsh',
      labels: [[-1025, 'Birds', '', '']],
    },
  ],
}

describe('parseReaderFile', () => {
  it.each<[string, string, object]>([
    ['Inoreader', json(INOREADER), { ...HERON, read: true, author: 'Ada', content: '<p>It stands.</p>' }],
    ['FreshRSS', json(FRESHRSS), { ...HERON, read: false, guid: 'heron-1', content: '<p>It stands.</p>' }],
    ['one item per line', FRESHRSS.items.map(json).join('\n').concat('\n'), { ...HERON, read: false }],
    ['Feedly', json(FEEDLY), { ...HERON, read: true, guid: 'heron-1' }],
    ['NewsBlur', json(NEWSBLUR), { ...HERON, read: true, guid: 'heron-1', author: 'Ada' }],
    ['Tiny Tiny RSS as XML', TTRSS_XML, { ...HERON, read: true, guid: 'heron-1', content: '<p>It ]]> stands.</p>' }],
    ['headlines of Tiny Tiny RSS', json(TTRSS_JSON), { url: HERON.url, feedTitle: 'The Marsh', read: true }],
  ])('reads starred entries with labels: %s', (_, text, expected) => {
    expect(dataOf(text).entries).toEqual([
      expect.objectContaining({ ...expected, title: HERON.title, publishedAt: AT, starred: true, labels: ['Birds'] }),
    ])
  })

  it('reads entries of Miniflux', () => {
    const [starred, unread] = dataOf(json(MINIFLUX)).entries
    expect(starred).toMatchObject({ ...HERON, read: true, starred: true, publishedAt: AT, feedTitle: 'The Marsh' })
    expect(unread).toEqual({ title: 'Reeds', url: 'https://marsh.example/reeds', read: false })
  })

  it('reads subscriptions of Miniflux and of the Google Reader API, with folders', () => {
    const miniflux = [
      {
        feed_url: HERON.feedUrl,
        site_url: 'https://marsh.example/',
        title: 'The Marsh',
        category: { title: 'Nature' },
        username: 'ada',
        password: 'pw',
      },
      { feed_url: 'https://all.example/feed', title: 'All', category: { title: 'All' } },
    ]
    expect(dataOf(json(miniflux)).subscriptions).toEqual([
      {
        url: HERON.feedUrl,
        kind: 'feed',
        title: 'The Marsh',
        siteUrl: 'https://marsh.example/',
        folder: 'Nature',
        credentials: { user: 'ada', password: 'pw' },
      },
      { url: 'https://all.example/feed', kind: 'feed', title: 'All' },
    ])
    const list = {
      subscriptions: [{ id: `feed/${HERON.feedUrl}`, title: 'The Marsh', categories: [{ label: 'Nature' }] }],
    }
    expect(dataOf(json(list)).subscriptions).toEqual([
      { url: HERON.feedUrl, kind: 'feed', title: 'The Marsh', folder: 'Nature' },
    ])
  })

  it.each([
    ['CSV', 'Title,URL,Published\r\n"A heron & its pond",https://marsh.example/heron,2026-02-03T04:05:06Z\r\n'],
    ['CSV with quotes and semicolons', 'url;title;date\nhttps://marsh.example/heron;"A heron & its pond";1770091506\n'],
    [
      'bookmarks',
      `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p><DT><A HREF="https://marsh.example/heron" ADD_DATE="1770091506">A heron &amp; its pond</A></DL>`,
    ],
    ['JSON', json([{ title: HERON.title, url: HERON.url, published: '2026-02-03T04:05:06Z' }])],
  ])('reads saved pages as stars: %s', (_, text) => {
    expect(dataOf(text).entries).toEqual([{ title: HERON.title, url: HERON.url, publishedAt: AT, starred: true }])
  })

  it('reads nested folders of OPML', () => {
    const text = `<opml version="2.0"><body><outline text="A"><outline text="B"><outline xmlUrl="${HERON.feedUrl}"/></outline></outline></body></opml>`
    expect(dataOf(text).subscriptions).toEqual([{ url: HERON.feedUrl, kind: 'feed', folder: 'A / B' }])
  })

  it.each([
    ['', 'it is empty'],
    ['<html><p>no</p></html>', 'it is a web page'],
    ['{"a": 1}', 'its JSON is not an export of a known reader'],
    ['{"items": [', 'its JSON is broken'],
    ['['.repeat(40) + ']'.repeat(40), 'its JSON is nested too deeply'],
    ['hello', 'it is neither OPML, JSON, CSV nor an export of articles'],
  ])('says why %j is unknown', (text, reason) => {
    expect(parse(text)).toEqual({ kind: 'unknown', reason })
  })

  it('merges the same entry of several files', () => {
    const merged = mergeReaderData([dataOf(json(INOREADER)), dataOf(json(MINIFLUX)), dataOf('{"stories": []}')])
    expect(merged.entries).toHaveLength(2)
    expect(merged.entries[0]).toMatchObject({ ...HERON, read: true, starred: true, labels: ['Birds'] })
  })
})

describe('hostile files', () => {
  it('drops addresses that are not of the web, and limits lengths and labels', () => {
    const items = [
      { title: 'x', canonical: [{ href: 'javascript:alert(1)' }], origin: { streamId: 'feed/file:///etc/passwd' } },
      { canonical: [{ href: 'data:text/html,x' }] },
      {
        title: 't'.repeat(5000),
        canonical: [{ href: 'https://a.example/' }],
        content: { content: 'c'.repeat(600_000) },
        categories: Array.from({ length: 50 }, (_, i) => `user/1/label/${i}${'l'.repeat(500)}`),
        published: 1e300,
      },
    ]
    const { entries, skipped } = dataOf(json({ items }))
    expect(entries[0]).toEqual({ title: 'x' })
    expect(skipped).toBe(1)
    const [, long] = entries
    expect(long!.title).toHaveLength(1000)
    expect(long!.content).toHaveLength(500_000)
    expect(long!.labels).toHaveLength(20)
    expect(long!.publishedAt).toBeUndefined()
  })

  it('reads at most a hundred thousand entries of a file', () => {
    const item = (i: number) => ({ url: `https://a.example/${i}`, title: '' })
    expect(parse(json(Array.from({ length: MAX_IMPORTED_ENTRIES }, (_, i) => item(i)))).kind).toBe('data')
    expect(parse(json(Array.from({ length: MAX_IMPORTED_ENTRIES + 1 }, (_, i) => item(i))))).toEqual({
      kind: 'too-many',
    })
  })

  it.each([
    ['open articles', `<articles schema-version="1">${'<article><title><![CDATA[x'.repeat(50_000)}`],
    ['links without an end', `<!doctype netscape-bookmark-file-1>${'<a href="https://a.example/'.repeat(100_000)}`],
    ['open quotes', `url,title\n${'"'.repeat(1_000_001)}`],
    ['separators', `url,title\n${','.repeat(1_000_000)}`],
    ['labels in labels', `<articles schema-version="1"><article><label_cache><![CDATA[${'['.repeat(200_000)}`],
    ['brackets', '['.repeat(2_000_000)],
    ['lines', '{}\n'.repeat(300_000)],
    ['bookmarks in one line', `<!doctype netscape-bookmark-file-1>${'<a '.repeat(500_000)}>`],
  ])('survives %s', (_, text) => {
    const before = performance.now()
    expect(parse(text).kind).toMatch(/^(?:data|unknown|too-many)$/)
    expect(performance.now() - before).toBeLessThan(5000)
  })

  it('never throws', () => {
    const names =
      'items entries stories content subscriptions feeds title url origin streamId canonical href categories labels marked'
    const key = fc.oneof(fc.constantFrom(...names.split(' ')), fc.string())
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.webUrl()),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(key, tie('value'), { maxKeys: 6 }),
      ),
    }))
    const fragment = fc.constantFrom(
      '<articles schema-version="1">',
      '<article>',
      '</article>',
      '<link>',
      '<![CDATA[',
      ']]>',
      '<!doctype netscape-bookmark-file-1>',
      '<a href="',
      'url,title\n',
      '"',
      '{',
      '[',
      'https://a.example/',
    )
    const text = fc.oneof(
      value.map((one) => JSON.stringify(one) ?? ''),
      fc.array(fc.oneof(fragment, fc.string())).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, (one) => {
        expect(parse(one).kind).toMatch(/^(?:data|unknown|too-many)$/)
      }),
    )
  })
})

describe('readerDataParts', () => {
  const address = fc.constantFrom('https://a.example/feed', 'https://b.example/feed', 'https://c.example/feed')
  const entry = fc.record(
    {
      feedUrl: address,
      title: fc.string({ minLength: 1 }),
      url: fc.webUrl(),
      starred: fc.constant(true),
      content: fc.string(),
    },
    { requiredKeys: ['feedUrl', 'title', 'starred'] },
  )

  it('loses nothing, and keeps each part below the limit', () => {
    fc.assert(
      fc.property(fc.uniqueArray(address), fc.array(entry, { maxLength: 40 }), (urls, entries) => {
        const whole = dataOf(json({ freshetImport: 1, subscriptions: urls.map((url) => ({ url })), entries }))
        const parts = [...readerDataParts(whole, 500)]
        for (const { json: text, items } of parts) expect(items === 1 || text.length < 700).toBe(true)
        const back = mergeReaderData([
          { subscriptions: [], entries: [], skipped: 0 },
          ...parts.map(({ json: text }) => dataOf(text)),
        ])
        const sorted = ({ subscriptions, entries: all }: ReaderData) => [
          subscriptions.map(({ url }) => url).sort(),
          all.map((one) => json(one)).sort(),
        ]
        expect(sorted(back)).toEqual(sorted(whole))
      }),
    )
  })

  it('drops unread entries, and texts of read entries that are not among the newest hundred of their feed', () => {
    const items = Array.from({ length: 150 }, (_, i) => ({
      feedUrl: 'https://a.example/feed',
      title: `${i}`,
      publishedAt: AT + i,
      content: 'text',
      read: i > 0,
    }))
    const parts = [...readerDataParts(dataOf(json({ freshetImport: 1, entries: items })), 1_000_000)]
    const { entries } = dataOf(parts[0]!.json)
    expect(entries).toHaveLength(149)
    expect(entries.filter(({ content }) => content)).toHaveLength(100)
  })

  it('finds the feeds of entries by site, title or host, unless several have it', () => {
    const subscriptions = [
      { url: 'https://a.example/feed', title: 'Alpha', siteUrl: 'https://www.alpha.example/' },
      { url: 'https://b.example/one', title: 'One' },
      { url: 'https://b.example/two', title: 'Two' },
    ]
    const entries = [
      { title: 'by site', siteUrl: 'http://alpha.example', starred: true },
      { title: 'by title', feedTitle: 'two', starred: true },
      { title: 'by host', url: 'https://alpha.example/1', starred: true },
      { title: 'ambiguous', url: 'https://b.example/3', starred: true },
    ]
    const [part] = [...readerDataParts(dataOf(json({ freshetImport: 1, subscriptions, entries })), 1_000_000)]
    const found = new Map(dataOf(part!.json).entries.map(({ title, feedUrl }) => [title, feedUrl]))
    expect(Object.fromEntries(found)).toEqual({
      'by site': 'https://a.example/feed',
      'by title': 'https://b.example/two',
      'by host': 'https://a.example/feed',
      ambiguous: undefined,
    })
  })
})
