import { describe, expect, test } from 'vitest'
import { categoryOf } from './categorize.ts'
import { CATEGORIES, WORDS } from './category-words.ts'

describe('what publishers call it', () => {
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

describe('who is believed', () => {
  test.each<[why: string, feed: string[], entry: string[], value: string, from: string]>([
    ['the entry before the feed', ['Sports'], ['Business'], 'business', 'entry'],
    ['the feed where the entry says nothing', ['The Gazette - Technology'], [], 'technology', 'feed'],
    ['the feed where the entry says nothing known', ['Science'], ['Bridges', 'Mayor'], 'science', 'feed'],
    ['the majority', [], ['Health', 'NBA', 'Basketball'], 'sports', 'entry'],
    ['of equals the first', [], ['Culture', 'Money'], 'culture', 'entry'],
    ['nobody', ['The Gazette'], ['Featured'], 'uncategorized', 'default'],
  ])('%s', (_, feed, entry, value, from) => {
    expect(categoryOf(feed, entry)).toEqual({ value, from })
  })

  test('a thousand terms cost no more than thirty', () => {
    expect(categoryOf([], [...Array<string>(30).fill('x'), ...Array<string>(10_000).fill('Sports')]).from).toBe(
      'default',
    )
  })
})

test('no word stands in two drawers', () => {
  const drawers = new Map<string, string>()
  for (const category of CATEGORIES)
    for (const word of WORDS[category].split(/\s+/)) {
      expect(drawers.get(word) ?? category, word).toBe(category)
      drawers.set(word, category)
    }
})
