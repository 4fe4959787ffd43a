/** Hostile pages: none may throw, hang, or produce more than its size. */
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { extractArticle } from './index.ts'

const SENTENCE = 'The river rose by two metres in the night, and the lower town was under water before the bells rang. '

const WORDS_OF_OBJECTS = ['constructor', '__proto__', 'toString', 'hasOwnProperty']
const FACTS = [
  ...[
    '@type',
    '@id',
    'headline',
    'name',
    'author',
    'creator',
    'publisher',
    'datePublished',
    'dateModified',
    'dateCreated',
  ],
  ...['description', 'articleSection', 'keywords', 'inLanguage', 'image', 'url', 'mainEntityOfPage', 'articleBody'],
  ...['isAccessibleForFree', 'hasPart', 'uploadDate', 'itemListElement'],
]

describe('returns a result for', () => {
  test.each([
    ['an empty page', '', ''],
    ['a single word', 'hello', 'hello'],
    ['twenty thousand nested elements', `${'<div>'.repeat(20_000)}${SENTENCE}`, SENTENCE.trim()],
    ['five thousand unclosed tags', `<p>${'<b>'.repeat(5_000)}${SENTENCE}`, SENTENCE.trim()],
    ['an unterminated comment', `<p>${SENTENCE}</p><!-- ${'x'.repeat(100_000)}`, SENTENCE.trim()],
    ['an unterminated script', `<p>${SENTENCE}</p><script>${'x'.repeat(100_000)}`, SENTENCE.trim()],
    ['an unterminated attribute', `<p>${SENTENCE}</p><a href="${'x'.repeat(100_000)}`, SENTENCE.trim()],
    ['a description and no text', `<meta name="description" content="${SENTENCE}"><script>x</script>`, SENTENCE.trim()],
  ])('%s', (_name, html, text) => {
    expect(extractArticle(html, 'https://news.example/a').text).toBe(text)
  })

  test('thirty thousand paragraphs', () => {
    const html = Array.from({ length: 30_000 }, (_, i) => `<p>${i}. ${SENTENCE}</p>`).join('')
    expect(extractArticle(html, 'https://news.example/a').text.split('\n\n')).toHaveLength(30_000)
  })

  test('five megabytes in one paragraph', () => {
    const html = `<p>${SENTENCE.repeat(50_000)}`
    expect(extractArticle(html, 'https://news.example/a').text).toHaveLength(SENTENCE.length * 50_000 - 1)
  })

  test.each(['', 'no address', 'data:text/html,x', 'https://[', 'file:///etc/passwd'])('the address "%s"', (url) => {
    const article = extractArticle(`<link rel=canonical href="/b"><p>${SENTENCE.repeat(5)}<a href="/c">c</a></p>`, url)
    expect(article.url).toBe(url)
    expect(article.text).toContain('The river rose')
    expect(article.canonicalUrl).toBeUndefined()
    expect(article.html).not.toContain('href')
  })

  test.each([
    ['deep', `${'['.repeat(100_000)}`],
    ['wide', `[${'{"@type":"Article"},'.repeat(50_000)}`],
    [
      'of the wrong types',
      '{"@type":7,"@graph":{"a":[null,true]},"author":{"name":{"name":[]}},"headline":[],"datePublished":{},"image":[[[]]],"articleBody":5}',
    ],
    ['with circular references', '{"@id":"#a","@type":"Article","author":{"@id":"#a"},"publisher":{"@id":"#b"}}'],
    [
      'with prototype keys',
      '{"@type":"Article","__proto__":{"headline":"x"},"constructor":1,"author":{"name":"__proto__"}}',
    ],
    ...WORDS_OF_OBJECTS.flatMap((word): [string, string][] =>
      FACTS.map((fact) => [
        `an object with ${word} as ${fact}`,
        `{"@type":"Article","${fact}":[{"${word}":1,"valueOf":1}]}`,
      ]),
    ),
    ...FACTS.map((fact): [string, string] => [
      `a list in lists as ${fact}`,
      `{"@type":"Article","${fact}":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    ]),
    ...FACTS.map((fact): [string, string] => [
      `an object without a text as ${fact}`,
      `{"@type":"Article","hasPart":{"${fact}":{"toString":1}},"${fact}":{"toString":{},"valueOf":1}}`,
    ]),
  ])('data: %s', (_name, json) => {
    const html = `<script type="application/ld+json">${json}</script><p>${SENTENCE.repeat(3)}</p>`
    expect(extractArticle(html, 'https://news.example/a').text).toBe(SENTENCE.repeat(3).trim())
  })
})

test('never throws for randomly damaged pages', () => {
  const pages = readFixtures()
  const edit = fc.record({
    page: fc.constantFrom(...pages),
    cuts: fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat({ max: 200 })), { maxLength: 6 }),
    inserts: fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(...NASTY)), {
      maxLength: 6,
    }),
  })
  fc.assert(
    fc.property(edit, ({ page, cuts, inserts }) => {
      let html = page
      for (const [at, length] of cuts) {
        const start = Math.floor(at * html.length)
        html = html.slice(0, start) + html.slice(start + length)
      }
      for (const [at, inserted] of inserts) {
        const start = Math.floor(at * html.length)
        html = html.slice(0, start) + inserted + html.slice(start)
      }
      const article = extractArticle(html, 'https://news.example/a')
      expect(article.text.length).toBeLessThanOrEqual(html.length)
      expect(article.html).not.toMatch(/<script/i)
      // As browsers parse it: the end of an address may look like an attribute.
      for (const [, attributes] of article.html.matchAll(/<[a-z]+((?:\s+[\w-]+="[^"]*")*)/gi))
        expect(attributes!.replace(/\s(?!href|src)[\w-]+="[^"]*"/gi, '')).toMatch(
          /^(?:\s(?:href|src)="https?:[^"]*")*$/i,
        )
    }),
    { numRuns: 400 },
  )
})

const NASTY = [
  '<',
  '>',
  '"',
  "'",
  '&',
  '&#x110000;',
  '\0',
  '\ud800',
  '<!--',
  '-->',
  '<![CDATA[',
  '</',
  '<a href="javascript:x">',
  '<script>',
  '</script>',
  '<script type="application/ld+json">',
  '<title>',
  '<textarea>',
  '<plaintext>',
  '<table>',
  '</table>',
  '<svg>',
  '<p',
  '<div class="comments">',
  '<div hidden>',
  '<meta property="og:image" content="javascript:x">',
  '\u202e',
]

function readFixtures(): string[] {
  const folder = new URL('../../test/fixtures/articles/', import.meta.url)
  const names = readdirSync(folder).filter((file) => file.endsWith('.html'))
  return names.map((file) => readFileSync(new URL(file, folder), 'utf8'))
}
