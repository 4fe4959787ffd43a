/** Suggestions of the search box. */
import { expect, it } from 'vitest'
import { type SuggestionSources, suggestionsFor } from './search-suggestions.ts'

const SOURCES: SuggestionSources = {
  feeds: [{ title: 'Oil Gazette' }, { title: 'Café' }],
  folders: [{ name: 'Oil and gas', count: '2 feeds' }],
  saved: [{ name: 'Floods', query: 'flood OR tide' }],
  recent: ['oil prices', 'flood OR tide'],
  completions: ['oil prices', '"oil prices"'],
  values: { is: [['unread', 'unread']], lang: [['de', '']] },
  operators: { 'feed:': 'in a feed', 'folder:': 'in a folder', '-': 'without', OR: 'either' },
  words: { feed: 'a feed', folder: 'a folder', saved: 'saved', recent: 'recent', forget: 'Forget' },
}
const shown = (text: string, sources = SOURCES) => suggestionsFor(text, sources).map((one) => one.shown)

it.each([
  ['', ['Floods', 'oil prices', 'feed:', 'folder:', '-…', 'OR', 'Forget']],
  ['oil ', ['feed:', 'folder:', '-…', 'OR']],
  ['oil pri', ['oil prices', '"oil prices"', 'oil prices']],
  ['oil', ['oil prices', '"oil prices"', 'feed:"Oil Gazette"', 'folder:"Oil and gas"', 'oil prices']],
  ['cafe', ['feed:Café']],
  ['fo', ['folder:']],
  ['x feed:gaz', ['feed:"Oil Gazette"']],
  ['x folder:"oil an', ['folder:"Oil and gas"']],
  ['x -is:un', ['-is:unread']],
  ['lang:', ['lang:de']],
  ['x constructor:y', []],
  ['tide', ['Floods']],
])('for %j', (text, expected) => {
  expect(shown(text)).toEqual(expected)
})

it('are queries', () => {
  const texts = (text: string) => suggestionsFor(text, SOURCES).map((one) => one.text)
  expect(texts('x feed:gaz')).toEqual(['x feed:"Oil Gazette" '])
  expect(texts('x -is:u')).toEqual(['x -is:unread '])
  expect(texts('rain cafe')).toEqual(['rain feed:Café '])
  expect(suggestionsFor('floods', SOURCES)[0]).toMatchObject({ text: 'flood OR tide', isWhole: true })
})
