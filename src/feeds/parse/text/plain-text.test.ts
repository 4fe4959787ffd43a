import { describe, expect, it } from 'vitest'
import { plainText, titleText } from './plain-text.ts'

describe('plainText', () => {
  it.each([
    ['<p>One</p><p>Two &amp; three</p>', 'One\nTwo & three'],
    ['a <b>bold</b>  word,<br>a\nline', 'a bold word,\na line'],
    ['<script>x < y</script>seen<style>p{}</style>', 'seen'],
    ['a<!-- hidden -->b', 'ab'],
    ['<img alt="a > b <br /> c" src=x>text', 'text'],
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
    ['&lt;b&gt; &eacute; &#8217; &nbsp; &nope;', '<b> é ’ &nope;'],
    ['<script>never ends', ''],
    ['<a href="never ends', ''],
    ['', ''],
  ])('reads %j', (html, text) => {
    expect(plainText(html)).toBe(text)
  })
})

describe('titleText', () => {
  it('is one line, and keeps what only looks like a tag', () => {
    expect(titleText('<em>New</em>:\n<br/> Vec<T> &amp; <3')).toBe('New: Vec<T> & <3')
  })
})
