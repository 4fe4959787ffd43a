import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { standInTitle, titleFromAddress } from './stand-in-title.ts'

test.each([
  ['', ''],
  ['<p>Good morning, harbour.</p>', 'Good morning, harbour.'],
  ['<p>Tea</p><p>and the tide table for this week</p>', 'Tea and the tide table for this week'],
  [
    '<p>The ferry is late again. We waited for an hour, and then another, and nobody at the pier could say when it would come.</p>',
    'The ferry is late again. We waited for an hour, and then another, and nobody at…',
  ],
  [
    '<p>The ferry to the island is late again today. We waited for an hour, and then another one.</p>',
    'The ferry to the island is late again today',
  ],
  [
    '<p>Is the ferry to the island late again today? We waited for an hour, and then another.</p>',
    'Is the ferry to the island late again today?',
  ],
  ['<p>See <a href="https://a.example/x/y">a.example/x/y…</a></p>', 'See'],
  ['<p>New post: https://a.example/2026/01/long-address-of-a-post</p>', 'New post'],
  ['<p>https://a.example/</p>', ''],
  ['<p><span>https://</span><span>a.example/b</span></p><p>A short note on tides</p>', 'A short note on tides'],
  ['<p>&lt;3 this &amp; that</p>', '<3 this & that'],
  ['<img src="https://a.example/a.jpg" alt="A heron on a jetty">', 'A heron on a jetty'],
  ['<img src="https://a.example/a.jpg">', ''],
  ['<p>🌊🌊🌊</p>', '🌊🌊🌊'],
  ['<p>#tides @harbour hello</p>', '#tides @harbour hello'],
  [`<p>${'今日は港で新しい船を見ました'.repeat(6)}</p>`, `${'今日は港で新しい船を見ました'.repeat(6).slice(0, 39)}…`],
  [
    `<p>今日は港で新しい船を見ました。${'とても大きかったので驚きました'.repeat(4)}</p>`,
    '今日は港で新しい船を見ました',
  ],
  [`<p>${'👩‍👩‍👧‍👦'.repeat(60)}</p>`, `${'👩‍👩‍👧‍👦'.repeat(39)}…`],
])('%j is called %j', (html, title) => expect(standInTitle(html)).toBe(title))

describe('for any text', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 400 })

  test('is one short well-formed line', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          text.map((inside) => `<p>${inside}</p><p>${inside}</p>`),
        ),
        (html) => {
          const title = standInTitle(html)
          expect(title).not.toMatch(/[\n\r]/)
          expect(title.isWellFormed() || !html.isWellFormed()).toBe(true)
          expect([...new Intl.Segmenter().segment(title)].length).toBeLessThanOrEqual(81)
          expect(title).toBe(title.trim())
        },
      ),
    )
  })

  test('is linear in long texts', () => {
    for (const piece of ['a.', 'https://', '<img ', '<img alt="', '- ', 'a ', '!'])
      expect(standInTitle(piece.repeat(100_000)).length).toBeLessThan(400)
  })
})

test.each([
  ['https://a.example/2026/01/low-tide-at-noon-mk229og0', 'Low tide at noon'],
  ['https://a.example/low-tide-at-noon.html', 'Low tide at noon'],
  ['https://a.example/news/the_2026_regatta_begins/', 'The 2026 regatta begins'],
  ['https://a.example/%C3%BCber-die-gezeiten', 'Über die gezeiten'],
  ['https://a.example/about-us', ''],
  ['https://a.example/article/12345', ''],
  ['https://a.example/%E0%A4', ''],
  ['not an address', ''],
])('the words in the address %s are %j', (url, title) => {
  expect(titleFromAddress(url)).toBe(title)
})
