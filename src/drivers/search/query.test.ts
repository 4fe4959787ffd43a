/** What people type, and what it is taken for. */
import { expect, it } from 'vitest'
import { parseQuery, searchable } from './query.ts'

const word = (text: string) => ({ text, prefix: false })

it.each([
  ['one two', [word('one'), word('two')], []],
  ['  "one two"  three', [word('one two'), word('three')], []],
  ['one -two -"three four"', [word('one')], [word('-two'), word('- three four')]],
  ['begin* "two beg*"', [{ text: 'begin*', prefix: true }, word('two beg*')], []],
  ['"two beg"*', [{ text: 'two beg *', prefix: true }], []],
  ['a* ab* "one to"*', [word('a*'), word('ab*'), word('one to *')], []],
  ['абв* аб*', [{ text: 'абв*', prefix: true }, word('аб*')], []],
  ['서울* 서*', [{ text: '서울*', prefix: true }, word('서*')], []],
  ['“curly quotes” «guillemets too»', [word('curly quotes'), word('guillemets too')], []],
  ['an "open quote', [word('an'), word('open quote')], []],
  ['e-mail one"two', [word('e-mail'), word('one'), word('two')], []],
  ['a\0b', [word('a'), word('b')], []],
  ['" - * -- "" (!) \u{1f30a}', [], []],
])('reads %j as words, phrases and exclusions', (text, wanted, unwanted) => {
  expect(parseQuery(text)).toEqual({ wanted, unwanted })
})

it('reads no more of a very long query than a person would type', () => {
  expect(parseQuery('word '.repeat(20_000)).wanted).toHaveLength(16)
  expect(parseQuery('x'.repeat(100_000)).wanted[0]?.text.length).toBe(1000)
})

it('spreads text of scripts that write no spaces, and leaves other text alone', () => {
  expect(searchable('天気 ok').split(' ').filter(Boolean)).toEqual(['天', '気', 'ok'])
  expect(searchable('Ünïcode stays')).toBe('Ünïcode stays')
})
