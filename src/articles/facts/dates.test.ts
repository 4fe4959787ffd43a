/** Where a page's dates come from, and how far they are trusted. */
import { expect, test } from 'vitest'
import { extractArticle } from '../index.ts'

const BODY = `<p>${'The mill stood at the end of the lane, and nobody had been inside for years. '.repeat(4)}</p>`
const ld = (facts: object) =>
  `<script type="application/ld+json">${JSON.stringify({ '@type': 'Article', ...facts })}</script>`
const page = (head: string, line = '', path = '/a') =>
  extractArticle(`${head}<h1>Mill sold at last</h1>${line}${BODY}`, `https://lamp.example${path}`)

const JSON_LD = ld({ datePublished: '2020-01-01' })
const OPENGRAPH = '<meta property="article:published_time" content="2020-02-02">'
const MICRODATA = '<time itemprop="datePublished" datetime="2020-03-03"></time>'
const META = '<meta name="parsely-pub-date" content="2020-04-04">'
const TIME = '<div><time datetime="2020-05-05">yesterday</time></div>'
const LINE = '<div>Posted on June 6, 2020</div>'

test.each([
  [JSON_LD + OPENGRAPH + META, MICRODATA + TIME + LINE, '/2020/07/07/a', '2020-01-01', 'json-ld'],
  [OPENGRAPH + META, MICRODATA + TIME + LINE, '/2020/07/07/a', '2020-02-02', 'opengraph'],
  [META, MICRODATA + TIME + LINE, '/2020/07/07/a', '2020-03-03', 'microdata'],
  [META, TIME + LINE, '/2020/07/07/a', '2020-04-04', 'meta'],
  ['', TIME + LINE, '/2020/07/07/a', '2020-05-05', 'markup'],
  ['', LINE, '/2020/07/07/a', '2020-07-07', 'address'],
  ['', LINE, '/a', '2020-06-06', 'text'],
  ['', LINE, '/2020/july/7/a', '2020-07-07', 'address'],
  // A template's idea of a date is not believed against the line that people read.
  [ld({ datePublished: 'Aug 8, 2021' }), LINE, '/a', '2020-06-06', 'text'],
  [ld({ datePublished: 'Aug 8, 2021' }), '', '/a', '2021-08-08', 'json-ld'],
  // The day is known from the address, the time from the line; both agree.
  ['', '<div>7 July 2020, 12:30</div>', '/2020/07/07/a', '2020-07-07T12:30:00', 'text'],
  // Sentences mention dates, lines have them.
  ['', '<p>The mill was built in a hurry and opened on May 3, 2001, in the rain.</p>', '/a', undefined, undefined],
])('published: %s %s %s', (head, line, path, iso, from) => {
  const { published } = page(head, line, path)
  expect(published && [published.iso, published.from]).toEqual(iso && [iso, from])
})

test('trusts what is made for machines more than what is read from text', () => {
  const machine = page(JSON_LD).published!
  const person = page('', LINE).published!
  expect(machine.trust).toBeGreaterThan(person.trust)
  expect(person.trust).toBeGreaterThan(0)
  expect(machine.trust).toBeLessThanOrEqual(1)
})

test('tells the day of change from the day of publication', () => {
  const { published, modified } = page('', '<div>Published: 1 June 2020</div><div>Updated: 3 June 2020</div>')
  expect(published?.iso).toBe('2020-06-01')
  expect(modified).toMatchObject({ iso: '2020-06-03', from: 'text' })
})

test('takes the day of change for want of a better one, and trusts it little', () => {
  const { published, modified } = page(ld({ dateModified: '2020-06-03T10:00:00Z' }))
  expect(published?.iso).toBe(modified?.iso)
  expect(published!.trust).toBeLessThan(modified!.trust)
})

test.each([
  ['en-US', '2020-05-06'],
  ['en-GB', '2020-06-05'],
  ['fr', '2020-06-05'],
])('reads 5/6/2020 as %s does', (language, iso) => {
  const html = `<html lang="${language}"><h1>Mill sold at last</h1><div>5/6/2020</div>${BODY}`
  expect(extractArticle(html, 'https://lamp.example/a').published?.iso).toBe(iso)
})
