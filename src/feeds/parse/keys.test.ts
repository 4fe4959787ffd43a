import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assignKeys, type KeylessEntry } from './keys.ts'
import { parseFeed } from './parse-feed.ts'

const keys = (entries: KeylessEntry[]) => assignKeys(structuredClone(entries)).map(({ key }) => key)

describe('keys', () => {
  it('are the guid, else the address, else a hash', () => {
    const [guid, address, hash] = keys([
      { id: 'g', url: 'https://a.example/1', title: 'x' },
      { url: 'https://a.example/2', title: 'x' },
      { title: 'only words' },
    ])
    expect([guid, address]).toEqual(['g', 'https://a.example/2'])
    expect(hash).toMatch(/^[0-9a-f]{32}$/)
  })

  it('ignore tracking parameters in addresses', () => {
    expect(
      keys([
        { url: 'https://a.example/?utm_source=rss&id=1&fbclid=z', title: 'x' },
        { url: 'https://a.example/2?gclid=1', title: 'x' },
      ]),
    ).toEqual(['https://a.example/?id=1', 'https://a.example/2'])
  })

  it.each([
    ['the case of scheme and host', 'HTTPS://News.A.example/Path', 'https://news.a.example/Path'],
    ['the default port', 'http://a.example:80/x', 'http://a.example/x'],
    ['the default port of https', 'https://A.example:443/x', 'https://a.example/x'],
    ['an empty query', 'https://a.example/x?', 'https://a.example/x'],
    ['a query of tracking parameters only', 'https://a.example/x?&utm_source=rss', 'https://a.example/x'],
  ])('ignore %s', (_name, variant, usual) => {
    expect(keys([{ url: variant, title: 'x' }])).toEqual([usual])
    expect(keys([{ url: usual, title: 'x' }])).toEqual([usual])
  })

  it.each([
    ['another port', 'https://a.example:8443/x'],
    ['the case of a path', 'https://a.example/X'],
    ['the default port of the other scheme', 'http://a.example:443/x'],
  ])('differ by %s', (_name, url) => {
    expect(keys([{ url, title: 'x' }])).toEqual([url])
  })

  it('drop a fragment that all addresses share, and keep different ones', () => {
    const at = (...urls: string[]) => keys(urls.map((url) => ({ url, title: url })))
    expect(at('https://a.example/1#rss', 'https://a.example/2#rss')).toEqual([
      'https://a.example/1',
      'https://a.example/2',
    ])
    expect(at('https://a.example/log#v1', 'https://a.example/log#v2')).toEqual([
      'https://a.example/log#v1',
      'https://a.example/log#v2',
    ])
    expect(at('https://a.example/log#v1')).toEqual(['https://a.example/log#v1'])
    expect(at('https://a.example/1#xtor=RSS-3')).toEqual(['https://a.example/1'])
  })

  it('remove a shared fragment from the link itself, and report how the feed uses fragments', () => {
    const feed = (...urls: string[]) => {
      const items = urls.map((url) => `<item><title>t</title><link>${url}</link></item>`).join('')
      const parsed = parseFeed(Buffer.from(`<rss version="2.0"><channel><title>a</title>${items}</channel></rss>`))
      return parsed.kind === 'feed' ? [parsed.fragments, ...parsed.entries.map(({ url }) => url)] : parsed
    }
    const [first, two] = ['https://a.example/1', 'https://a.example/2']
    expect(feed(`${first}#new_tab`, `${two}#new_tab`)).toEqual(['shared', first, two])
    expect(feed(`${first}#a`, `${two}#b`)).toEqual(['apart', `${first}#a`, `${two}#b`])
    expect(feed(`${first}#reply`, `${two}#reply`)).toEqual(['shared', first, two])
    expect(feed(first, two)).toEqual([undefined, first, two])
  })

  it('merge duplicates of an entry', () => {
    const entry = { id: 'g', url: 'https://a.example/1', title: 'x', summary: 's' }
    expect(keys([entry, { ...entry }])).toEqual(['g'])
  })

  it('keep the latest of several versions of an entry', () => {
    const version = { id: 'g', url: 'https://a.example/1', title: 'x', publishedAt: 1 }
    const assigned = assignKeys([
      { ...version, updatedAt: 2, summary: 'old' },
      { ...version, updatedAt: 3, summary: 'new' },
    ])
    expect(assigned.map(({ key, summary }) => [key, summary])).toEqual([['g', 'new']])
  })

  it('distinguish entries with the same guid', () => {
    const assigned = keys([
      { id: 'g', url: 'https://a.example/1', title: 'x' },
      { id: 'g', url: 'https://a.example/2', title: 'x' },
      { id: 'g', url: 'https://a.example/2', title: 'y' },
    ])
    expect(new Set(assigned).size).toBe(3)
  })

  it('keep all entries where nothing shows that they are the same', () => {
    expect(new Set(keys([{ title: 'Sunny' }, { title: 'Sunny' }])).size).toBe(2)
  })

  it('have a maximum length', () => {
    const [first, other] = keys([
      { id: `${'x'.repeat(5000)}1`, title: '' },
      { id: `${'x'.repeat(5000)}2`, title: '' },
    ])
    expect(first!.length).toBeLessThanOrEqual(512)
    expect(first).not.toBe(other)
  })

  const oneOf = (...values: string[]) => fc.option(fc.constantFrom(...values), { nil: undefined })
  const entries = fc.array(
    fc
      .record({
        id: oneOf('a', 'b'),
        url: oneOf('https://a.example/1', 'https://a.example/2#x', 'https://a.example/2?utm_source=y#x'),
        title: fc.constantFrom('', 'one', 'two'),
        summary: oneOf('s', 't'),
        publishedAt: fc.option(fc.constantFrom(1, 2), { nil: undefined }),
      })
      .map(
        (entry): KeylessEntry => ({
          title: entry.title,
          ...Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined)),
        }),
      ),
    { maxLength: 12 },
  )

  it('are unique and independent of the order of entries', () => {
    fc.assert(
      fc.property(entries, fc.infiniteStream(fc.nat()), (list, order) => {
        const shuffled = list
          .map((entry) => ({ entry, at: order.next().value as number }))
          .sort((a, b) => a.at - b.at)
          .map(({ entry }) => entry)
        const assigned = keys(list)
        expect(new Set(assigned).size).toBe(assigned.length)
        expect(keys(shuffled).sort()).toEqual(assigned.sort())
      }),
    )
  })
})
