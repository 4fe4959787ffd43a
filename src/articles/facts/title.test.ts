/** Titles: which of the places that state one is right, and what of it is the site's name. */
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
  'leaves out the site’s name behind and before %s',
  (bar) => {
    expect(titled(`<title>Mill sold at last ${bar} Daily Lamp</title>`)?.value).toBe('Mill sold at last')
    expect(titled(`<title>Daily Lamp ${bar} Mill sold at last</title>`)?.value).toBe('Mill sold at last')
  },
)

test.each([
  ['a name that only its bar tells', 'The mill is sold at last ⋆ Notes of Ada', 'The mill is sold at last'],
  ['a name by its initials', 'Mill sold at last - Daily Lamp And Mirror Post', 'Mill sold at last'],
  ['the rooms of a site', 'Daily Lamp » Blog Archive » Mill sold at last', 'Mill sold at last'],
  ['the rooms of a site at the end', 'Mill sold at last - News - Daily Lamp', 'Mill sold at last'],
  ['nothing of a title with a dash', 'Mill sold — what now?', 'Mill sold — what now?'],
  ['nothing of a title with a slash', 'The either / or of mills', 'The either / or of mills'],
])('leaves out %s', (_name, tag, value) => {
  const html = `<title>${tag}</title>${BODY}`
  const host = tag.includes('Mirror') ? 'dlamp.example' : 'www.daily-lamp.example'
  expect(extractArticle(html, `https://${host}/a`).title?.value).toBe(value)
})

test.each([
  [
    'a line above it, by its name',
    '<title>Nationale Demo: Der 9. Juli naht</title>',
    '<h1><span class="kicker">Nationale Demo</span><span>Der 9. Juli naht</span></h1>',
    'Der 9. Juli naht',
  ],
  [
    'a line above it, by what else is stated',
    '<meta property="og:title" content="Der 9. Juli naht">',
    '<h1><span>Nationale Demo</span>Der 9. Juli naht</h1>',
    'Der 9. Juli naht',
  ],
  [
    'what stands behind it',
    '<title>Mill sold at last - Daily Lamp</title>',
    '<h1><a href="/a">Mill sold at last</a> <span>(lamp.example)</span> <span>87</span></h1>',
    'Mill sold at last',
  ],
  [
    'only a space, where nothing else is stated',
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
  ['nothing of a large first letter', '', '<h1><span>T</span>he mill is sold</h1>', 'The mill is sold'],
])('parts from the heading %s', (_name, head, body, value) => {
  expect(titled(head, body)).toEqual({ value, from: 'markup' })
})

test('finds the lines round a heading with a line above it', () => {
  const html = `<h1><span class="kicker">Local</span>Mill sold at last</h1><p>Von Ada Byron</p><p>03.03.2026</p>${BODY}`
  const { title, authors, published } = extractArticle(html, 'https://lamp.example/a')
  expect([title?.value, authors?.value, published?.iso]).toEqual(['Mill sold at last', ['Ada Byron'], '2026-03-03'])
})

test('takes the one of two headings that says something', () => {
  const body = '<h1>Select your location</h1><h1>The baker has bought the old mill</h1>'
  expect(titled('<title>Mills for sale and to let</title>', body)?.value).toBe('The baker has bought the old mill')
})
