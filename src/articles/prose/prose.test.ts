import { describe, expect, test } from 'vitest'
import { markdownOf } from './markdown.ts'
import { readableOf } from './readable.ts'

describe('as Markdown', () => {
  test.each([
    ['paragraphs', '<p>a <p>b\n  c</p>', 'a\n\nb c'],
    ['headings', '<h2>a <b>b</b></h2><p>c', '## a **b**\n\nc'],
    ['emphasis', '<p>a <b>b </b><em>c</em> <code>d*e</code> <s>f</s>', 'a **b** *c* `d*e` ~~f~~'],
    ['elements nobody knows', '<p>a <constructor>b</constructor> <tostring>c</tostring>', 'a b c'],
    ['emphasis round blocks', '<b><p>a<p>b</b>', '**a**\n\n**b**'],
    ['nothing round nothing', '<p>a<b> </b>c<a href="/x"></a>', 'a c'],
    ['links', '<p><a href="https://a.example/b(c)">d [e]</a>', '[d \\[e\\]](https://a.example/b%28c%29)'],
    ['links round pictures', '<a href="/x"><img src="/y" alt="z"></a>', '[![z](/y)](/x)'],
    ['line breaks', '<p>a<br>b<br>', 'a\\\nb'],
    ['lists', '<ul><li>a<li>b<ul><li>c</ul></ul>', '- a\n- b\n  - c'],
    ['numbered lists', '<ol><li>a<li><p>b<p>c</ol>', '1. a\n2. b\n\n   c'],
    ['quotations', '<blockquote><p>a<p>b<br>c</blockquote>d', '> a\n>\n> b\\\n> c\n\nd'],
    ['code', '<pre>\na\n  *b* `c`\n</pre>', '```\na\n  *b* `c`\n```'],
    ['code with fences', '<pre>```\nx\n```</pre>', '````\n```\nx\n```\n````'],
    ['rules', 'a<hr>b', 'a\n\n---\n\nb'],
    ['tables', '<table><tr><th>a<th>b<tr><td>c|d<td><p>e<p>f</table>', '| a | b |\n| --- | --- |\n| c\\|d | e f |'],
    [
      'tables with rows of unlike lengths',
      '<table><tr><td>a<tr><td>b<td>c</table>',
      '| a |  |\n| --- | --- |\n| b | c |',
    ],
    ['tables in tables', '<table><tr><td><table><tr><td>a</table><td>b</table>', '| a | b |\n| --- | --- |'],
    ['definitions', '<dl><dt>a<dd>b</dl>', 'a\n\n  b'],
    [
      'signs that are text',
      '<p>*a* _b_ [c] &lt;d&gt; `e` \\ &amp;lt;',
      '\\*a\\* \\_b\\_ \\[c\\] \\<d> \\`e\\` \\\\ \\&lt;',
    ],
    [
      'signs that begin a line',
      '<p># a<p>- b<p>1. c<p>&gt; d<p>-e<p>2026 f',
      '\\# a\n\n\\- b\n\n1\\. c\n\n\\> d\n\n-e\n\n2026 f',
    ],
    ['nothing', '', ''],
    ['what nobody reads', '<script>x</script><style>y</style>', ''],
  ])('%s', (_, html, markdown) => {
    expect(markdownOf(html)).toBe(markdown)
  })

  test.each([
    ['deep lists', '<ul><li>'.repeat(20_000)],
    ['deep emphasis', `<p>${'<b><i>'.repeat(20_000)}x`],
    ['deep quotations', `${'<blockquote>'.repeat(20_000)}x`],
    ['many links', '<a href="/x">y</a>'.repeat(50_000)],
    ['many cells', `<table>${'<tr><td>x'.repeat(50_000)}`],
    ['spaces', `<p>a${' '.repeat(500_000)}b`],
    ['breaks', '<br>'.repeat(100_000)],
  ])('is linear for %s', (_, html) => {
    expect(markdownOf(html).length).toBeLessThan(20 * html.length)
  })
})

describe('for a terminal', () => {
  test('numbers links, equal URLs alike', () => {
    const { passages, links } = readableOf(
      '<p>See <a href="https://a.example/">this</a>, <a href="https://b.example/">that </a>or <a href="https://a.example/">this</a>.',
    )
    expect(passages.map(({ text }) => text)).toEqual(['See this[1], that[2] or this[1].'])
    expect(links).toEqual(['https://a.example/', 'https://b.example/'])
  })

  test('shows the description of pictures', () => {
    const { passages } = readableOf('<figure><img src="https://a.example/b.jpg" alt="A bridge"><figcaption>Old')
    expect(passages.map(({ text }) => text)).toEqual(['(picture: A bridge[1])', 'Old'])
  })
})
