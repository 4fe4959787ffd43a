import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EntryId, FeedId, Rule } from '../model/index.ts'
import { parseRuleQuery, type SearchDocument } from '../ports/index.ts'
import { parsedQuery } from '../ports/search-query.fixture.ts'
import { createMemorySearch } from '../search/index.ts'
import { compileQuery, type RuleQuery, ruleDocument } from './compile-query.ts'
import { createRuleMatcher } from './match-rules.ts'

const document = (changes: Partial<SearchDocument> = {}): SearchDocument => ({
  id: 1 as EntryId,
  feedId: 1 as FeedId,
  at: 0,
  title: 'Ad: Ferries in C++',
  text: 'The old ferry sails at dawn. Costs $20.',
  names: ['Ann Other'],
  language: 'en',
  category: 'sea',
  host: 'news.example.org',
  ...changes,
})

function matches(text: string, given = document(), url = 'https://news.example.org/Offers/7'): boolean {
  const parsed = parseRuleQuery(text, 0)
  if ('fault' in parsed) throw new Error(parsed.fault)
  const compiled = compileQuery(parsed.query as RuleQuery)
  if ('fault' in compiled) throw new Error(compiled.fault)
  return compiled.matches(ruleDocument(given, url), { starred: false }, 0)
}

describe('a query of a rule', () => {
  test.each([
    ['ferry', true],
    ['ferries', true],
    ['"old ferry"', true],
    ['"ferry old"', false],
    ['sail*', true],
    ['C++', true],
    ['C#', false],
    ['dawn -ferry', false],
    ['dusk OR dawn', true],
    ['author:ann', true],
    ['site:example.org category:sea lang:en', true],
    ['title:ferries', true],
    ['title:dawn', false],
    ['text:dawn', true],
    ['text:"old ferry"', true],
    ['-title:dawn text:dawn', true],
    ['url:offers/', true],
    ['url:http', true],
    ['url:admin', false],
    ['title:/^ad:/i', true],
    ['title:/^ad:/', false],
    ['text:/\\$\\d+/', true],
    ['/dawn|dusk/', true],
    ['/^The old/', true],
    ['url:/\\/offers\\/\\d/i', true],
    ['dawn -title:/^ad/i', false],
    ['dusk OR title:/ferries/i', true],
  ])('%s', (text, expected) => {
    expect(matches(text)).toBe(expected)
  })

  test.each([
    ['/(/', 'not a regular expression'],
    ['/(a)\\1/', 'not a regular expression'],
    ['/(?=a)/', 'not a regular expression'],
    [`/${'a'.repeat(301)}/`, '300 characters'],
    ['/((a{1,90}){1,90}){1,90}/', 'regular expression'],
    ['/(?:abcdefgh){1,900}/', 'repeats too much'],
    ['feed:/x/', 'cannot be a regular expression'],
  ])('rejects %s', (text, reason) => {
    expect(() => matches(text)).toThrow(reason)
  })

  test('searches a limited part of a text with a regular expression', () => {
    expect(matches('text:/x$/', document({ text: `${' '.repeat(19_999)}x` }))).toBe(true)
    expect(matches('text:/x$/', document({ text: `${' '.repeat(20_000)}x` }))).toBe(false)
  })

  test('agrees with the search in memory', async () => {
    const WORDS = ['flood', 'floods', 'tide', 'tides', 'high', 'water', 'Überschwemmung', '海', 'node.js', 'ti']
    const word = fc.constantFrom(...WORDS)
    const some = (most: number) => fc.array(word, { maxLength: most }).map((words) => words.join(' '))
    const documents = fc.array(
      fc.record({ title: some(3), text: some(8), names: fc.array(some(2), { maxLength: 2 }) }),
      { minLength: 1, maxLength: 6 },
    )
    const term = fc.oneof(
      word,
      fc.tuple(word, word).map(([a, b]) => `"${a} ${b}"`),
      word.map((one) => `-${one}`),
      word.map((one) => `author:${one}`),
      fc.constantFrom('tid*', 'fl*', 'ti*', 'feed:1', 'feed:2', 'lang:de', 'lang:en', 'high OR tide', 'flood OR 海'),
    )
    const query = fc
      .tuple(fc.oneof(word, fc.constantFrom('ti*', '"high wat*', 'Ub*')), fc.array(term, { maxLength: 4 }))
      .map(([first, more]) => [first, ...more].join(' '))
    await fc.assert(
      fc.asyncProperty(documents, query, async (written, text) => {
        const search = createMemorySearch()
        const all = written.map((one, i) =>
          document({
            ...one,
            id: (i + 1) as EntryId,
            feedId: (1 + (i % 2)) as FeedId,
            language: i % 3 === 0 ? 'de' : 'en',
          }),
        )
        await search.put(all)
        const found = (await search.find(parsedQuery(text), 99)).map(({ id }) => id)
        const compiled = compileQuery(parsedQuery(text))
        if ('fault' in compiled) throw new Error(compiled.fault)
        const rule: Rule = { id: 'r', name: '', enabled: true, scope: { kind: 'all' }, query: text, actions: [] }
        const match = createRuleMatcher([{ rule, ...compiled }])
        const matching = all.filter(
          (one) => match(ruleDocument(one, undefined), { starred: false }, 0).matched.length > 0,
        )
        expect(matching.map(({ id }) => id)).toEqual(found.toSorted((a, b) => a - b))
      }),
      { numRuns: 400 },
    )
  })
})
