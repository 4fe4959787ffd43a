import { hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type EntryDraft, type KnownEntry, runToEnd } from '../../model/index.ts'
import { assignKeys, isSharedKey, type KeylessEntry } from '../parse/keys.ts'
import { reconcile } from './reconcile.ts'
import { alternativeKeys, keyCandidates, needsEntryTexts, resolveKeys } from './resolve-keys.ts'

const article = (id: string, path: string, title: string, extra: Partial<KeylessEntry> = {}): KeylessEntry => ({
  id,
  url: `https://a.example/${path}`,
  title,
  ...extra,
})

/** A feed read document by document, and what is stored of it: the current text by key. */
function createReader() {
  const store = new Map<string, EntryDraft>()
  const forgotten = new Set<string>()
  const lookUp = (keys: string[]) =>
    keys.flatMap((key): [string, KnownEntry][] => {
      if (forgotten.has(key)) return [[key, 'forgotten']]
      const entry = store.get(key)
      if (!entry) return []
      const { title, url, publishedAt } = entry
      return [[key, { title, ...(url && { url }), ...(publishedAt !== undefined && { publishedAt }), seenAt: 0 }]]
    })
  function read(...entries: KeylessEntry[]): { fresh: string[]; changed: string[] } {
    const window = assignKeys(structuredClone(entries))
    const byKey = new Map(lookUp(window.map(({ key }) => key)))
    const candidates = runToEnd(keyCandidates(window, byKey))
    const known = new Map([...byKey, ...lookUp(alternativeKeys(candidates, byKey))])
    const latest = needsEntryTexts(window, known) ? [...store.values()] : []
    const settled = runToEnd(resolveKeys(window, candidates, known, latest))
    const byFinalKey = new Map(lookUp(settled.map(({ key }) => key)))
    const { fresh, changed } = reconcile(settled, byFinalKey, false)
    for (const draft of [...fresh, ...changed]) store.set(draft.key, draft)
    return { fresh: fresh.map(({ title }) => title), changed: changed.map(({ title }) => title) }
  }
  return {
    read,
    titles: () => [...store.values()].map(({ title }) => title).sort(),
    forget(title: string) {
      for (const [key, entry] of store) {
        if (entry.title !== title) continue
        store.delete(key)
        forgotten.add(key)
      }
    },
  }
}

const NOTHING = { fresh: [], changed: [] }

describe('a reused guid', () => {
  it('for another article: both are stored, once each, together or alone', () => {
    const { read, titles } = createReader()
    const [first, two, three] = [article('g', '1', 'One'), article('g', '2', 'Two'), article('g', '3', 'Three')]
    expect(read(first)).toEqual({ fresh: ['One'], changed: [] })
    expect(read(two, first)).toEqual({ fresh: ['Two'], changed: [] })
    expect(read(first, two)).toEqual(NOTHING)
    expect(read(two)).toEqual(NOTHING)
    expect(read(first)).toEqual(NOTHING)
    expect(read(three)).toEqual({ fresh: ['Three'], changed: [] })
    expect(read(two, three)).toEqual(NOTHING)
    expect(read(three)).toEqual(NOTHING)
    expect(titles()).toEqual(['One', 'Three', 'Two'])
  })

  it('within one document, from the first one on', () => {
    const { read, titles } = createReader()
    const [first, two] = [article('g', '1', 'One'), article('g', '2', 'Two')]
    expect(read(first, two).fresh).toEqual(['One', 'Two'])
    expect(read(two)).toEqual(NOTHING)
    expect(read(first)).toEqual(NOTHING)
    expect(read(two, first)).toEqual(NOTHING)
    expect(titles()).toEqual(['One', 'Two'])
  })

  it.each<[string, KeylessEntry, KeylessEntry, 'changed' | 'fresh' | 'nothing']>([
    ['another title', article('g', '1', 'Old'), article('g', '1', 'New'), 'changed'],
    ['another title and date', at(article('g', '1', 'Old'), 1), at(article('g', '1', 'New'), 2), 'changed'],
    ['another link', article('g', '1', 'Same'), article('g', '2', 'Same'), 'changed'],
    ['another link and date', at(article('g', '1', 'Same'), 1), at(article('g', '2', 'Same'), 2), 'changed'],
    ['title and link, of the same date', at(article('g', '1', 'Old'), 1), at(article('g', '2', 'New'), 1), 'changed'],
    ['title and link, without a date', article('g', '1', 'Old'), article('g', '2', 'New'), 'fresh'],
    ['title, link and date', at(article('g', '1', 'Old'), 1), at(article('g', '2', 'New'), 2), 'fresh'],
    ['title, and no link', { id: 'g', title: 'Old' }, { id: 'g', title: 'New' }, 'changed'],
    ['link, and no title', article('g', '1', ''), article('g', '2', ''), 'changed'],
    ['only what counts readers', article('g', '1', 'Same'), article('g', '1?utm_source=rss', 'Same'), 'nothing'],
  ])('is the same entry or another: %s', (_, before, now, expected) => {
    const { read } = createReader()
    read(before)
    const { fresh, changed } = read(now)
    expect({ fresh: fresh.length, changed: changed.length }).toEqual({
      fresh: expected === 'fresh' ? 1 : 0,
      changed: expected === 'changed' ? 1 : 0,
    })
    expect(read(now)).toEqual(NOTHING)
  })

  it('does not hide an edit of one of its entries', () => {
    const { read, titles } = createReader()
    read(article('g', '1', 'One'), article('g', '2', 'Two'))
    expect(read(article('g', '1', 'One, corrected'), article('g', '2', 'Two'))).toEqual({
      fresh: [],
      changed: ['One, corrected'],
    })
    expect(read(article('g', '1', 'One, corrected'))).toEqual(NOTHING)
    expect(titles()).toEqual(['One, corrected', 'Two'])
  })

  it('with the same link: entries are distinguished by text, and stay single when edited or alone', () => {
    const { read, titles } = createReader()
    const withSummary = (title: string, summary: string) => article('g', 'live', title, { summary })
    expect(read(withSummary('Noon', 'a'), withSummary('One', 'b')).fresh).toEqual(['Noon', 'One'])
    expect(read(withSummary('Noon', 'a, edited'), withSummary('One', 'b'))).toEqual(NOTHING)
    expect(read(withSummary('One', 'b'))).toEqual(NOTHING)
    expect(read(withSummary('Two', 'c'), withSummary('One', 'b'))).toEqual({ fresh: ['Two'], changed: [] })
    expect(titles()).toEqual(['Noon', 'One', 'Two'])
  })

  it('does not bring back forgotten entries', () => {
    const { read, forget } = createReader()
    read(article('g', '1', 'One'))
    forget('One')
    expect(read(article('g', '1', 'One'))).toEqual(NOTHING)
  })

  it('works the same for entries without a guid that share an address', () => {
    const { read, titles } = createReader()
    const withTitle = (title: string): KeylessEntry => ({ url: 'https://a.example/', title })
    read(withTitle('One'))
    expect(read(withTitle('Two'), withTitle('One'))).toEqual({ fresh: ['Two'], changed: [] })
    expect(read(withTitle('Two'), withTitle('One'))).toEqual(NOTHING)
    expect(read(withTitle('Two'))).toEqual(NOTHING)
    expect(titles()).toEqual(['One', 'Two'])
  })
})

