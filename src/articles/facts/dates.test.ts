/** Sources of a page's dates, and their trust. */
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
  // A displayed date takes precedence over a template's metadata.
  [ld({ datePublished: 'Aug 8, 2021' }), LINE, '/a', '2020-06-06', 'text'],
  [ld({ datePublished: 'Aug 8, 2021' }), '', '/a', '2021-08-08', 'json-ld'],
  // The day comes from the address, the time from the line; both agree.
  ['', '<div>7 July 2020, 12:30</div>', '/2020/07/07/a', '2020-07-07T12:30:00', 'text'],
  // A sentence only mentions a date; a line states it.
  ['', '<p>The mill was built in a hurry and opened on May 3, 2001, in the rain.</p>', '/a', undefined, undefined],
])('published: %s %s %s', (head, line, path, iso, from) => {
  const { published } = page(head, line, path)
  expect(published && [published.iso, published.from]).toEqual(iso && [iso, from])
})

test('trusts metadata more than text', () => {
  const machine = page(JSON_LD).published!
  const person = page('', LINE).published!
  expect(machine.trust).toBeGreaterThan(person.trust)
  expect(person.trust).toBeGreaterThan(0)
  expect(machine.trust).toBeLessThanOrEqual(1)
})

test('distinguishes publication and change', () => {
  const { published, modified } = page('', '<div>Published: 1 June 2020</div><div>Updated: 3 June 2020</div>')
  expect(published?.iso).toBe('2020-06-01')
  expect(modified).toMatchObject({ iso: '2020-06-03', from: 'text' })
})

test('uses the date of the change if there is no other, with low trust', () => {
  const { published, modified } = page(ld({ dateModified: '2020-06-03T10:00:00Z' }))
  expect(published?.iso).toBe(modified?.iso)
  expect(published!.trust).toBeLessThan(modified!.trust)
})

test.each([
  ['en-US', '2020-05-06'],
  ['en-GB', '2020-06-05'],
  ['fr', '2020-06-05'],
])('reads 5/6/2020 as in %s', (language, iso) => {
  const html = `<html lang="${language}"><h1>Mill sold at last</h1><div>5/6/2020</div>${BODY}`
  expect(extractArticle(html, 'https://lamp.example/a').published?.iso).toBe(iso)
})

const SHOWN = '<div itemprop="datePublished">On <time>8 January 2020</time></div>'

test.each([
  // After a move to another system, metadata has the day of the move, the page the original day.
  [OPENGRAPH, SHOWN, '2020-01-08', 'microdata'],
  // A difference of one day is due to time zones.
  [
    '<meta property="article:published_time" content="2020-01-09T08:00:00Z">',
    SHOWN,
    '2020-01-09T08:00:00Z',
    'opengraph',
  ],
  // Marked up, but not near the title: it may belong to another article.
  [OPENGRAPH, '<meta itemprop="datePublished" content="2020-01-08">', '2020-02-02', 'opengraph'],
  // Two dates: each belongs to something else.
  [OPENGRAPH, SHOWN + SHOWN.replace('8', '7'), '2020-02-02', 'opengraph'],
  // Near the title, but without a label.
  [OPENGRAPH, '<div>8 January 2020</div>', '2020-02-02', 'opengraph'],
])('displayed dates: %s %s', (head, line, iso, from) => {
  expect(page(head, line).published).toMatchObject({ iso, from })
})

test.each([
  ['2020-01-08', '-05:00', '2020-01-08T21:41:41-05:00'],
  ['2020-01-08', '+02:00', '2020-01-09T02:41:41Z'],
  ['2020-01-09', '-05:00', '2020-01-09T02:41:41Z'],
  ['2020-01-05', '-05:00', '2020-01-09T02:41:41Z'],
])('a time in UTC, of a page from %s with other times at %s', (day, offset, iso) => {
  const head = '<meta property="article:published_time" content="2020-01-09T02:41:41+00:00">'
  const comment = `<footer><time datetime="2020-01-10T10:00:00${offset}">Friday</time></footer>`
  const { published } = page(head, comment, `/${day.replaceAll('-', '/')}/a`)
  expect(published).toMatchObject({ iso, at: Date.UTC(2020, 0, 9, 2, 41, 41) })
  expect(page(head, comment, `/${day.replace('-01-', '/january/')}/a`).published?.iso).toBe(iso)
})

test.each([
  ['<p>November 2015</p>', '2015-11'],
  ['<p>Nov. 2015</p>', '2015-11'],
  ['<p>août 2015</p>', '2015-08'],
  ['<p>2015年11月</p>', '2015-11'],
  ['<p>Marketing 2015</p>', undefined],
  ['<p>In November 2015</p>', undefined],
  ['<p>November 1915</p>', undefined],
])('only a month, without a day: %s', (line, iso) => {
  const { published } = page('', line)
  expect(published?.iso).toBe(iso)
  if (published) expect(published).toMatchObject({ at: Date.parse(iso!), dateOnly: true })
})

