import { expect, test } from 'vitest'
import { textHash } from './text-hash.ts'

const of = (content: string) => textHash({ content })

test.each([
  ['<p>The mayor resigns.</p>', '<div class="x">\n The  mayor <b>resigns</b> </div>'],
  ['Mayor resigns – 12 comments', 'Mayor resigns – 140 comments'],
  ['Mayor resigns, 5 minutes ago', 'Mayor resigns, 3 days ago'],
  ['vor 5 Minuten: Bürgermeister tritt zurück', 'vor 2 Tagen: Bürgermeister tritt zurück'],
  ['<img src="/a.png?x=1">Mayor', '<img src="/a.png?x=2">Mayor'],
  ['MAYOR resigns', 'Mayor Resigns'],
])('ignores what changes by itself: %s', (before, after) => {
  expect(of(after)).toBe(of(before))
})

test.each([
  ['The mayor resigns', 'The mayor refuses'],
  ['市长辞职', '市长留任'],
  ['one two', 'two one'],
  ['short', 'short and more'],
])('detects changed words: %s', (before, after) => {
  expect(of(after)).not.toBe(of(before))
})

test('is undefined without words, and prefers content to summary', () => {
  expect([of(''), of('<p>12</p>'), textHash({})]).toEqual([undefined, undefined, undefined])
  expect(textHash({ content: 'a tale', summary: 'b' })).toBe(of('a tale'))
})

test('reads at most 20,000 characters', () => {
  const long = 'tale '.repeat(4000)
  expect(of(`${long} and an end`)).toBe(of(`${long} and another`))
  expect(of('<'.repeat(500_000))).toBeUndefined()
})
