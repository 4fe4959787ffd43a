import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readableOf } from '../articles/index.ts'
import { widthOf } from './io.ts'
import { layOut, wrapText } from './layout.ts'

const laidOut = (html: string, width = 30) =>
  layOut(readableOf(html).passages, width).map(({ text, isHeading }) => (isHeading ? `*${text}*` : text))

describe('an article in the terminal', () => {
  it.each([
    [
      'is wrapped at spaces',
      '<p>The town council votes on the new bridge next week.',
      ['The town council votes on the', 'new bridge next week.'],
    ],
    ['has empty lines between paragraphs', '<p>a<p>b', ['a', '', 'b']],
    ['shows headings', '<h2>Next</h2><p>b', ['*Next*', '', 'b']],
    [
      'indents lists',
      '<ul><li>The town council votes on it next week<li>b<ol><li>c</ol></ul>',
      ['- The town council votes on it', '  next week', '- b', '  1. c'],
    ],
    [
      'marks quotations',
      '<blockquote>The town council votes on the bridge</blockquote>',
      ['> The town council votes on', '> the bridge'],
    ],
    ['keeps the lines of code', '<pre>a\n  b</pre>', ['    a', '      b']],
    ['keeps line breaks', '<p>a<br>b', ['a', 'b']],
    [
      'breaks lines between letters where there are no spaces',
      '<p>河湾市最古老的石桥昨日修复完成，重新向市民开放。',
      ['河湾市最古老的石桥昨日修复完', '成，重新向市民开放。'],
    ],
    ['lays tables out in rows', '<table><tr><td>a<td>b<tr><td>c<td>d</table>', ['a  b', 'c  d']],
    ['moves no cursor', '<p>a\u001b[2Jb\u0007<pre>c\u001b[0md</pre>', ['a [2Jb', '', '    c [0md']],
  ])('%s', (_, html, lines) => {
    expect(laidOut(html)).toEqual(lines)
  })

  it('fits the width and loses no letter', () => {
    const words = fc.array(fc.constantFrom('a', 'bridge', '河湾市', 'council-'.repeat(20), '。', 'é', '👋', ' '), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(words, fc.integer({ min: 20, max: 60 }), (some, room) => {
        const text = some.join(' ')
        const lines = wrapText(text, room)
        // Punctuation that stays with the letter before it may exceed the width.
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(room + 2)
        expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
      }),
    )
  })
})
