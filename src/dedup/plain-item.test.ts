import { describe, expect, test } from 'vitest'
import { createCopyIndex, signature } from './index.ts'
import { toPlainItem } from './plain-item.ts'

describe('plain items', () => {
  test.each([
    ['tags and comments', '<p>The <!-- no -->tram <a href="x">came</a>.</p>', 'The tram came.'],
    ['scripts', 'The tram<script>came()</script> came.', 'The tram came.'],
    ['entities', 'Caf&eacute; &amp; tram', 'Café & tram'],
  ])('a summary loses %s', (_, summary, text) => {
    expect(toPlainItem({ title: '', summary })).toEqual({ title: '', text })
  })

  test('keep text that only looks like an HTML tag, in titles and summaries', () => {
    const fund = 'Fund <HARB> sets <b>payout</b>'
    expect(toPlainItem({ title: fund, summary: fund })).toEqual({
      title: 'Fund <HARB> sets payout',
      text: 'Fund <HARB> sets payout',
    })
  })

  test('prefer the text to the summary, and use it unchanged', () => {
    expect(toPlainItem({ title: 'On <b>', summary: 'x', text: 'The <b> element &amp; others' })).toEqual({
      title: 'On <b>',
      text: 'The <b> element &amp; others',
    })
  })

  test('are created quickly and safely from hostile markup', () => {
    for (const unit of ['<', '<a ', '<a b="', '&#', '<!--', '<![CDATA[', '</', '<script>', '<p>'])
      expect(toPlainItem({ title: unit.repeat(1000), summary: unit.repeat(3e5) }).text.length).toBeLessThan(30_000)
  })
})

test('match copies with and without markup', () => {
  const lead = 'The council voted on Monday to build a tram line to the harbour, ending a quarrel of nine years.'
  const title = 'Council votes for tram'
  expect(signature({ title, summary: `<p>${lead}</p>` })).toEqual(signature({ title, text: lead }))
  for (const level of ['copy', 'story'] as const) {
    const index = createCopyIndex({ level })
    index.add({ id: 1, at: 0, title, summary: `<p>${lead}</p>` })
    expect(index.add({ id: 2, at: 1, title, text: lead }).joined).toEqual([1])
  }
})
