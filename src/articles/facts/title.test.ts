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
