import { expect, test } from 'vitest'
import { type Arguments, createFormatter, parseMessage } from './message.ts'

const show = (language: string, message: string, values: Arguments, isRightToLeft = false) =>
  createFormatter(language, isRightToLeft)(parseMessage(message), values)

const ENTRIES = '{count, plural, =0 {no entries} one {# entry} other {# entries}}'
const POLISH = '{count, plural, one {# wpis} few {# wpisy} many {# wpisów} other {# wpisu}}'

test.each([
  ['en', 'Feeds in {name}', { name: 'News' }, 'Feeds in News'],
  ['en', 'Only {count}', { count: 1234 }, 'Only 1,234'],
  ['de', 'Nur {count}', { count: 1234 }, 'Nur 1.234'],
  ['en', ENTRIES, { count: 0 }, 'no entries'],
  ['en', ENTRIES, { count: 1 }, '1 entry'],
  ['en', ENTRIES, { count: 2000 }, '2,000 entries'],
  ['fr', '{count, plural, one {# article} other {# articles}}', { count: 0 }, '0 article'],
  ['pl', POLISH, { count: 3 }, '3 wpisy'],
  ['pl', POLISH, { count: 12 }, '12 wpisów'],
  ['en', 'By {source, select, page {the page} other {the feed}}', { source: 'page' }, 'By the page'],
  ['en', 'By {source, select, page {the page} other {the feed}}', { source: 'x' }, 'By the feed'],
  ['en', '{isNew, select, true {new} other {old}}', { isNew: true }, 'new'],
  [
    'en',
    '{n, plural, one {{name} moved} other {# of {name, select, a {A#} other {B}}}}',
    { n: 5, name: 'a' },
    '5 of A5',
  ],
  ['en', "it''s '{literal}' #1, isn't it", {}, "it's {literal} #1, isn't it"],
  ['de', 'Nächster Abruf {when}.', { when: 'in 5 Min.' }, 'Nächster Abruf in 5 Min.'],
])('in %s, “%s” with %j is “%s”', (language, message, values, expected) => {
  expect(show(language, message, values)).toBe(expected)
})

test('isolates names in a text from right to left', () => {
  expect(show('ar', 'في {name}', { name: 'A (B)' }, true)).toBe('في \u2068A (B)\u2069')
})
