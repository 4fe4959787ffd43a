/** The contract of search.ts as a test suite for every driver: `searchContract('sqlite', open)`. `open` returns an empty index. */
import { describe, expect, it } from 'vitest'
import { type EntryId, type FeedId, type Instant, MINUTE } from '../model/index.ts'
import { RELEVANCE_HALF_LIFE_MS, type Search, type SearchOrder } from './search.ts'
import { searchFormsContract } from './search-forms.contract.ts'
import { parsedQuery } from './search-query.fixture.ts'
import { document, found, idsOf } from './search-samples.contract.ts'
import { START } from './store-samples.contract.ts'

export function searchContract(name: string, open: () => Promise<Search>): void {
  searchFormsContract(name, open)
  describe(`the ${name} index`, () => {
    const promised = (sentence: string, hold: (search: Search) => Promise<void>) =>
      it(sentence, async () => hold(await open()))

    promised('finds entries with all words in title or text', async (search) => {
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

    promised('ignores case and accents', async (search) => {
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

    promised('finds words without the accents and points of their script', async (search) => {
      const words: [string, string][] = [
        ['Η Βουλή των Ελλήνων', 'βουλη'],
        ['Ο λόγος', 'ΛΟΓΟΣ'],
        ['שָׁלוֹם לכולם', 'שלום'],
        ['مُحَمَّد هنا', 'محمد'],
        ['Всё ещё здесь', 'все еще'],
        ['Мой край', 'МОИ краи'],
      ]
      await search.put(words.map(([title], i) => document(i + 1, title)))
      for (const [i, [title, bare]] of words.entries()) {
        expect(await found(search, bare), bare).toEqual([i + 1])
        expect(await found(search, title), title).toEqual([i + 1])
      }
    })

    promised('matches quoted words as a phrase', async (search) => {
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

    promised('excludes entries with an excluded word or phrase', async (search) => {
      await search.put([document(1, 'tea with milk'), document(2, 'tea with lemon'), document(3, 'lemon tea')])
      expect(await found(search, 'tea -milk')).toEqual([2, 3])
      expect(await found(search, '-lemon tea')).toEqual([1])
      expect(await found(search, 'tea -"with lemon" -milk')).toEqual([3])
      expect(await found(search, 'tea -mil*')).toEqual([2, 3])
    })

    promised('finds prefixes', async (search) => {
      await search.put([document(1, 'fresh freshet'), document(2, 'freshly'), document(3, 'afresh')])
      expect(await found(search, 'fresh')).toEqual([1])
      expect(await found(search, 'FRESH*')).toEqual([1, 2])
      expect(await found(search, 'freshe*')).toEqual([1])
      expect(await found(search, '"fresh fre"*')).toEqual([1])
      expect(await found(search, 'fr*')).toEqual([1, 2])
      expect(await found(search, 'fre* -freshe*')).toEqual([2])
    })

    promised('finds short prefixes anywhere, combined with other terms', async (search) => {
      await search.put([
        { ...document(1, 'Strom', 'a star of the stage'), names: ['Ann Other'] },
        { ...document(2, 'other', 'a late start, and stars'), names: ['Stella Maris'], feedId: 2 as FeedId },
        { ...document(3, 'Été à la Stève', 'la mer'), names: ['Bob'], language: 'fr' },
        { ...document(4, 'Москва и Стамбул', 'λόγος'), names: [] },
        { ...document(5, 'nothing of it', 's t'), names: [] },
      ])
      expect(await found(search, 'st*')).toEqual([1, 2, 3])
      expect(await found(search, 'sta*')).toEqual([1, 2])
      expect(await found(search, 'stag*')).toEqual([1])
      expect(await found(search, 'ste*')).toEqual([2, 3])
      expect(await found(search, 'author:st*')).toEqual([2])
      expect(await found(search, 'author:ste* OR author:an*')).toEqual([1, 2])
      expect(await found(search, 'st* -author:st*')).toEqual([1, 3])
      expect(await found(search, 'st* -sta*')).toEqual([3])
      expect(await found(search, 'ot* st* feed:2')).toEqual([2])
      expect(await found(search, 'mer OR str* -feed:2')).toEqual([1, 3])
      expect(await found(search, 'ét*')).toEqual([3])
      expect(await found(search, 'ete*')).toEqual([3])
      expect(await found(search, 'стам*')).toEqual([4])
      expect(await found(search, 'СТ* λο*')).toEqual([4])
      expect(await found(search, '"late sta"*')).toEqual([2])
      expect(await found(search, '"star of th"*')).toEqual([1])
      expect(await found(search, '"stage st"*')).toEqual([])
      expect(await found(search, 'author:"stella ma"*')).toEqual([2])
      expect(await found(search, 'author:"ann st"*')).toEqual([])
      const one = (text: string) => search.find({ all: [[{ kind: 'words', text, prefix: true }]], none: [] }, 9)
      expect((await idsOf(one('s'))).sort()).toEqual([1, 2, 3, 5])
      expect(await one('q')).toEqual([])
    })

    promised('finds prefixes next to scripts without spaces', async (search) => {
      await search.put([document(1, '東京weather天気予報'), document(2, '京東wet'), document(3, '天気がいい')])
      expect(await found(search, 'we*')).toEqual([1, 2])
      expect(await found(search, '東京we*')).toEqual([1])
      expect(await found(search, '天気 wea*')).toEqual([1])
      expect(await found(search, '天気*')).toEqual([1, 3])
    })

    promised('finds no prefixes of removed words', async (search) => {
      await search.put([document(1, 'stone'), { ...document(2, 'stone'), names: ['Steve'] }])
      await search.put([document(1, 'sand'), { ...document(2, 'stone'), at: START - 60 * MINUTE }])
      expect(await found(search, 'st*')).toEqual([2])
      expect(await found(search, 'author:st*')).toEqual([])
      await search.drop([2 as EntryId])
      expect(await found(search, 'st*')).toEqual([])
      expect(await found(search, 'sa*')).toEqual([1])
    })

    promised('never treats text as a filter', async (search) => {
      await search.put([document(1, 'tide \ue000f2', '\ue000cscience \ue000bst \ue000lde'), document(2, 'tide')])
      for (const query of ['feed:2', 'category:science', 'lang:de', 'st*'])
        expect(await found(search, query)).toEqual([])
      expect(await found(search, 'feed:1 tide')).toEqual([1, 2])
    })

    promised('finds words with punctuation, and keywords of query languages', async (search) => {
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
      expect(await found(search, '"title:mail"')).toEqual([])
    })

    promised('finds words within text without spaces', async (search) => {
      await search.put([document(1, '今日は天気がいい'), document(2, '気象と天文'), document(3, '東京weather天気予報')])
      expect(await found(search, '天気')).toEqual([1, 3])
      expect(await found(search, '天')).toEqual([1, 2, 3])
      expect(await found(search, '天気 weather')).toEqual([3])
      await search.put([document(4, '서울에서 비가'), document(5, 'กรุงเทพมหานครวันนี้'), document(6, 'ﾃﾚﾋﾞの日')])
      expect(await found(search, '서울')).toEqual([4])
      expect(await found(search, 'วันนี้')).toEqual([5])
      expect(await found(search, 'テレビ')).toEqual([6])
    })

    promised('finds nothing for a query without a positive term', async (search) => {
      await search.put([document(1, 'something'), document(2, '-', '* "')])
      expect(await search.find({ all: [], none: [] }, 9)).toEqual([])
      expect(await search.find({ all: [], none: [{ kind: 'words', text: 'other', prefix: false }] }, 9)).toEqual([])
      expect(await found(search, 'feed:1 -something')).toEqual([2])
    })

    promised('accepts any text in a term', async (search) => {
      await search.put([document(1, 'a b c')])
      // biome-ignore format: a list to be read along its lines
      const texts = [
        'a', 'a*b', '*a', '^a', 'a AND', 'OR a', 'NOT', 'NEAR(a b, 2)', '{a b}: c', 'title : a', '(a', 'a)', "a'b", "';--", '\\',
        'a\u{1f600}b', '+a', '--a', '%_', '$1 ?1 :a @b', '('.repeat(900), 'x'.repeat(900), '\u{1f30a}',
      ]
      for (const text of texts)
        for (const prefix of [false, true])
          for (const kind of ['words', 'author'] as const) {
            const query = { all: [[{ kind, text, prefix }]], none: [{ kind, text: 'nowhere', prefix }] }
            expect(Array.isArray(await search.find(query, 5)), text).toBe(true)
          }
      for (const text of texts) {
        const all = [[{ kind: 'category', name: text } as const, { kind: 'site', host: text } as const]]
        expect(await search.find({ all, none: [{ kind: 'language', code: text }] }, 5)).toEqual([])
      }
    })

    promised('returns the best hits first, with decreasing scores, up to the limit', async (search) => {
      const filler = 'words that say nothing of it, '.repeat(40)
      await search.put([
        document(1, 'Another thing', `${filler} comet ${filler}`),
        document(2, 'The comet', 'A comet is seen; the comet passes.'),
        ...Array.from({ length: 20 }, (_, i) => document(10 + i, 'Nothing', filler)),
      ])
      const hits = await search.find(parsedQuery('comet'), 9)
      expect(hits.map((hit) => hit.id)).toEqual([2, 1])
      expect(hits[0]!.score).toBeGreaterThan(hits[1]!.score)
      expect(await search.find(parsedQuery('nothing'), 7)).toHaveLength(7)
      expect(await search.find(parsedQuery('nothing'), 0)).toEqual([])
    })

    promised('finds entries with any of several terms', async (search) => {
      await search.put([
        document(1, 'rain today'),
        document(2, 'snow today'),
        document(3, 'hail today'),
        document(4, 'rain'),
      ])
      expect(await found(search, 'rain OR snow')).toEqual([1, 2, 4])
      expect(await found(search, 'rain OR snow today')).toEqual([1, 2])
      expect(await found(search, 'today rain OR "hail today" -snow')).toEqual([1, 3])
    })

    promised('finds authors, and only authors if requested', async (search) => {
      await search.put([
        { ...document(1, 'one'), names: ['Ann Other', 'Bob'] },
        { ...document(2, 'Ann Other speaks'), names: ['Carl Böhm'] },
      ])
      expect(await found(search, '"ann other"')).toEqual([1, 2])
      expect(await found(search, 'author:"ann other"')).toEqual([1])
      expect(await found(search, 'author:bohm')).toEqual([2])
      expect(await found(search, 'author:an*')).toEqual([1])
      expect(await found(search, 'one OR author:carl')).toEqual([1, 2])
      expect(await found(search, 'other -author:bob')).toEqual([2])
    })

    promised('filters by feed, language, category and site, alone and combined', async (search) => {
      await search.put([
        { ...document(1, 'tide'), feedId: 3 as FeedId, language: 'de', host: 'news.example.org' },
        { ...document(2, 'tide'), feedId: 4 as FeedId, language: 'pt-BR', category: 'science', host: 'example.org' },
        { ...document(3, 'ebb'), feedId: 33 as FeedId, category: 'science', host: 'an-example.org' },
      ])
      expect(await found(search, 'tide feed:3')).toEqual([1])
      expect(await found(search, 'feed:3 OR feed:33')).toEqual([1, 3])
      expect(await found(search, 'lang:pt')).toEqual([2])
      expect(await found(search, 'lang:pt-br')).toEqual([2])
      expect(await found(search, 'lang:pt-pt')).toEqual([])
      expect(await found(search, 'category:Science -lang:pt')).toEqual([3])
      expect(await found(search, 'site:example.org')).toEqual([1, 2])
      expect(await found(search, 'site:news.example.org')).toEqual([1])
      expect(await found(search, 'site:org')).toEqual([])
      expect(await found(search, 'tide OR category:science -feed:4')).toEqual([1, 3])
      expect(await search.find({ all: [[{ kind: 'feeds', ids: [] }]], none: [] }, 9)).toEqual([])
    })

    promised('filters by thousands of feeds', async (search) => {
      const many = Array.from({ length: 800 }, (_, i) => (i + 2) as FeedId)
      await search.put([1, 2, 3, 900].map((feed) => ({ ...document(feed, 'tide'), feedId: feed as FeedId })))
      const tide = [{ kind: 'words', text: 'tide', prefix: false } as const]
      const feeds = { kind: 'feeds', ids: many } as const
      const ids = async (...query: Parameters<Search['find']>) =>
        (await idsOf(search.find(...query))).sort((a, b) => a - b)
      expect(await ids({ all: [tide, [feeds]], none: [] }, 9)).toEqual([2, 3])
      expect(await ids({ all: [[feeds]], none: [] }, 9)).toEqual([2, 3])
      expect(await ids({ all: [tide], none: [feeds] }, 9)).toEqual([1, 900])
      expect(await ids({ all: [[...tide, feeds]], none: [] }, 9)).toEqual([1, 2, 3, 900])
    })

    promised('filters by dates', async (search) => {
      const at = (minutes: number) => START + minutes * MINUTE
      await search.put([0, 10, 20].map((minutes, i) => ({ ...document(i + 1, 'tide'), at: at(minutes) })))
      const ids = (dates: { since?: Instant; until?: Instant }) =>
        idsOf(search.find({ ...parsedQuery('tide'), ...dates }, 9))
      expect(await ids({ since: at(10) })).toEqual([3, 2])
      expect(await ids({ until: at(10) })).toEqual([2, 1])
      expect(await ids({ since: at(5), until: at(15) })).toEqual([2])
      expect(await ids({ since: at(21) })).toEqual([])
    })

    promised('sorts by date if requested', async (search) => {
      const texts = ['tide', 'tide tide', 'a long word on the tide', 'tide tide tide']
      const agesMs = [5, 20, 1, 9].map((minutes) => minutes * MINUTE)
      await search.put(texts.map((text, i) => ({ ...document(i + 1, '', text), at: START - agesMs[i]! })))
      expect(await idsOf(search.find(parsedQuery('tide'), 9, { order: 'date' }))).toEqual([3, 1, 4, 2])
      expect(await idsOf(search.find(parsedQuery('tide'), 2, { order: 'date', after: 1 as EntryId }))).toEqual([4, 2])
    })

    promised('scores newer entries higher', async (search) => {
      const old = { at: START - 4 * RELEVANCE_HALF_LIFE_MS }
      await search.put([
        { ...document(1, '', 'a word on the tide of yesterday'), ...old },
        document(2, '', 'a word on the tide of yesterday'),
        { ...document(3, '', 'a word on the tide of yesterday'), ...old },
      ])
      expect((await idsOf(search.find(parsedQuery('tide'), 9)))[0]).toBe(2)
    })

    promised('uses the new date of a changed entry', async (search) => {
      await search.put([document(1, 'tide'), document(2, 'tide')])
      await search.put([{ ...document(1, 'tide'), at: START - 60 * MINUTE }])
      expect(await idsOf(search.find(parsedQuery('tide'), 9, { order: 'date' }))).toEqual([2, 1])
      expect(await search.find({ ...parsedQuery('tide'), since: START }, 9)).toHaveLength(1)
      await search.drop([1 as EntryId])
      expect(await found(search, 'tide')).toEqual([2])
    })

    promised('returns all hits by date, so that they can be counted', async (search) => {
      const documents = Array.from({ length: 2500 }, (_, i) =>
        document(i + 1, 'tide', i % 5 === 0 ? 'and ebb' : 'and more'),
      )
      for (let i = 0; i < documents.length; i += 500) await search.put(documents.slice(i, i + 500))
      const counted = async (query: string) =>
        new Set(await idsOf(search.find(parsedQuery(query), 10_000, { order: 'date' }))).size
      expect(await counted('tide')).toBe(2500)
      expect(await counted('tide ebb')).toBe(500)
      expect(await counted('tide -ebb')).toBe(2000)
      expect(await counted('ti* feed:1')).toBe(2500)
    })

    promised('pages through all hits, each once', async (search) => {
      const texts = Array.from({ length: 25 }, (_, i) => `${'tide '.repeat(1 + (i % 4))} and more`)
      await search.put(texts.map((text, i) => ({ ...document(i + 1, '', text), feedId: (1 + (i % 2)) as FeedId })))
      for (const query of ['tide', 'tide feed:2', 'tide -feed:1', 'ti*', 'tid* mo* -feed:1'])
        for (const order of ['relevance', 'date'] as const) {
          const all = await idsOf(search.find(parsedQuery(query), 100, { order }))
          const paged: EntryId[] = []
          for (let last: EntryId | undefined, pages = 0; pages < 20; pages++) {
            const from: SearchOrder = { order, ...(last !== undefined && { after: last }) }
            const page = await idsOf(search.find(parsedQuery(query), 4, from))
            paged.push(...page)
            last = page.at(-1)
            if (last === undefined) break
          }
          expect(paged).toEqual(all)
          expect(paged.length).toBeGreaterThan(11)
        }
      expect(await search.find(parsedQuery('tide'), 9, { after: 999 as EntryId })).toEqual([])
    })

    promised('replaces documents', async (search) => {
      await search.put([document(1, 'old', 'stays old'), document(2, 'other')])
      await search.put([document(1, 'new')])
      expect(await found(search, 'old')).toEqual([])
      expect(await found(search, 'new')).toEqual([1])
      await search.put([document(1, 'first'), document(1, 'second')])
      expect(await found(search, 'first')).toEqual([])
      expect(await found(search, 'second')).toEqual([1])
      expect(await found(search, 'other')).toEqual([2])
    })

    promised('drops entries, and ignores unknown ids', async (search) => {
      await search.put([document(1, 'one word'), document(2, 'two word')])
      await search.drop([1 as EntryId, 99 as EntryId, 1 as EntryId])
      expect(await found(search, 'word')).toEqual([2])
      await search.drop([])
      await search.put([document(1, 'one again')])
      expect(await found(search, 'one')).toEqual([1])
    })

    promised('adds all documents or none', async (search) => {
      await search.put([document(1, 'before')])
      await expect(search.put([document(1, 'after'), document(2, 'after'), null as never])).rejects.toThrow()
      expect(await found(search, 'after')).toEqual([])
      expect(await found(search, 'before')).toEqual([1])
    })

    promised('finishes maintenance without changing results', async (search) => {
      for (let i = 1; i <= 60; i++) await search.put([document(i, `number ${i}`, i % 2 ? 'odd river' : 'even river')])
      await search.drop([3 as EntryId])
      await search.put([document(5, 'number 5', 'even by now')])
      const before = [await found(search, 'river'), await found(search, 'odd'), await found(search, 'even')]
      let pieces = 0
      while (await search.tidy()) expect(++pieces).toBeLessThan(60)
      expect([await found(search, 'river'), await found(search, 'odd'), await found(search, 'even')]).toEqual(before)
      expect(before.map((ids) => ids.length)).toEqual([58, 28, 31])
    })
  })
}
