import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collapseWhitespace, looseLines, looseText, plainText, titleText } from './html-to-text.ts'

describe('plainText', () => {
  it.each([
    ['<p>One</p><p>Two &amp; three</p>', 'One\nTwo & three'],
    ['a <b>bold</b>  word,<br>a\nline', 'a bold word,\na line'],
    ['<script>x < y</script>seen<style>p{}</style>', 'seen'],
    ['<noscript><p>no</p></noscript>seen<object>no<object>no</object>', 'seen'],
    ['a<!-- hidden -->b', 'ab'],
    ['a<![CDATA[ b & c ]]>d', 'a b & c d'],
    ['<!doctype html><?php no ?>text', 'text'],
    ['<img alt="a > b <br /> c" src=x>text', 'text'],
    ['<o:p>text</o:p> of a <my-word>processor</my-word>', 'text of a processor'],
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
    ['&lt;b&gt; &eacute; &#8217; &nbsp; &nope;', '<b> é ’ &nope;'],
    ['<script>never ends', ''],
    ['<a href="never ends', ''],
    ['', ''],
  ])('reads %j', (html, text) => {
    expect(plainText(html)).toBe(text)
  })
})

describe('looseText', () => {
  it.each([
    ['<p>Vec<T> &amp; <3</p><p>a <b>b</b></p>', 'Vec<T> & <3\na b'],
    ['the <select> element, </T> and <!doctype>', 'the <select> element, </T> and <!doctype>'],
    ['a <T and b <i>c</i>', 'a <T and b c'],
    ['<HARB> up <!-- no --><B>five</B>', '<HARB> up five'],
    ['two\nlines', 'two lines'],
  ])('reads %j', (html, text) => {
    expect(looseText(html)).toBe(text)
  })

  it('keeps the lines of the text on request', () => {
    expect(looseLines('two\nlines,  <b>three</b><br>lines')).toBe('two\nlines, three\nlines')
    expect(looseLines('two\nlines')).toBe('two\nlines')
  })
})

describe('titleText', () => {
  it('is one line, and keeps text that only looks like a tag', () => {
    expect(titleText('<em>New</em>:\n<br/> Vec<T> &amp; <3')).toBe('New: Vec<T> & <3')
  })
})

it('produces clean text, no longer than the input, for any input', () => {
  const fragment = fc.constantFrom(
    '<',
    '>',
    '</',
    '<p>',
    '</p>',
    '<T>',
    '<a b="',
    '"',
    '<!--',
    '-->',
    '&amp;',
    '<script>',
    ' \n',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(fragment, fc.string())), (fragments) => {
      const html = fragments.join('')
      for (const text of [plainText(html), looseText(html)]) {
        expect(text.length).toBeLessThanOrEqual(html.length)
        expect(text).not.toMatch(/^\s|\s$|\s\s|[^\S\n ]/)
      }
      expect(titleText(html)).toBe(collapseWhitespace(titleText(html)))
    }),
    { numRuns: 500 },
  )
})

it.each([
  '<',
  '</',
  '<b',
  '<a b="',
  '<T',
  '<!--',
  '<![CDATA[',
  '<?',
  '&',
  '<p>',
  '<object>',
  '</object>',
  '<script>',
  '</scrip',
])('reads a megabyte of %j in linear time', (unit) => {
  const html = unit.repeat(1_000_000 / unit.length)
  for (const read of [plainText, looseText]) expect(read(html).length).toBeLessThanOrEqual(html.length)
})
