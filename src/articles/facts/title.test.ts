/** Titles: the choice among several statements, and removal of the site's name. */
import { expect, test } from 'vitest'
import { extractArticle } from '../index.ts'

const BODY = `<p>${'The mill stood at the end of the lane, and nobody had been inside for years. '.repeat(4)}</p>`
const titled = (head: string, body = '') =>
  extractArticle(`<head>${head}</head><body>${body}${BODY}`, 'https://www.daily-lamp.example/a').title

test.each([
  ['<title>Mill sold at last | Daily Lamp</title>', '', 'Mill sold at last', 'title-tag'],
  ['<title>Mill sold at last - Daily Lamp</title>', '', 'Mill sold at last', 'title-tag'],
  ['<title>Daily Lamp: Mill sold at last</title>', '', 'Daily Lamp: Mill sold at last', 'title-tag'],
  ['<title>Daily Lamp » Local » Mill sold at last</title>', '', 'Local » Mill sold at last', 'title-tag'],
  [
    '<title>Mill sold - what now? – The Evening Star</title><meta property="og:site_name" content="The Evening Star">',
    '',
    'Mill sold - what now?',
    'title-tag',
  ],
  [
    '<title>旧磨坊终于售出_明灯日报</title><meta property="og:site_name" content="明灯日报">',
    '',
    '旧磨坊终于售出',
    'title-tag',
  ],
  [
    '<title>x</title><meta property="og:title" content="Mill &amp;amp; lane sold">',
    '',
    'Mill & lane sold',
    'opengraph',
  ],
  ['<title>Daily Lamp</title>', '<h1>Mill sold at last</h1>', 'Mill sold at last', 'markup'],
  [
    '<title>Mill sold at last | Daily Lamp</title>',
    '<h1>Daily Lamp</h1><h1>Mill sold at last</h1>',
    'Mill sold at last',
    'markup',
  ],
  ['<title>Mill sold | Daily Lamp</title>', '<h1>Local news</h1><h1>Mill sold</h1>', 'Mill sold', 'markup'],
  [
    '<title>You will not believe who bought the mill</title>',
    '<h1>The baker has bought the old mill</h1>',
    'The baker has bought the old mill',
    'markup',
  ],
  [
    '<title>Mill sold at last</title>',
    '<h1>A story from somewhere else entirely</h1><h2>Mill sold at last</h2>',
    'Mill sold at last',
    'title-tag',
  ],
  ['<title>Mill sold at last</title><svg><title>Icon</title></svg>', '', 'Mill sold at last', 'title-tag'],
  ['', '', undefined, undefined],
])('%s %s', (head, body, value, from) => {
  expect(titled(head, body)).toEqual(value === undefined ? undefined : { value, from })
})

test.each(['·', '⋆', '»', '::', '—', '⎪', '•', '/', '~', '«', '|', '★', '│', '›', '-', ':'])(
  "removes the site's name after and before %s",
  (bar) => {
    expect(titled(`<title>Mill sold at last ${bar} Daily Lamp</title>`)?.value).toBe('Mill sold at last')
    expect(titled(`<title>Daily Lamp ${bar} Mill sold at last</title>`)?.value).toBe('Mill sold at last')
  },
)

test.each([
  ['a name recognized only by its separator', 'The mill is sold at last ⋆ Notes of Ada', 'The mill is sold at last'],
  ['a name by its initials', 'Mill sold at last - Daily Lamp And Mirror Post', 'Mill sold at last'],
  ["a site's sections", 'Daily Lamp » Blog Archive » Mill sold at last', 'Mill sold at last'],
  ["a site's sections at the end", 'Mill sold at last - News - Daily Lamp', 'Mill sold at last'],
  ['nothing of a title with a dash', 'Mill sold — what now?', 'Mill sold — what now?'],
  ['nothing of a title with a slash', 'The either / or of mills', 'The either / or of mills'],
])('removes %s', (_name, tag, value) => {
  const html = `<title>${tag}</title>${BODY}`
  const host = tag.includes('Mirror') ? 'dlamp.example' : 'www.daily-lamp.example'
  expect(extractArticle(html, `https://${host}/a`).title?.value).toBe(value)
})

