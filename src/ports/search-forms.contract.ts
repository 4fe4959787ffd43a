/** The part of the contract of search.ts on inflected forms and on queries that are being typed. */
import { describe, expect, it } from 'vitest'
import type { Search } from './search.ts'
import { parsedQuery } from './search-query.fixture.ts'
import { document, found, idsOf } from './search-samples.contract.ts'

export function searchFormsContract(name: string, open: () => Promise<Search>): void {
  describe(`forms of words in the ${name} index`, () => {
    const promised = (sentence: string, hold: (search: Search) => Promise<void>) =>
      it(sentence, async () => hold(await open()))

    promised('finds inflected forms in entries of their language, below the word itself', async (search) => {
      const german = { language: 'de-AT' }
      await search.put([
        document(1, 'a flood'),
        document(2, 'two floods'),
        document(3, 'floodgate'),
        { ...document(4, 'zwei flooding'), ...german },
        { ...document(5, 'nach den Wahlen'), ...german },
        document(6, 'wahlen'),
        document(7, 'news of a new day'),
        { ...document(8, 'выборов нет'), language: 'ru' },
        document(9, 'the child', 'flooding'),
      ])
      expect(await found(search, 'flood')).toEqual([1, 2, 9])
      expect(await found(search, 'flooding')).toEqual([1, 2, 4, 9])
      expect(await found(search, 'Floods')).toEqual([1, 2, 9])
      expect(await found(search, '"floods"')).toEqual([2])
      expect(await found(search, '"flood"')).toEqual([1])
      expect(await found(search, 'Wahl')).toEqual([5])
      expect(await found(search, 'wahlen')).toEqual([5, 6])
      expect(await found(search, 'выборы')).toEqual([8])
      expect(await found(search, 'flood -floods')).toEqual([1, 9])
      expect(await found(search, 'children flooded')).toEqual([9])
      expect(await found(search, 'wahl OR children')).toEqual([5, 9])
      expect(await found(search, 'day -flood')).toEqual([7])
      await search.put([document(10, 'news'), document(11, 'new')])
      expect(await found(search, 'news')).toEqual([7, 10])
      await search.put([{ ...document(12, 'ei skoler'), language: 'nb' }])
      expect(await found(search, 'skole')).toEqual([12])
      expect(await idsOf(search.find(parsedQuery('flood'), 9))).toEqual([1, 2, 9])
      await search.put([document(1, 'flooded'), document(2, 'the flood')])
      expect((await idsOf(search.find(parsedQuery('flood'), 9)))[0]).toBe(2)
    })

    promised('finds what an unfinished query may become, whole words first', async (search) => {
      await search.put([
        document(1, 'oil price'),
        document(2, 'oil prices'),
        document(3, 'oil pricing'),
        document(4, 'oil priest'),
        document(5, 'price of paint'),
      ])
      const typed = (text: string) => parsedQuery(text, { isTyping: true })
      const ids = async (text: string) => (await idsOf(search.find(typed(text), 9))).sort((a, b) => a - b)
      expect(await ids('oil pri')).toEqual([1, 2, 3, 4])
      expect(await ids('oil pric')).toEqual([1, 2, 3])
      expect(await ids('oil prices')).toEqual([1, 2, 3])
      expect(await ids('oil prices ')).toEqual([1, 2, 3])
      expect(await ids('"oil pric')).toEqual([1, 2, 3])
      expect(await ids('"oil pr')).toEqual([1, 2, 3, 4])
      expect(await ids('oil p')).toEqual([1, 2, 3, 4])
      const firstOf = async (text: string) => (await idsOf(search.find(typed(text), 9)))[0]
      expect(await firstOf('oil price')).toBe(1)
      expect(await firstOf('oil prices')).toBe(2)
      expect(await firstOf('oil pricing')).toBe(3)
      expect(await idsOf(search.find(typed('oil pric'), 9, { order: 'date' }))).toHaveLength(3)
    })
  })
}