it('stores each article once, whatever else is in the document', () => {
  const articles = Array.from({ length: 6 }, (_, i) => article(i % 3 === 0 ? 'a' : 'b', String(i), `Title ${i}`))
  const documents = fc.array(fc.shuffledSubarray(articles, { minLength: 1 }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(documents, (documentsShown) => {
      const { read, titles } = createReader()
      for (const document of documentsShown) expect(read(...document).changed).toEqual([])
      expect(titles()).toEqual([...new Set(documentsShown.flat().map(({ title }) => title))].sort())
    }),
  )
})

it('never gives two entries of a window the same key, and finds nothing new the second time', () => {
  const oneOf = (...values: string[]) => fc.option(fc.constantFrom(...values), { nil: undefined })
  const entry = fc
    .record({
      id: oneOf('a', 'b'),
      url: oneOf('https://a.example/1', 'https://a.example/2'),
      title: fc.constantFrom('', 'one', 'two'),
      summary: oneOf('s', 't'),
      publishedAt: fc.option(fc.constantFrom(1, 2), { nil: undefined }),
    })
    .map(
      (fields): KeylessEntry => ({
        title: fields.title,
        ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
      }),
    )
  fc.assert(
    fc.property(fc.array(fc.array(entry, { maxLength: 8 }), { maxLength: 5 }), (documents) => {
      const { read } = createReader()
      for (const document of documents) {
        read(...document)
        expect(read(...document)).toEqual(NOTHING)
      }
    }),
  )
})

function at(entry: KeylessEntry, publishedAt: number): KeylessEntry {
  return { ...entry, publishedAt }
}

it('limits comparisons with stored entries, however many entries share a guid', () => {
  let lookups = 0
  const latest = Array.from({ length: 2000 }, (_, i) => ({
    key: sharedBy(`old ${i}`),
    url: `https://a.example/old/${i}`,
    get title() {
      lookups++
      return `old ${i}`
    },
  }))
  const window = Array.from({ length: 2000 }, (_, i) => ({ key: sharedBy(`new ${i}`), title: `new ${i}` }))
  expect(window.every(({ key }) => isSharedKey(key))).toBe(true)
  runToEnd(resolveKeys(window, runToEnd(keyCandidates(window, new Map())), new Map(), latest))
  expect(lookups).toBeLessThan(10 * latest.length)
})

function sharedBy(text: string): string {
  return `guid ${hash('sha256', text).slice(0, 32)}`
}