test.each([
  [
    'a kicker with such a class name',
    '<title>Nationale Demo: Der 9. Juli naht</title>',
    '<h1><span class="kicker">Nationale Demo</span><span>Der 9. Juli naht</span></h1>',
    'Der 9. Juli naht',
  ],
  [
    'a kicker that other statements lack',
    '<meta property="og:title" content="Der 9. Juli naht">',
    '<h1><span>Nationale Demo</span>Der 9. Juli naht</h1>',
    'Der 9. Juli naht',
  ],
  [
    'text after it',
    '<title>Mill sold at last - Daily Lamp</title>',
    '<h1><a href="/a">Mill sold at last</a> <span>(lamp.example)</span> <span>87</span></h1>',
    'Mill sold at last',
  ],
  [
    'only a space, if there is no other statement',
    '<title>Daily Lamp</title>',
    '<h1><span>Nationale Demo</span><span>Der 9. Juli naht</span></h1>',
    'Nationale Demo Der 9. Juli naht',
  ],
  [
    'nothing of a word in two styles',
    '<title>How iPhones changed the mill</title>',
    '<h1>How i<span>Phones</span> changed the <em>mill</em></h1>',
    'How iPhones changed the mill',
  ],
  ...[': ', ' - ', '| ', ' – '].map((sign): [string, string, string, string] => [
    `a line above it with the ${JSON.stringify(sign)} behind it`,
    '<title>Nationale Demo: Der 9. Juli naht</title>',
    `<h1><span class="article__kicker">Nationale Demo</span><span class="hidden">${sign}</span><span>Der 9. Juli naht</span></h1>`,
    'Der 9. Juli naht',
  ]),
  [
    'a symbol after the title',
    '<title>Daily Lamp</title>',
    '<h1><span>Der 9. Juli naht</span> <span> | </span><span class="kicker">Nationale Demo</span></h1>',
    'Der 9. Juli naht',
  ],
  [
    "no kicker that the publisher's metadata includes",
    '<meta property="og:title" content="Nationale Demo: Der 9. Juli naht">',
    '<h1><span class="kicker">Nationale Demo</span><span class="hidden">: </span><span>Der 9. Juli naht</span></h1>',
    'Nationale Demo: Der 9. Juli naht',
  ],
  [
    "a kicker that the publisher's metadata for sharing lacks",
    '<meta property="og:title" content="Der 9. Juli naht"><meta name="twitter:title" content="Nationale Demo: Der 9. Juli naht">',
    '<h1><span class="kicker">Nationale Demo</span>: <span>Der 9. Juli naht</span></h1>',
    'Der 9. Juli naht',
  ],
  ['nothing of a negative number', '', '<h1>-30 degrees at the mill</h1>', '-30 degrees at the mill'],
  ['nothing of a drop cap', '', '<h1><span>T</span>he mill is sold</h1>', 'The mill is sold'],
])('separates from the heading %s', (_name, head, body, value) => {
  expect(titled(head, body)).toEqual({ value, from: 'markup' })
})

test('finds the lines around a heading with a kicker', () => {
  const html = `<h1><span class="kicker">Local</span>Mill sold at last</h1><p>Von Ada Byron</p><p>03.03.2026</p>${BODY}`
  const { title, authors, published } = extractArticle(html, 'https://lamp.example/a')
  expect([title?.value, authors?.value, published?.iso]).toEqual(['Mill sold at last', ['Ada Byron'], '2026-03-03'])
})

test('chooses the meaningful one of two headings', () => {
  const body = '<h1>Select your location</h1><h1>The baker has bought the old mill</h1>'
  expect(titled('<title>Mills for sale and to let</title>', body)?.value).toBe('The baker has bought the old mill')
})

const blogged = (head: string, body: string) =>
  extractArticle(`<head>${head}</head><body>${body}${BODY}`, 'https://ada.example/2026/03/sold.html').title?.value

test.each([
  ['a link to the front page', '<h1 class="title"><a href="https://ada.example/">Notes from an old mill</a></h1>'],
  ['in a link to the front page', '<a href="/"><h1>Notes from an old mill</h1></a>'],
  ['marked with such a class name', '<h1 id="site-title">Notes from an old mill</h1>'],
])("a heading that is %s is the blog's title, not the post's", (_name, heading) => {
  const post = '<h3 class="post-title entry-title">Sold</h3>'
  expect(blogged('<title>Notes from an old mill: Sold</title>', heading + post)).toBe('Sold')
  expect(blogged('<title>Notes from an old mill: Sold</title>', heading)).toBe('Sold')
  const stated = '<title>Notes from an old mill: Sold</title><meta property="og:title" content="Sold">'
  expect(blogged(stated, heading + post)).toBe('Sold')
})

test('a heading that links to the page itself, or to a part of it, is its title', () => {
  const head = '<title>Notes from an old mill: Sold at last</title>'
  expect(blogged(head, '<h1><a href="/2026/03/sold.html">Sold at last</a></h1>')).toBe('Sold at last')
  expect(blogged(head, '<h1><a href="#">Notes from an old mill: Sold at last</a></h1>')).toBe(
    'Notes from an old mill: Sold at last',
  )
})

test('the heading identifies the title among chapter, author and section', () => {
  const head = '<title>The Weir - Chapter 2 - adab - Rivers [A Shelf of Mills]</title>'
  const body =
    '<h1 class="heading"><a href="/"><span>A Shelf of Mills</span><sup>beta</sup></a></h1><h2 class="title heading">The Weir</h2>'
  expect(blogged(head, `${body}<h3 class="byline heading">adab</h3>`)).toBe('The Weir')
})
