import { hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { atOnce, type EntryDraft, type KnownEntry } from '../../model/index.ts'
import { assignKeys, isSharedKey, type KeylessEntry } from '../parse/keys.ts'
import { reconcile } from './reconcile.ts'
import { asksForWords, candidatesOf, otherKeys, settleKeys } from './resolve-keys.ts'

const article = (id: string, path: string, title: string, more: Partial<KeylessEntry> = {}): KeylessEntry => ({
  id,
  url: `https://a.example/${path}`,
  title,
  ...more,
})

/** A feed read document by document, and what is stored of it: the current text by key. */
function readings() {
  const kept = new Map<string, EntryDraft>()
  const forgotten = new Set<string>()
  const ask = (keys: string[]) =>
    keys.flatMap((key): [string, KnownEntry][] => {
      if (forgotten.has(key)) return [[key, 'forgotten']]
      const held = kept.get(key)
      if (!held) return []
      const { title, url, publishedAt } = held
      return [[key, { title, ...(url && { url }), ...(publishedAt !== undefined && { publishedAt }), seenAt: 0 }]]
    })
  function read(...entries: KeylessEntry[]): { fresh: string[]; changed: string[] } {
    const window = assignKeys(structuredClone(entries))
    const own = new Map(ask(window.map(({ key }) => key)))
    const candidates = atOnce(candidatesOf(window, own))
    const known = new Map([...own, ...ask(otherKeys(candidates, own))])
    const latest = asksForWords(window, known) ? [...kept.values()] : []
    const settled = atOnce(settleKeys(window, candidates, known, latest))
    const all = new Map(ask(settled.map(({ key }) => key)))
    const { fresh, changed } = reconcile(settled, all, false)
    for (const draft of [...fresh, ...changed]) kept.set(draft.key, draft)
    return { fresh: fresh.map(({ title }) => title), changed: changed.map(({ title }) => title) }
  }
  return {
    read,
    titles: () => [...kept.values()].map(({ title }) => title).sort(),
    forget(title: string) {
      for (const [key, held] of kept) {
        if (held.title !== title) continue
        kept.delete(key)
        forgotten.add(key)
      }
    },
  }
}

const NOTHING = { fresh: [], changed: [] }

describe('a reused guid', () => {
  it('for another article: both are stored, once each, together or alone', () => {
    const { read, titles } = readings()
    const [one, two, three] = [article('g', '1', 'One'), article('g', '2', 'Two'), article('g', '3', 'Three')]
    expect(read(one)).toEqual({ fresh: ['One'], changed: [] })
    expect(read(two, one)).toEqual({ fresh: ['Two'], changed: [] })
    expect(read(one, two)).toEqual(NOTHING)
    expect(read(two)).toEqual(NOTHING)
    expect(read(one)).toEqual(NOTHING)
    expect(read(three)).toEqual({ fresh: ['Three'], changed: [] })
    expect(read(two, three)).toEqual(NOTHING)
    expect(read(three)).toEqual(NOTHING)
    expect(titles()).toEqual(['One', 'Three', 'Two'])
  })

  it('within one document, from the first one on', () => {
    const { read, titles } = readings()
    const [one, two] = [article('g', '1', 'One'), article('g', '2', 'Two')]
    expect(read(one, two).fresh).toEqual(['One', 'Two'])
    expect(read(two)).toEqual(NOTHING)
    expect(read(one)).toEqual(NOTHING)
    expect(read(two, one)).toEqual(NOTHING)
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
    const { read } = readings()
    read(before)
    const { fresh, changed } = read(now)
    expect({ fresh: fresh.length, changed: changed.length }).toEqual({
      fresh: expected === 'fresh' ? 1 : 0,
      changed: expected === 'changed' ? 1 : 0,
    })
    expect(read(now)).toEqual(NOTHING)
  })

  it('does not hide an edit of one of its entries', () => {
    const { read, titles } = readings()
    read(article('g', '1', 'One'), article('g', '2', 'Two'))
    expect(read(article('g', '1', 'One, corrected'), article('g', '2', 'Two'))).toEqual({
      fresh: [],
      changed: ['One, corrected'],
    })
    expect(read(article('g', '1', 'One, corrected'))).toEqual(NOTHING)
    expect(titles()).toEqual(['One, corrected', 'Two'])
  })

  it('with the same link: entries are distinguished by text, and stay single when edited or alone', () => {
    const { read, titles } = readings()
    const told = (title: string, summary: string) => article('g', 'live', title, { summary })
    expect(read(told('Noon', 'a'), told('One', 'b')).fresh).toEqual(['Noon', 'One'])
    expect(read(told('Noon', 'a, edited'), told('One', 'b'))).toEqual(NOTHING)
    expect(read(told('One', 'b'))).toEqual(NOTHING)
    expect(read(told('Two', 'c'), told('One', 'b'))).toEqual({ fresh: ['Two'], changed: [] })
    expect(titles()).toEqual(['Noon', 'One', 'Two'])
  })

  it('does not bring back forgotten entries', () => {
    const { read, forget } = readings()
    read(article('g', '1', 'One'))
    forget('One')
    expect(read(article('g', '1', 'One'))).toEqual(NOTHING)
  })

  it('works the same for entries without a guid that share an address', () => {
    const { read, titles } = readings()
    const told = (title: string): KeylessEntry => ({ url: 'https://a.example/', title })
    read(told('One'))
    expect(read(told('Two'), told('One'))).toEqual({ fresh: ['Two'], changed: [] })
    expect(read(told('Two'), told('One'))).toEqual(NOTHING)
    expect(read(told('Two'))).toEqual(NOTHING)
    expect(titles()).toEqual(['One', 'Two'])
  })
})

it('stores each article once, whatever else is in the document', () => {
  const articles = Array.from({ length: 6 }, (_, i) => article(i % 3 === 0 ? 'a' : 'b', String(i), `Title ${i}`))
  const documents = fc.array(fc.shuffledSubarray(articles, { minLength: 1 }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(documents, (shown) => {
      const { read, titles } = readings()
      for (const document of shown) expect(read(...document).changed).toEqual([])
      expect(titles()).toEqual([...new Set(shown.flat().map(({ title }) => title))].sort())
    }),
  )
})

it('never gives two entries of a window the same key, and finds nothing new the second time', () => {
  const few = (...values: string[]) => fc.option(fc.constantFrom(...values), { nil: undefined })
  const entry = fc
    .record({
      id: few('a', 'b'),
      url: few('https://a.example/1', 'https://a.example/2'),
      title: fc.constantFrom('', 'one', 'two'),
      summary: few('s', 't'),
      publishedAt: fc.option(fc.constantFrom(1, 2), { nil: undefined }),
    })
    .map(
      (one): KeylessEntry => ({
        title: one.title,
        ...Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined)),
      }),
    )
  fc.assert(
    fc.property(fc.array(fc.array(entry, { maxLength: 8 }), { maxLength: 5 }), (documents) => {
      const { read } = readings()
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
  let looks = 0
  const latest = Array.from({ length: 2000 }, (_, i) => ({
    key: sharedBy(`old ${i}`),
    url: `https://a.example/old/${i}`,
    get title() {
      looks++
      return `old ${i}`
    },
  }))
  const window = Array.from({ length: 2000 }, (_, i) => ({ key: sharedBy(`new ${i}`), title: `new ${i}` }))
  expect(window.every(({ key }) => isSharedKey(key))).toBe(true)
  atOnce(settleKeys(window, atOnce(candidatesOf(window, new Map())), new Map(), latest))
  expect(looks).toBeLessThan(10 * latest.length)
})

function sharedBy(words: string): string {
  return `guid ${hash('sha256', words).slice(0, 32)}`
}
