/**
 * Every promise that search.ts makes, as a suite that each driver runs: `searchContract('sqlite', open)`. `open` gives an
 * empty index each time, and the empty store beside which it stands. What a driver cannot do stands in `skip`, the promise's
 * sentence with the reason.
 */
import { afterAll, describe, expect, it } from 'vitest'
import type { EntryId, FeedId, Instant } from '../model/index.ts'
import type { Store } from './index.ts'
import type { Search, SearchDocument } from './search.ts'
import { addFeed, draft, record, START } from './store-samples.contract.ts'

interface Opened {
  search: Search
  store: Store
}

export function searchContract(name: string, open: () => Promise<Opened>, skip: Record<string, string> = {}): void {
  describe(`the ${name} index`, () => {
    const sentences = new Set<string>()
    const promised = (sentence: string, hold: (search: Search, store: Store) => Promise<void>) => {
      sentences.add(sentence)
      if (skip[sentence]) return it.skip(`${sentence} (${skip[sentence]})`, () => {})
      it(sentence, async () => {
        const { search, store } = await open()
        await hold(search, store)
      })
    }

    promised('finds the entries that hold all the words, in title or text', async (search) => {
      await search.put([
        document(1, 'River rises', 'The spring flood came early.'),
        document(2, 'Flood', 'A river is a river.'),
        document(3, 'Drought', 'No river to be seen.'),
      ])
      expect(await found(search, 'river')).toEqual([1, 2, 3])
      expect(await found(search, 'river flood')).toEqual([1, 2])
      expect(await found(search, 'river flood spring')).toEqual([1])
      expect(await found(search, 'riv')).toEqual([])
      expect(await found(search, 'river nowhere')).toEqual([])
    })

    promised('matches words whatever their case and accents', async (search) => {
      await search.put([
        document(1, 'Café Zürich'),
        document(2, 'cafe\u0301 society'),
        document(3, 'МОСКВА сегодня'),
        document(4, 'Nguyễn'),
        document(5, 'Große Straße'),
      ])
      expect(await found(search, 'CAFE')).toEqual([1, 2])
      expect(await found(search, 'café')).toEqual([1, 2])
      expect(await found(search, 'cafe\u0301')).toEqual([1, 2])
      expect(await found(search, 'zurich')).toEqual([1])
      expect(await found(search, 'москва')).toEqual([3])
      expect(await found(search, 'nguyen')).toEqual([4])
      expect(await found(search, 'STRASSE straße')).toEqual([5])
    })

    promised('finds words without the accents and points that their script has', async (search) => {
      const words: [string, string][] = [
        ['Η Βουλή των Ελλήνων', 'βουλη'],
        ['Ο λόγος', 'ΛΟΓΟΣ'],
        ['שָׁלוֹם לכולם', 'שלום'],
        ['مُحَمَّد هنا', 'محمد'],
        ['Всё ещё здесь', 'все еще'],
      ]
      await search.put(words.map(([title], i) => document(i + 1, title)))
      for (const [i, [title, bare]] of words.entries()) {
        expect(await found(search, bare), bare).toEqual([i + 1])
        expect(await found(search, title), title).toEqual([i + 1])
      }
    })

    promised('wants quoted words together and in order', async (search) => {
      await search.put([
        document(1, 'a b', 'high water mark'),
        document(2, 'a b', 'water is high'),
        document(3, 'high', 'water'),
      ])
      expect(await found(search, 'high water')).toEqual([1, 2, 3])
      expect(await found(search, '"high water"')).toEqual([1])
      expect(await found(search, '"High Water" mark')).toEqual([1])
      expect(await found(search, '"water high"')).toEqual([])
      expect(await found(search, '"high water')).toEqual([1])
    })

    promised('leaves out what holds an excluded word or phrase', async (search) => {
      await search.put([document(1, 'tea with milk'), document(2, 'tea with lemon'), document(3, 'lemon tea')])
      expect(await found(search, 'tea -milk')).toEqual([2, 3])
      expect(await found(search, '-lemon tea')).toEqual([1])
      expect(await found(search, 'tea -"with lemon" -milk')).toEqual([3])
      expect(await found(search, 'tea -mil*')).toEqual([2, 3])
    })

    promised('finds beginnings', async (search) => {
      await search.put([document(1, 'fresh freshet'), document(2, 'freshly'), document(3, 'afresh')])
      expect(await found(search, 'fresh')).toEqual([1])
      expect(await found(search, 'FRESH*')).toEqual([1, 2])
      expect(await found(search, 'freshe*')).toEqual([1])
      expect(await found(search, '"fresh fre"*')).toEqual([1])
    })

    promised('finds words with signs in them, and the words of query languages', async (search) => {
      await search.put([
        document(1, 'e-mail and more'),
        document(2, 'near or far, not here'),
        document(3, "don't panic (C++ 2.0)"),
        document(4, 'mail e'),
      ])
      expect(await found(search, 'e-mail')).toEqual([1])
      expect(await found(search, 'AND')).toEqual([1])
      expect(await found(search, 'NEAR OR NOT')).toEqual([2])
      expect(await found(search, "don't")).toEqual([3])
      expect(await found(search, 'c++')).toEqual([3])
      expect(await found(search, '2.0')).toEqual([3])
      expect(await found(search, 'title:mail')).toEqual([])
    })

    promised('finds words inside text that is written without spaces', async (search) => {
      await search.put([document(1, '今日は天気がいい'), document(2, '気象と天文'), document(3, '東京weather天気予報')])
      expect(await found(search, '天気')).toEqual([1, 3])
      expect(await found(search, '天')).toEqual([1, 2, 3])
      expect(await found(search, '天気 weather')).toEqual([3])
    })

    promised('finds nothing for a query without a word', async (search) => {
      await search.put([document(1, 'something'), document(2, '-', '* "')])
      for (const query of ['', ' ', '\n\t', '"', '""', '-', '*', '***', '()', '\0', '\u{1f30a}', '-something']) {
        expect(await found(search, query)).toEqual([])
      }
    })

    promised('takes whatever people type', async (search) => {
      await search.put([document(1, 'a b c')])
      // biome-ignore format: a list to be read along its lines
      const typed = [
        'a"', '"a" "b', 'a*b', '*a', 'a**', '^a', 'a AND', 'OR a', 'NOT', 'a NOT b', 'NEAR(a b, 2)', '{a b}: c', 'title : a',
        '(a', 'a)', "a'b", "';--", '\\', 'a\0b', '\ud800', 'a\u{1f600}b', '+a', '--a', '-"', '-*', '%_', '$1 ?1 :a @b',
        `${'"'.repeat(999)}a`, '('.repeat(5000), 'a '.repeat(50_000), 'x'.repeat(100_000), '"a b" '.repeat(20_000),
        '-a '.repeat(30_000), 'a* '.repeat(30_000),
      ]
      for (const query of typed) expect(Array.isArray(await search.find(query, 5))).toBe(true)
    })

    promised('gives the best first, with falling scores, and no more than asked for', async (search) => {
      const filler = 'words that say nothing of it, '.repeat(40)
      await search.put([
        document(1, 'Another thing', `${filler} comet ${filler}`),
        document(2, 'The comet', 'A comet is seen; the comet passes.'),
        ...Array.from({ length: 20 }, (_, i) => document(10 + i, 'Nothing', filler)),
      ])
      const hits = await search.find('comet', 9)
      expect(hits.map((hit) => hit.id)).toEqual([2, 1])
      expect(hits[0]!.score).toBeGreaterThan(hits[1]!.score)
      expect(await search.find('nothing', 7)).toHaveLength(7)
      expect(await search.find('nothing', 0)).toEqual([])
    })

    promised('finds what a feed has, however much others say the same', async (search, store) => {
      const loud = await published(
        search,
        store,
        'loud',
        Array.from({ length: 1500 }, () => 'tide tide tide'),
      )
      const quiet = await published(search, store, 'quiet', ['the tide', 'ebb', 'a long word on the tide'])
      const more = await published(
        search,
        store,
        'more',
        Array.from({ length: 1500 }, () => 'tide tide tide'),
      )
      expect(new Set(await idsOf(search.find('tide', 9, { feedId: quiet.feedId })))).toEqual(
        new Set([quiet.ids[0], quiet.ids[2]]),
      )
      expect(await idsOf(search.find('tide', 1, { feedId: quiet.feedId }))).toHaveLength(1)
      expect(await search.find('tide', 9999, { feedId: more.feedId })).toHaveLength(1500)
      expect(await search.find('ebb', 9, { feedId: loud.feedId })).toEqual([])
      expect(await search.find('tide', 9, { feedId: 99 as FeedId })).toEqual([])
    })

    promised('finds what is not older than a date, of all feeds or of one', async (search, store) => {
      const old = await published(search, store, 'old', ['tide tide', 'tide'], START - 9000)
      const young = await published(search, store, 'young', ['a longer text on the tide'], START)
      expect(await idsOf(search.find('tide', 9, { since: START }))).toEqual(young.ids)
      expect(await idsOf(search.find('tide', 1, { since: START }))).toEqual(young.ids)
      expect(await search.find('tide', 9, { since: START - 9000 })).toHaveLength(3)
      expect(await search.find('tide', 9, { since: START, feedId: old.feedId })).toEqual([])
      expect(await search.find('tide', 9, { since: START - 9000, feedId: old.feedId })).toHaveLength(2)
      expect(await search.find('tide', 9, { since: START + 1 })).toEqual([])
    })

    promised('gives all in pages, each hit once', async (search, store) => {
      const { feedId } = await published(
        search,
        store,
        'paged',
        Array.from({ length: 25 }, (_, i) => `${'tide '.repeat(1 + (i % 4))} and more`),
      )
      await published(search, store, 'other', ['tide', 'tide tide'])
      for (const filter of [{}, { feedId }]) {
        const all = await idsOf(search.find('tide', 100, filter))
        const paged: EntryId[] = []
        for (let last: EntryId | undefined, pages = 0; pages < 20; pages++) {
          const page = await idsOf(search.find('tide', 4, { ...filter, ...(last !== undefined && { after: last }) }))
          paged.push(...page)
          last = page.at(-1)
          if (last === undefined) break
        }
        expect(paged).toEqual(all)
      }
      expect(await search.find('tide', 9, { after: 999 as EntryId })).toEqual([])
    })

    promised('replaces what it had of an entry', async (search) => {
      await search.put([document(1, 'old', 'stays old'), document(2, 'other')])
      await search.put([document(1, 'new')])
      expect(await found(search, 'old')).toEqual([])
      expect(await found(search, 'new')).toEqual([1])
      await search.put([document(1, 'first'), document(1, 'second')])
      expect(await found(search, 'first')).toEqual([])
      expect(await found(search, 'second')).toEqual([1])
      expect(await found(search, 'other')).toEqual([2])
    })

    promised('drops entries, and does not mind those it never had', async (search) => {
      await search.put([document(1, 'one word'), document(2, 'two word')])
      await search.drop([1 as EntryId, 99 as EntryId, 1 as EntryId])
      expect(await found(search, 'word')).toEqual([2])
      await search.drop([])
      await search.put([document(1, 'one again')])
      expect(await found(search, 'one')).toEqual([1])
    })

    promised('adds all of the documents or none', async (search) => {
      await search.put([document(1, 'before')])
      await expect(search.put([document(1, 'after'), document(2, 'after'), null as never])).rejects.toThrow()
      expect(await found(search, 'after')).toEqual([])
      expect(await found(search, 'before')).toEqual([1])
    })

    promised('comes to an end with tidying up, and finds what it found before', async (search) => {
      for (let i = 1; i <= 60; i++) await search.put([document(i, `number ${i}`, i % 2 ? 'odd river' : 'even river')])
      await search.drop([3 as EntryId])
      await search.put([document(5, 'number 5', 'even by now')])
      const before = [await found(search, 'river'), await found(search, 'odd'), await found(search, 'even')]
      let pieces = 0
      while (await search.tidy()) expect(++pieces).toBeLessThan(60)
      expect([await found(search, 'river'), await found(search, 'odd'), await found(search, 'even')]).toEqual(before)
      expect(before.map((ids) => ids.length)).toEqual([58, 28, 31])
    })

    afterAll(() => {
      expect(Object.keys(skip).filter((sentence) => !sentences.has(sentence))).toEqual([])
    })
  })
}

function document(id: number, title: string, text = ''): SearchDocument {
  return { id: id as EntryId, feedId: 1 as FeedId, at: START, title, text }
}

/** Entries of a feed of this name, in the store and in the index. */
async function published(search: Search, store: Store, name: string, texts: string[], at: Instant = START) {
  const feedId = await addFeed(store, name)
  const fresh = texts.map((_, i) => draft(`${name} ${i}`, { publishedAt: at }))
  await store.recordPolls([record(feedId, START, { fresh })])
  const ids = (await store.entries({ feedId, limit: texts.length })).map(({ id }) => id).sort((a, b) => a - b)
  await search.put(ids.map((id, i) => ({ id, feedId, at, title: '', text: texts[i]! })))
  return { feedId, ids }
}

async function idsOf(hits: ReturnType<Search['find']>): Promise<EntryId[]> {
  return (await hits).map(({ id }) => id)
}

/** The ids of what was found, in numerical order. */
async function found(search: Search, query: string): Promise<number[]> {
  const hits = await search.find(query, 100)
  return hits.map((hit) => Number(hit.id)).sort((a, b) => a - b)
}
