import { describe, expect, test } from 'vitest'
import { plainTitle, removeDateline } from './plain.ts'

describe('removes from a title', () => {
  test.each([
    ['an agency in brackets', 'Tram line opens at last (AP)', 'Tram line opens at last'],
    ['its source', 'Tram line opens at last - The Harbour Post', 'Tram line opens at last'],
    ['its source behind a bar', 'Tram line opens at last | Harbour Post', 'Tram line opens at last'],
    ['its source behind a low line', '电车线路终于开通了_海港日报', '电车线路终于开通了'],
    ['the label of a wire', 'UPDATE 2-Tram line opens at last', 'Tram line opens at last'],
    ['entities that were escaped twice', 'Tram line opens &amp; closes', 'Tram line opens & closes'],
    ['entities that lost their ampersand', 'The quot;tram quot; line', 'The  tram   line'],
  ])('%s', (_, title, plain) => {
    expect(plainTitle(title)).toBe(plain)
  })

  test.each([
    ['a date behind a dash', 'The week in pictures - 3 May'],
    ['a part in brackets', 'The long way home (part 2)'],
    ['what is not a tag', 'Fund <HARB> sets payout'],
    ['more than is left', 'Trams - an endless story of delay'],
  ])('but not %s', (_, title) => {
    expect(plainTitle(title)).toBe(title)
  })
})

describe('removes from a text', () => {
  test.each([
    ['place and agency', 'PORT ELSE (Reuters) - The tram came.', 'The tram came.'],
    ['an agency', 'AP - The tram came.', 'The tram came.'],
    ['place and date', 'PORT ELSE Sept. 13, 2004 - The tram came.', 'The tram came.'],
    ['a Chinese dateline', '新华社海港5月3日电 电车来了', '电车来了'],
  ])('%s', (_, text, plain) => {
    expect(removeDateline(text)).toBe(plain)
  })
})

test('processes hostile text quickly and safely', () => {
  for (const text of [
    '<'.repeat(1e6),
    '<a '.repeat(3e5),
    '&#'.repeat(5e5),
    '('.repeat(1e6),
    'A '.repeat(5e5),
    '<!--'.repeat(2e5),
  ]) {
    expect(removeDateline(text).length).toBeLessThan(30_000)
    expect(plainTitle(text).length).toBeLessThan(30_000)
  }
})
