/** The light tree of HTML, written as nested brackets. */
import { describe, expect, test } from 'vitest'
import { BREAK } from './page-node.ts'
import { readPage } from './read-page.ts'

describe('the rules of HTML that affect text', () => {
  test.each([
    ['<p>a<p>b', 'p(a)p(b)'],
    ['<p>a<div>b</div>c', 'p(a)div(b)c'],
    ['<ul><li>a<li>b<ul><li>c</ul></ul>d', 'ul(li(a)li(bul(li(c))))d'],
    ['<dl><dt>a<dd>b<dt>c</dl>', 'dl(dt(a)dd(b)dt(c))'],
    ['<table><tr><td>a<td>b<tr><td>c</table>', 'table(tr(td(a)td(b))tr(td(c)))'],
    ['<h2>a</h3>b', 'h2(a)b'],
    ['<div><span>a</div>b', 'div(span(a))b'],
    ['<div>a</span></b></section>b</div>', 'div(ab)'],
    ['<b><div>a</b>c</div>', 'b(div(ac))'],
    ['<div><table><tr><td></div>a</td></tr></table>b</div>', 'div(table(tr(td(a)))b)'],
    ['<p>a<table><tr><td><p>b</table>', 'p(a)table(tr(td(p(b))))'],
    ['a<br>b</br>c', 'a|b|c'],
    ['<P CLASS=X>a &amp; b&#33;</P>', 'p(a & b!)'],
    ['<p>1 < 2</p>', 'p(1 < 2)'],
  ])('%s', (html, tree) => {
    expect(asBrackets(html)).toBe(tree)
  })
})

test.each([
  '<script>a</script>',
  '<style>a</style>',
  '<noscript><p>a</noscript>',
  '<svg><text>a</text><title>b</title></svg>',
  '<select><option>a<option>b</select>',
  '<button>a</button>',
  '<!-- a -->',
  '<template><p>a</p></template>',
])('drops %s', (html) => {
  expect(asBrackets(`<p>x${html}y</p>`)).toBe('p(xy)')
})

test('does not lose the rest of the page to an unclosed element', () => {
  expect(asBrackets('<div><button>a</div><p>b</p>')).toBe('div()p(b)')
})

test('knows which text is in a link, even if the link is closed in the wrong place', () => {
  const { nodes } = readPage('<a href="/x">a<div>b</a>c</div>d<a name="y">e</a>')
  const linked = nodes.filter(({ text, link }) => text !== '' && link > 0).map(({ text }) => text)
  expect(linked).toEqual(['a', 'b'])
})

test('parses URLs like browsers', () => {
  const { nodes } = readPage('<a href="?a=1&copy=2&amp;b=3&lt;">x</a>')
  expect(nodes[1]!.attributes.href).toBe('?a=1&copy=2&b=3<')
})

test('reads the head: title, metas, links, JSON-LD, language', () => {
  const page = readPage(
    '<html lang="de"><title>A &amp; B</title><title>C</title><meta name="x" content="y"><link rel="canonical" href="/z">' +
      '<script type="application/ld+json">{"a":1}</script><script>{"b":2}</script>',
  )
  expect(page.titleTag).toBe('A & B')
  expect(page.metas[0]).toMatchObject({ name: 'x', content: 'y' })
  expect(page.links[0]).toMatchObject({ rel: 'canonical', href: '/z' })
  expect(page.jsonLd).toEqual(['{"a":1}'])
  expect(page.language).toBe('de')
})

test('bounds depth and number of nodes, and still reads the remaining text', () => {
  const deep = readPage(`${'<div>'.repeat(20_000)}deep`)
  expect(deep.nodes.length).toBeLessThan(1_000)
  expect(deep.nodes.at(-1)!.text).toBe('deep')
  const wide = readPage(`${'<i></i>'.repeat(400_000)}wide`)
  expect(wide.nodes.length).toBeLessThan(300_000)
  expect(wide.nodes.at(-1)!.text).toBe('wide')
})

function asBrackets(html: string): string {
  const { nodes } = readPage(html)
  let drawing = ''
  const open: number[] = []
  for (const [i, { name, text, end }] of nodes.entries()) {
    while (open.length > 0 && i >= open.at(-1)!) {
      drawing += ')'
      open.pop()
    }
    if (i === 0) continue
    if (name === '') drawing += text === BREAK ? '|' : text
    else {
      drawing += `${name}(`
      open.push(end)
    }
  }
  return drawing + ')'.repeat(open.length)
}
