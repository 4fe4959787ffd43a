/** The output HTML: what it keeps, and that nothing unsafe gets through. */
import { describe, expect, test } from 'vitest'
import { extractArticle } from '../index.ts'

const SENTENCE = 'The mill stood at the end of the lane, and nobody had been inside for years. '
const FILLER = `<p>${SENTENCE.repeat(4)}</p>`
const out = (inside: string) =>
  extractArticle(`<article>${FILLER}${inside}<p>${SENTENCE.repeat(5)}</p></article>`, 'https://lamp.example/dir/a').html
const between = (inside: string) =>
  out(inside).slice(`<p>${SENTENCE.repeat(4).trim()}</p>`.length, -`<p>${SENTENCE.repeat(5).trim()}</p>`.length)

describe('keeps', () => {
  test.each([
    [
      'emphasis',
      `<p>${SENTENCE}<b>bold</b> and <i>italic</i>.</p>`,
      `<p>${SENTENCE}<strong>bold</strong> and <em>italic</em>.</p>`,
    ],
    [
      'links, made absolute',
      `<p>${SENTENCE}<a href="../b?c=1&d=2#e" onclick="x()">there</a>.</p>`,
      `<p>${SENTENCE}<a href="https://lamp.example/b?c=1&amp;d=2#e">there</a>.</p>`,
    ],
    ['line breaks', `<p>${SENTENCE}<br>${SENTENCE}</p>`, `<p>${SENTENCE}<br>${SENTENCE.trim()}</p>`],
    [
      'nested lists',
      '<ul><li>the first thing</li><li>the second thing<ol><li>and half of it</li></ol></li></ul>',
      '<ul><li>the first thing</li><li>the second thing<ol><li>and half of it</li></ol></li></ul>',
    ],
    ['headings', `<h3>Inside</h3><p>${SENTENCE}</p>`, `<h3>Inside</h3><p>${SENTENCE.trim()}</p>`],
    ['code', '<pre><code>if (a &lt; b) {\n  c()\n}</code></pre>', '<pre>if (a &lt; b) {\n  c()\n}</pre>'],
    [
      'pictures',
      `<div><img src="b.jpg" alt='a "b"'></div><p>${SENTENCE}</p>`,
      `<figure><img src="https://lamp.example/dir/b.jpg" alt="a &quot;b&quot;"></figure><p>${SENTENCE.trim()}</p>`,
    ],
    [
      'lazily loaded pictures',
      `<img src="data:image/gif;base64,R0" data-src="/b.jpg"><p>${SENTENCE}</p>`,
      `<figure><img src="https://lamp.example/b.jpg" alt=""></figure><p>${SENTENCE.trim()}</p>`,
    ],
    ['text without paragraphs', `<div>${SENTENCE}<b>Yes.</b></div>`, `<p>${SENTENCE}<strong>Yes.</strong></p>`],
  ])('%s', (_name, inside, html) => {
    expect(between(inside)).toBe(html)
  })
})

describe('removes unsafe content', () => {
  test.each([
    `<p>${SENTENCE}<a href="javascript:alert(1)">x</a></p>`,
    `<p>${SENTENCE}<a href=" java&#10;script:alert(1)">x</a></p>`,
    `<p>${SENTENCE}<img src=x onerror=alert(1)>&lt;script&gt;alert(1)&lt;/script&gt;</p>`,
    `<p>${SENTENCE}<script>alert(1)</script><style>*{}</style><iframe src="//evil.example"></iframe></p>`,
    `<p style="color:red" onmouseover="alert(1)">${SENTENCE}</p>`,
    `<p>${SENTENCE}<a href='https://e.example/"><script>alert(1)</script>'>x</a></p>`,
    `<p>${SENTENCE}<svg onload=alert(1)><a href="https://e.example">x</a></svg></p>`,
    `<p>${SENTENCE}<b<script>alert(1)</script></p>`,
    `<img alt='"><script>alert(1)</script>' src="https://e.example/a.jpg"><p>${SENTENCE}</p>`,
  ])('%s', (inside) => {
    const html = out(inside)
    expect(
      html.match(/<\/?[a-z][a-z0-9]*/g)?.filter((tag) => !/^<\/?(?:p|a|img|figure|br|strong|em)$/.test(tag)),
    ).toEqual([])
    expect(html).not.toMatch(/<[^>]*\son\w+=|style=|href="(?!https?:)|src="(?!https?:)/)
  })
})

test('closes all elements in order, however malformed the page', () => {
  const html = out(
    `<p><b>${SENTENCE}<i><p>${SENTENCE}</b><ul><b><li>one thing here</i><li><a href="/x">two <b>things</a></ul>`,
  )
  const open: string[] = []
  for (const [, slash, name] of html.matchAll(/<(\/?)([a-z0-9]+)[^>]*>/g)) {
    if (slash === '') {
      if (name !== 'br' && name !== 'img') open.push(name!)
    } else expect(open.pop()).toBe(name)
  }
  expect(open).toEqual([])
})
