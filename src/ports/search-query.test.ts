/** Parsing of search queries, and folding of words. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../model/index.ts'
import { parseQuery, sitesOf } from './search-query.ts'
import { canBegin, foldedWords, searchable, wordPositions } from './search-words.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')
const exact = (text: string) => ({ kind: 'words', text, prefix: false })
const word = (text: string) => ({ ...exact(text), inflected: true })
const open = (term: object) => ({ ...term, prefix: true, isOpen: true })
const literal = (text: string) => ({ ...exact(text), literal: text.toLowerCase() })
const beginning = (text: string) => ({ kind: 'words', text, prefix: true })

it.each([
  ['one two', [[word('one')], [word('two')]], []],
  ['  "one two"  three', [[exact('one two')], [word('three')]], []],
  ['one -two -"three four"', [[word('one')]], [exact('two'), exact('three four')]],
  ['begin* "two beg*"', [[beginning('begin')], [exact('two beg')]], []],
  ['"two beg"*', [[beginning('two beg')]], []],
  ['a ab* "one to"*', [[exact('a')], [beginning('ab')], [beginning('one to')]], []],
  ['аб* 서울*', [[beginning('аб')], [exact('서울')]], []],
  ['“curly quotes” «guillemets too»', [[exact('curly quotes')], [exact('guillemets too')]], []],
  ['an "open quote', [[exact('an')], [exact('open quote')]], []],
  ['e-mail one"two', [[exact('e-mail')], [word('one')], [exact('two')]], []],
  ['a\0b \ue000c', [[exact('a')], [exact('b')], [exact('c')]], []],
  ['rain OR snow OR "hail stones" today', [[word('rain'), word('snow'), exact('hail stones')], [word('today')]], []],
  ['this or that', [[word('this')], [exact('or')], [word('that')]], []],
  [
    'feed:3 OR feed:"The Gazette"',
    [
      [
        { kind: 'feed', name: '3' },
        { kind: 'feed', name: 'The Gazette' },
      ],
    ],
    [],
  ],
  ['folder:News -lang:DE', [[{ kind: 'folder', name: 'News' }]], [{ kind: 'language', code: 'de' }]],
  ['category:Science', [[{ kind: 'category', name: 'science' }]], []],
  ['site:https://www.Example.org/news', [[{ kind: 'site', host: 'example.org' }]], []],
  ['author:"Ann Ot"*', [[{ kind: 'author', text: 'Ann Ot', prefix: true }]], []],
  ['"title:mail" https://x.example/', [[exact('title:mail')], [exact('https://x.example/')]], []],
  ['Re: mail 12:30 std::vector', [[exact('Re:')], [word('mail')], [exact('12:30')], [exact('std::vector')]], []],
  ['-"foo:bar" x C:\\temp', [[exact('x')], [exact('C:\\temp')]], [exact('foo:bar')]],
  [
    're:invent RE:mail C: isbn:978 std::map 4:3',
    ['re:invent', 'RE:mail', 'C:', 'isbn:978', 'std::map', '4:3'].map((text) => [exact(text)]),
    [],
  ],
  ['NASA AIDS Aids', [[exact('NASA')], [exact('AIDS')], [word('Aids')]], []],
  [
    'C++ (c#) .NET AT&T disney+ -C++17',
    [
      [literal('C++')],
      [{ ...literal('(c#)'), literal: 'c#' }],
      [literal('.NET')],
      [literal('AT&T')],
      [literal('disney+')],
    ],
    [literal('C++17')],
  ],
  ['F-16 node.js #flood 50% oil+gas', ['F-16', 'node.js', '#flood', '50%', 'oil+gas'].map((text) => [exact(text)]), []],
])('reads %j as terms', (text, all, none) => {
  expect(parseQuery(text, NOW)).toEqual({ query: { all, none } })
})

it.each([
  ['oil pric', [[word('oil')], [open(word('pric'))]], {}],
  ['oil pric ', [[word('oil')], [word('pric')]], {}],
  ['oil p', [[word('oil')]], {}],
  ['p', [[exact('p')]], {}],
  ['天', [[exact('天')]], {}],
  ['oil "crude pric', [[word('oil')], [open(exact('crude pric'))]], {}],
  ['oil "crude pri', [[word('oil')], [exact('crude')]], {}],
  ['oil "crude pric"', [[word('oil')], [exact('crude pric')]], {}],
  ['oil -pric', [[word('oil')]], { none: [exact('pric')] }],
  ['oil OR', [[word('oil')]], {}],
  ['oil OR pric', [[word('oil'), open(word('pric'))]], {}],
  ['oil author:An', [[word('oil')], [open({ kind: 'author', text: 'An' })]], {}],
  ['oil lang:', [[word('oil')]], {}],
  ['oil lang:d', [[word('oil')]], {}],
  ['oil lang:de', [[word('oil')], [{ kind: 'language', code: 'de' }]], {}],
  ['oil folder:Ne', [[word('oil')]], {}],
  ['oil folder:Ne ', [[word('oil')], [{ kind: 'folder', name: 'Ne' }]], {}],
  ['oil is:unre', [[word('oil')]], {}],
  ['oil since:202', [[word('oil')]], {}],
  ['oil site:exa', [[word('oil')]], {}],
  ['oil C+', [[word('oil')], [{ ...literal('C+'), isOpen: true }]], {}],
])('reads %j while it is typed', (text, all, more) => {
  expect(parseQuery(text, NOW, { isTyping: true })).toEqual({ query: { all, none: [], ...more } })
})

it.each(['oil autor:x', 'oil is:foo', 'feed:', '-oil'])('rejects %j while it is typed', (text) => {
  expect(parseQuery(text, NOW, { isTyping: true })).toHaveProperty('fault')
})

it.each([
  ['x since:24h', { since: NOW - 24 * HOUR }],
  ['since:2026-02-01 x until:2026-02-03', { since: Date.parse('2026-02-01'), until: Date.parse('2026-02-04') - 1 }],
  ['x until:7d', { until: NOW - 7 * DAY }],
  ['x until:2026-02-03T10:00:00Z', { until: Date.parse('2026-02-03T10:00:00Z') }],
])('reads the dates of %j', (text, dates) => {
  expect(parseQuery(text, NOW)).toEqual({ query: { all: [[exact('x')]], none: [], ...dates } })
})

it.each([
  ['" - * -- "" (!) \u{1f30a}', 'the search contains no word'],
  ['', 'the search contains no word'],
  ['since:24h', 'the search contains no word'],
  ['-one -"two"', 'the search contains only exclusions'],
  ['OR one', 'OR must stand between two terms'],
  ['one OR', 'OR must stand between two terms'],
  ['one OR OR two', 'OR must stand between two terms'],
  ['one OR -two', 'dates and exclusions cannot be combined with OR'],
  ['one -two OR three', 'dates and exclusions cannot be combined with OR'],
  ['one since:24h OR three', 'dates and exclusions cannot be combined with OR'],
  ['one OR since:24h', 'dates and exclusions cannot be combined with OR'],
  ['one feed:', 'feed: has no value'],
  ['p*', '"p*" has too few letters before the *'],
  ['one "two p"*', '"two p *" has too few letters before the *'],
  ['author:"Ann O"*', '"Ann O *" has too few letters before the *'],
  ['title:mail', 'title: can only be used in rules'],
  ['one -Title:"two words"', 'Title: can only be used in rules'],
  ['one since:soon', 'since: cannot be "soon"'],
  ['one -until:24h', '-until: cannot be "24h"'],
  ['one since:2026-13-45', 'since: cannot be "2026-13-45"'],
  ['one lang:german', 'lang: cannot be "german"'],
  ['one site:"a b"', 'site: cannot be "a b"'],
  ['word '.repeat(33), 'a search is limited to 32 terms'],
  ['x'.repeat(1001), 'a search is limited to 1000 characters'],
])('rejects %j with a message', (text, sentence) => {
  expect(parseQuery(text, NOW)).toMatchObject({ fault: sentence, hint: expect.stringMatching(/\w{3}/) })
})

it('returns a query or a message for any input', () => {
  const signs = ['"', '*', '-', ':', 'OR', ' ', 'feed:', 'since:', '(', '\0', '\ud800', 'a', 'site:', '1h']
  const typed = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.array(fc.constantFrom(...signs), { maxLength: 30 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(typed, fc.boolean(), (text, isTyping) => {
      const parsed = parseQuery(text, NOW, { isTyping })
      if ('query' in parsed) expect(parsed.query.all.length).toBeGreaterThan(0)
      else expect(parsed.fault.length).toBeGreaterThan(5)
    }),
    { numRuns: 500 },
  )
})

it('lists parent domains of a host, without top-level domains', () => {
  expect(sitesOf('a.news.example.org')).toEqual(['a.news.example.org', 'news.example.org', 'example.org'])
  expect(sitesOf('localhost')).toEqual(['localhost'])
})

describe('words', () => {
  it('separates letters of scripts without spaces', () => {
    expect(searchable('天気 ok').split(' ').filter(Boolean)).toEqual(['天', '気', 'ok'])
    expect(searchable('서울에서').split(' ').filter(Boolean)).toEqual(['서', '울', '에', '서'])
    expect(searchable('Ünïcode stays')).toBe('Ünïcode stays')
  })

  it('folds words', () => {
    expect(foldedWords('Große Ünïcode, ΛΌΓΟΣ Всё ｗｉｄｅ')).toEqual(['grosse', 'unicode', 'λογοσ', 'все', 'wide'])
  })

  it('returns the positions of words in the original text', () => {
    const text = 'Die Große天気, cafe\u0301.'
    const words = [...wordPositions(text)].map(({ folded, from, to }) => [folded, text.slice(from, to)])
    expect(words).toEqual([
      ['die', 'Die'],
      ['grosse', 'Große'],
      ['天', '天'],
      ['気', '気'],
      ['cafe', 'cafe\u0301'],
    ])
  })

  it('accepts prefixes of at least two letters', () => {
    expect(['ab*', 'a*', 'ß*', '天気*', 'x é*'].map(canBegin)).toEqual([true, false, true, false, false])
  })
})

it.each([
  ['language:de', /did you mean lang:\?/],
  ['cat:news', /did you mean category:\?/],
  ['autor:x', /did you mean author:\?/],
  ['befor:2026', /did you mean until:\?/],
  ['after:2026-01-01', /did you mean since:\?/],
  ['langauge:de', /did you mean lang:\?/],
  ['x is:unred', /did you mean is:unread\? unread, read, starred, muted or mine/],
  ['x is:foo', /^unread, read, starred, muted or mine is expected$/],
  [
    'intitle:x',
    /^available: feed: folder: lang: .* is:; to search for the text itself, put it in quotes: "intitle:…"$/,
  ],
])('suggests operators for the unknown one in %j', (text, hint) => {
  expect(parseQuery(text, NOW)).toMatchObject({ hint: expect.stringMatching(hint) })
})
