import { describe, expect, test } from 'vitest'
import { categoryOf } from './categorize.ts'
import { CATEGORIES, WORDS } from './category-words.ts'

describe("a publisher's term", () => {
  test.each([
    ['Politics', 'politics'],
    ['POLITIK', 'politics'],
    ['Politique', 'politics'],
    ['Política', 'politics'],
    ['политика', 'politics'],
    ['राजनीति', 'politics'],
    ['US Politics', 'politics'],
    ['Politics & Policy', 'politics'],
    ['News/Politics', 'politics'],
    ['Sport > Fußball', 'sports'],
    ['sports/soccer', 'sports'],
    ['Olympic Games', 'sports'],
    ['Video Games', 'entertainment'],
    ['体育新闻', 'sports'],
    ['스포츠', 'sports'],
    ['كرة القدم', 'sports'],
    ['Wirtschaft', 'business'],
    ['Économie', 'business'],
    ['ECONOMÍA', 'business'],
    ['Gospodarka', 'business'],
    ['Real Estate', 'business'],
    ['iş dünyası', 'business'],
    ['Tech', 'technology'],
    ['IT', 'technology'],
    ['テクノロジー', 'technology'],
    ['Επιστήμη', 'science'],
    ['Sức khỏe', 'health'],
    ['COVID-19', 'health'],
    ['Arts & Culture', 'culture'],
    ['Kültür-Sanat', 'culture'],
    ['Climate change', 'environment'],
    ['Op-Ed', 'opinion'],
    ['Faits divers', 'crime'],
    ['World', 'world'],
    ['Monde', 'world'],
    ['Middle East', 'world'],
    ['Lokales', 'local'],
    ['חינוך', 'education'],
    ['ท่องเที่ยว', 'lifestyle'],
    ['News', 'uncategorized'],
    ['Home', 'uncategorized'],
    ['Le Monde', 'uncategorized'],
    ['DIE WELT', 'uncategorized'],
    ['', 'uncategorized'],
    ['<script>', 'uncategorized'],
    ['a sentence that speaks of politics and money', 'uncategorized'],
    ['sports '.repeat(10_000), 'uncategorized'],
  ])('%s', (term, category) => {
    expect(categoryOf([], [term]).value).toBe(category)
  })
})

describe('precedence', () => {
  test.each<[why: string, feed: string[], entry: string[], value: string, from: string]>([
    ['the entry over the feed', ['Sports'], ['Business'], 'business', 'entry'],
    ['the feed if the entry has no term', ['The Gazette - Technology'], [], 'technology', 'feed'],
    ['the feed if the entry has no known term', ['Science'], ['Bridges', 'Mayor'], 'science', 'feed'],
    ['the majority', [], ['Health', 'NBA', 'Basketball'], 'sports', 'entry'],
    ['the first of several equally frequent', [], ['Culture', 'Money'], 'culture', 'entry'],
    ['none without a known term', ['The Gazette'], ['Featured'], 'uncategorized', 'default'],
  ])('%s', (_, feed, entry, value, from) => {
    expect(categoryOf(feed, entry)).toEqual({ value, from })
  })

  test('reads at most thirty terms', () => {
    expect(categoryOf([], [...Array<string>(30).fill('x'), ...Array<string>(10_000).fill('Sports')]).from).toBe(
      'default',
    )
  })
})

test('assigns each word to one category', () => {
  const categoryOfWord = new Map<string, string>()
  for (const category of CATEGORIES)
    for (const word of WORDS[category].split(/\s+/)) {
      expect(categoryOfWord.get(word) ?? category, word).toBe(category)
      categoryOfWord.set(word, category)
    }
})