test('a month is not used if there is a day, and takes precedence over the day of a change', () => {
  expect(page('', `<p>November 2015</p>${LINE}`).published?.iso).toBe('2020-06-06')
  expect(page(ld({ dateModified: '2020-06-03T10:00:00Z' }), '<p>November 2015</p>').published?.iso).toBe('2015-11')
})

test.each([
  ['/2020-02/19/a', '2020-02-19'],
  ['/mill/29-10-2021', '2021-10-29'],
  ['/08112021-mill', '2021-11-08'],
  ['/2039026', undefined],
])('the day in the URL %s', (path, iso) => {
  const html = `<html lang="de"><h1>Mill sold at last</h1>${BODY}`
  expect(extractArticle(html, `https://lamp.example${path}`).published?.iso).toBe(iso)
})

test('a number in the URL is trusted less than a displayed day', () => {
  expect(page('', '<div>6 June 2020</div>', '/20111204').published).toMatchObject({ iso: '2020-06-06', from: 'text' })
  expect(page('', '', '/20111204').published).toMatchObject({ iso: '2011-12-04', from: 'address' })
})

test('the day in the canonical URL counts, too', () => {
  expect(page('<link rel="canonical" href="https://lamp.example/2020/02/19/mill">').published?.iso).toBe('2020-02-19')
})

const NOW = Date.UTC(2026, 2, 3, 12)
const ahead = (head: string, line = '', path = '/a') =>
  extractArticle(`${head}<h1>Mill sold at last</h1>${line}${BODY}`, `https://lamp.example${path}`, NOW)

test.each([
  [ld({ datePublished: '2031-01-01' }), '', '/a'],
  ['<meta property="article:published_time" content="2031-01-01">', '', '/a'],
  ['', '<time itemprop="datePublished" datetime="2031-01-01"></time>', '/a'],
  ['<meta name="date" content="2031-01-01">', '', '/a'],
  ['', '<div><time datetime="2031-01-01">soon</time></div>', '/a'],
  ['', '<div>Posted on January 1, 2031</div>', '/a'],
  ['', '<div>January 2031</div>', '/a'],
  ['', '', '/2031/01/01/a'],
  ['<script>var page = {"publishDate": "2031-01-01"}</script>', '', '/a'],
  [ld({ dateModified: '2031-01-01' }), '', '/a'],
])('nothing is published later than now: %s %s %s', (head, line, path) => {
  expect(ahead(head, line, path).published).toBeUndefined()
  const line2 = `${line}<p>Published 2 March 2026</p>`
  expect(ahead(head, line2, path).published?.iso).toBe('2026-03-02')
})

test('swaps day and month of a date in the future', () => {
  expect(ahead('<html lang="de">', '<div>02/10/2026</div>').published?.iso).toBe('2026-02-10')
  expect(ahead('', '<div>4 March 2026</div>').published?.iso).toBe('2026-03-04')
})

test.each([
  ['<meta name="date" content="Mon Aug 03 12:45:00 EDT 2015">', '2015-08-03T12:45:00-04:00'],
  ['<meta name="publish-date" content="Mon Aug  3 12:45:00 2015">', '2015-08-03T12:45:00'],
  ['<meta name="created" content="Mon Aug 03 12:45:00 +0200 2015">', '2015-08-03T12:45:00+02:00'],
  ['<meta name="release_date" content="2015-08-03">', '2015-08-03'],
  ['<meta name="DisplayDate" content="3 August 2015">', '2015-08-03'],
])('%s', (meta, iso) => expect(page(meta).published?.iso).toBe(iso))

test.each([
  '<footer>Published: 3 August 2015</footer>',
  '<footer><span>Veröffentlicht</span></footer><footer>03.08.2015</footer>',
  '<footer><p>Ada Byron</p><p>3 August 2015</p></footer>',
  '<footer>Letzte Änderung: 03.08.2015</footer>',
  '<abbr class="published" title="2015-08-03T10:00:00Z">10:00</abbr>',
  '<table><tr><td>Date</td></tr><tr><td>03 Aug 2015</td></tr></table>',
  '<p>First published 3 August 2015</p><p>Another thing was posted on 4 August 2016</p>',
])('far below the title: %s', (line) => {
  const filler = '<p>The wheel turned, and the miller slept.</p>'.repeat(30)
  expect(page('', filler + line).published?.iso.slice(0, 10)).toBe('2015-08-03')
})
