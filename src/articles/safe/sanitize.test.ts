import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ALLOWED, GENERAL } from './allowed.ts'
import { ATTACKS } from './attacks.fixture.ts'
import { sanitizeHtml } from './sanitize.ts'

const BASE = 'https://news.example/world/bridge.html'

describe('removes', () => {
  test.each(ATTACKS)('%s', (_, html) => {
    const safe = sanitizeHtml(html, BASE)
    expect(flaws(safe)).toEqual([])
    expect(sanitizeHtml(safe, BASE)).toBe(safe)
  })

  test('all of them together, in any order', () => {
    const allAttacks = fc.shuffledSubarray(ATTACKS.map(([, html]) => html))
    fc.assert(
      fc.property(allAttacks, (attacks) => {
        expect(flaws(sanitizeHtml(attacks.join(''), BASE))).toEqual([])
      }),
    )
  })

  test('any of them, cut and joined anywhere', () => {
    const cuts = fc.tuple(fc.constantFrom(...ATTACKS), fc.constantFrom(...ATTACKS), fc.nat(200), fc.nat(200))
    fc.assert(
      fc.property(cuts, ([[, a], [, b], from, to]) => {
        expect(flaws(sanitizeHtml(a.slice(0, from) + b.slice(to), BASE))).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  test('everything that is not allowed', () => {
    const tokens = fc.constantFrom(
      ...'< > </ /> " \' ` = & ; # <p <a <b <svg <style <img href src on javascript: x \0 \n -- <!--'.split(' '),
    )
    fc.assert(
      fc.property(fc.array(tokens, { maxLength: 40 }), (input) => {
        expect(flaws(sanitizeHtml(input.join(''), BASE))).toEqual([])
        expect(flaws(sanitizeHtml(input.join(' '), BASE))).toEqual([])
      }),
      { numRuns: 500 },
    )
  })
})

const LINK = 'rel="noopener noreferrer nofollow"'
const IMAGE = 'loading="lazy" decoding="async" referrerpolicy="no-referrer"'

describe('keeps the content of articles', () => {
  test.each([
    ['text', 'a & b < c', 'a &amp; b &lt; c'],
    ['entities', 'caf&eacute; &#8212; &lt;b&gt;', 'café — &lt;b&gt;'],
    ['paragraphs', '<p class=x style="color:red">a<p>b', '<p>a</p><p>b</p>'],
    ['emphasis', '<b>a</b> <em>b</em> <u>c</u>', '<b>a</b> <em>b</em> <u>c</u>'],
    ['headings, lists', '<h2 id=x>a</h2><ul><li>b<li>c</ul>', '<h2>a</h2><ul><li>b</li><li>c</li></ul>'],
    ['numbers of lists', '<ol start=3 reversed><li value=7>x</ol>', '<ol start="3" reversed><li value="7">x</li></ol>'],
    [
      'tables',
      '<table><tr><td colspan=2 onclick=x>a<td>b</table>',
      '<table><tr><td colspan="2">a</td><td>b</td></tr></table>',
    ],
    ['code', '<pre><code>a\n  &lt;b&gt;</code></pre>', '<pre><code>a\n  &lt;b&gt;</code></pre>'],
    ['direction and language', '<p dir=RTL lang=ar>x</p>', '<p dir="RTL" lang="ar">x</p>'],
    ['ruby', '<ruby>漢<rp>(<rt>kan<rp>)</ruby>', '<ruby>漢<rp>(<rt>kan<rp>)</rp></rt></rp></ruby>'],
    ['times', '<time datetime="2026-01-31T10:00Z">today</time>', '<time datetime="2026-01-31T10:00Z">today</time>'],
    [
      'links',
      '<a href="/a?b=1&copy=2" target=_top>x</a>',
      `<a href="https://news.example/a?b=1&amp;copy=2" ${LINK}>x</a>`,
    ],
    ['links within the page', '<a href="#note">1</a>', `<a href="${BASE}#note" ${LINK}>1</a>`],
    ['letters', '<a href="mailto:a@b.example">x</a>', `<a href="mailto:a@b.example" ${LINK}>x</a>`],
    ['anchors lose their tags', '<a name=x>y</a>', 'y'],
    [
      'pictures',
      '<img src=a.png alt="a &lt; b" width=300>',
      `<img src="https://news.example/world/a.png" ${IMAGE} alt="a &lt; b" width="300">`,
    ],
    [
      'pictures that come later',
      '<img src="data:image/gif;base64,R0" data-src=/b.png>',
      `<img src="https://news.example/b.png" ${IMAGE}>`,
    ],
    [
      'pictures to choose from',
      '<img srcset="/c.png 1x, /d.png 2x">',
      `<img src="https://news.example/c.png" ${IMAGE}>`,
    ],
    [
      'films',
      '<video src=/a.mp4 autoplay loop></video>',
      '<video src="https://news.example/a.mp4" controls preload="none"></video>',
    ],
    [
      'sound',
      '<audio><source src=/a.mp3 type=audio/mpeg></audio>',
      '<audio controls preload="none"><source src="https://news.example/a.mp3" type="audio/mpeg"></audio>',
    ],
    ['the inside of what is unknown', '<center><font color=red>x</font><o:p>y</o:p></center>', 'xy'],
    ['nothing of what is hidden', 'a<span style="display: none">b</span><p hidden>c</p>d', 'ad'],
    [
      'cells and lines with small sizes',
      '<table><tr><td style="width:1%">a<td style="width:1px">b</table><p style="height:1.5em">c</p>',
      '<table><tr><td>a</td><td>b</td></tr></table><p>c</p>',
    ],
    ['what its padding holds open', '<div style="height:0;overflow:hidden;padding-bottom:56%">a</div>', '<div>a</div>'],
    ['nothing of what is clipped', 'a<div style="max-height:0;overflow:hidden">b</div>', 'a'],
    [
      'emoji, as letters',
      '<img class="emoji" alt="🙂" src=/e.png>, <img alt="👩‍🚀" style="height: 1em; max-height: 1em;" src=https://s.w.org/images/core/emoji/15/svg/1f642.svg>',
      '🙂, 👩‍🚀',
    ],
    [
      'smileys',
      '<img class="wp-smiley" style="height:1em" alt=":)" src=/s.gif>',
      `<img src="https://news.example/s.gif" ${IMAGE} alt=":)">`,
    ],
    [
      'what a picture says that cannot be loaded',
      'so <img class=latex src="data:image/svg+xml,x" alt="a<b"> is',
      'so a&lt;b is',
    ],
    [
      'pictures of formulas',
      '<img class=mwe-math-fallback-image-inline style="vertical-align:-0.3ex; width:1.2ex; height:0.8ex" src=/f.svg alt="{\\displaystyle x}">',
      `<img src="https://news.example/f.svg" ${IMAGE} alt="{\\displaystyle x}">`,
    ],
    ['formulas, symbol by symbol', 'so <math><mi>x</mi><mo>&lt;</mo><mn>1</mn></math>.', 'so x&lt;1.'],
    [
      'formulas in TeX',
      '<math><semantics><mfrac><mi>a</mi><mi>b</mi></mfrac><annotation encoding="application/x-tex">\\frac ab</annotation></semantics></math>!',
      '<code>\\frac ab</code>!',
    ],
    [
      'formulas with an alternative',
      '<math alttext="{\\displaystyle x&lt;1}"><mi>x</mi></math>',
      '<code>x&lt;1</code>',
    ],
    [
      'formulas of KaTeX, once',
      '<span class="katex"><span class="katex-mathml"><math><mi>E</mi><annotation encoding="application/x-tex">E</annotation></math></span><span class="katex-html" aria-hidden="true"><span class="mord">E</span></span></span> is <span class="katex-html">F</span>',
      '<span><span><code>E</code></span></span> is <span>F</span>',
    ],
    ['formulas without an end', 'a<p><math><mi>x</mi><b>y', 'a<p>x<b>y</b></p>'],
    ['text behind a stray end tag', 'a</b></div></p>b', 'ab'],
    ['a line break written as an end', 'a</br>b', 'a<br>b'],
  ])('%s', (_, html, safe) => {
    expect(sanitizeHtml(html, BASE)).toBe(safe)
    expect(flaws(safe)).toEqual([])
  })

  test.each([
    '<img src=/x.png width=1 height=1>',
    '<img src=/x.png height="1px">',
    '<img src=/x.png width=0>',
    '<img src=/x.png style="width:1px;height:1px" alt=x>',
    '<img src=/x.png style="max-height:0px">',
    '<img src=/x.png style="width:0.5px">',
    '<img src=/x.png style="display:none !important">',
    '<img src=https://pixel.example/x>',
    '<img src=https://stats.example/b.gif?host=x>',
    '<img src=https://feeds.feedburner.com/~r/x/~4/y>',
    '<img src=https://a.example/track?id=7>',
    '<img src=https://www.facebook.com/tr?id=7>',
    '<img src=https://a.example/spacer.gif>',
  ])('but not %s, a tracking pixel', (html) => {
    expect(sanitizeHtml(html, BASE)).toBe('')
  })

  test.each(['/pixelated.png', '/tracks/openair.jpg', '/b.gift.png', '/counter-terrorism.jpg', '/open/house.jpg?w=1'])(
    'and a picture named %s',
    (src) => {
      expect(sanitizeHtml(`<img src=${src} width=100>`, BASE)).toContain('<img')
    },
  )
})

describe('resolves URLs', () => {
  test.each([undefined, '', 'no address', 'data:text/html,x', 'javascript:x'])('against the URL %s', (base) => {
    expect(sanitizeHtml('<a href="/x">a</a><img src=y><a href="https://b.example/">b</a>', base)).toBe(
      `a<a href="https://b.example/" ${LINK}>b</a>`,
    )
  })
})

describe('is linear', () => {
  test.each([
    ['nested elements', '<div>'.repeat(100_000)],
    ['unclosed inline elements', '<b><i><span>'.repeat(40_000)],
    ['end tags for nothing', `${'<div><i>'.repeat(50_000)}${'</span></b>'.repeat(50_000)}`],
    ['attributes', `<p ${'title=a lang=b '.repeat(100_000)}>x`],
    ['one endless value', `<p title="${'x'.repeat(2_000_000)}">y`],
    ['comments', '<!--'.repeat(200_000)],
    ['brackets', '<'.repeat(200_000)],
    ['entities', '&amp;&lt;&bogus'.repeat(100_000)],
    ['drawings', '<svg>'.repeat(100_000)],
    ['formulas', '<math alttext=x><mi>y</mi></math>z'.repeat(50_000)],
    ['formulas in formulas', '<math><annotation encoding=tex>'.repeat(50_000)],
    ['sizes', `<p style="${'width: 1'.repeat(50_000)}">x`],
    ['styles', `<p style="${'display:'.repeat(100_000)}">x`],
  ])('for %s', (_, html) => {
    expect(sanitizeHtml(html, BASE).length).toBeLessThan(6 * html.length + 1_000)
  })

  test('and limits output for a long base URL', () => {
    const html = '<a href="#">x</a>'.repeat(50_000)
    const long = `https://news.example/${'x'.repeat(3_900)}`
    expect(sanitizeHtml(html, long).length).toBeLessThan(6 * html.length)
  })
})

const TAG = /^<(\/?)([a-z][a-z0-9]*)((?: [a-z]+(?:="[^"<>]*")?)*)>/
const ADDED = ['rel', 'loading', 'decoding', 'referrerpolicy', 'controls', 'preload', 'href', 'src']
const VOID = ['br', 'col', 'hr', 'img', 'source', 'wbr']

/** Parses the output with a grammar much stricter than HTML's, and returns everything that violates it. */
function flaws(html: string): string[] {
  const found: string[] = []
  const open: string[] = []
  for (let i = 0; i < html.length; ) {
    if (html[i] !== '<') {
      const end = html.indexOf('<', i)
      const text = html.slice(i, end < 0 ? undefined : end)
      if (/[>"\u0000-\u0008]|&(?!amp;|lt;|gt;|quot;)/.test(text)) found.push(`text: ${text.slice(0, 50)}`)
      i += text.length
      continue
    }
    const [tag, slash, name = '', attributes = ''] = TAG.exec(html.slice(i, i + 10_000)) ?? []
    if (tag === undefined) return [...found, `no tag: ${html.slice(i, i + 50)}`]
    i += tag.length
    if (!ALLOWED.has(name)) found.push(`element: ${name}`)
    if (slash) {
      if (open.pop() !== name) found.push(`nesting: ${name}`)
      continue
    }
    if (!VOID.includes(name)) open.push(name)
    for (const [, attribute = '', value = ''] of attributes.matchAll(/ ([a-z]+)(?:="([^"]*)")?/g)) {
      const allowed = [...GENERAL, ...ADDED, ...(ALLOWED.get(name) ?? [])]
      if (!allowed.includes(attribute)) found.push(`attribute: ${attribute}`)
      if (attribute === 'href' && !/^(?:https?:\/\/|mailto:|tel:)/.test(value)) found.push(`href: ${value}`)
      if (attribute === 'src' && !/^https?:\/\//.test(value)) found.push(`src: ${value}`)
      if (attribute === 'href' && !attributes.includes(LINK)) found.push(`rel: ${attributes}`)
      if (/^https?:\/\/[^/]*@/.test(value)) found.push(`password: ${value}`)
    }
  }
  return open.length > 0 ? [...found, `left open: ${open.join()}`] : found
}
