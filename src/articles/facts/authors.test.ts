/** Authors: where their names stand, and what beside a name is none. */
import { expect, test } from 'vitest'
import { extractArticle } from '../index.ts'
import { namesIn } from './person-name.ts'

const BODY = `<p>${'The mill stood at the end of the lane, and nobody had been inside for years. '.repeat(4)}</p>`
const ld = (author: unknown) =>
  `<script type="application/ld+json">${JSON.stringify({ '@type': 'Article', author })}</script>`
const written = (head: string, line = '') =>
  extractArticle(`${head}<h1>Mill sold at last</h1>${line}${BODY}`, 'https://lamp.example/a').authors

test.each([
  [ld('Ada Byron'), '', ['Ada Byron'], 'json-ld'],
  [
    ld([{ '@type': 'Person', name: 'Ada Byron' }, { name: 'Jo Lund' }, { name: 'ADA BYRON' }]),
    '',
    ['ADA BYRON', 'Jo Lund'],
    'json-ld',
  ],
  [ld({ name: ['Ada Byron', 'Jo Lund'] }), '', ['Ada Byron', 'Jo Lund'], 'json-ld'],
  [ld({ '@type': 'Organization', name: 'Office for Mills and Weirs' }), '', ['Office for Mills and Weirs'], 'json-ld'],
  [ld({ url: 'https://lamp.example/ada' }), '<p class="byline">By Ada Byron</p>', ['Ada Byron'], 'text'],
  [
    '<meta name="author" content="Ada Byron, Jo Lund and Kit Marsh">',
    '',
    ['Ada Byron', 'Jo Lund', 'Kit Marsh'],
    'meta',
  ],
  ['<meta name="author" content="https://lamp.example/ada">', '', undefined, undefined],
  [
    '<meta property="article:author" content="https://social.example/lamp"><meta name="sailthru.author" content="Jo Lund">',
    '',
    ['Jo Lund'],
    'meta',
  ],
  [
    '<meta name="citation_author" content="Byron, Ada"><meta name="citation_author" content="Lund, Jo">',
    '',
    ['Ada Byron', 'Jo Lund'],
    'meta',
  ],
  [
    '<meta property="og:site_name" content="The Lamp"><meta name="author" content="The Lamp">',
    '<div>By <b>Jo Lund</b></div>',
    ['Jo Lund'],
    'text',
  ],
  [
    '<meta property="og:site_name" content="The Lamp"><meta name="author" content="The Lamp">',
    '',
    ['The Lamp'],
    'meta',
  ],
  ['', '<div>3 May 2020 <a href="/authors/ada-byron">Ada Byron</a></div>', ['Ada Byron'], 'markup'],
  ['', '<a rel="author" href="/x">Ada Byron</a>', ['Ada Byron'], 'markup'],
  ['', '<span class="post-author">Ada Byron</span>', ['Ada Byron'], 'markup'],
  ['', '<p>Published 3 May 2020 by Ada Byron</p>', ['Ada Byron'], 'text'],
  ['', '<div>2020-05-03 来源：明灯 作者：林晓舟</div>', ['林晓舟'], 'text'],
  ['', '', undefined, undefined],
])('%s %s', (head, line, value, from) => {
  expect(written(head, line)).toEqual(value && { value, from })
})

test.each([
  ['By Ada Byron', ['Ada Byron']],
  ['Written by: Ada Byron | Updated 3 May 2020', ['Ada Byron']],
  ['Von Jutta Kienle', ['Jutta Kienle']],
  ['Por María José Núñez y Luis Ortega', ['María José Núñez', 'Luis Ortega']],
  ['byAda Byron', ['Ada Byron']],
  ['Byron', ['Byron']],
  ['Ada Byron December 18, 2025', ['Ada Byron']],
  ['Dr. Ada K. Byron-Lovelace', ['Dr. Ada K. Byron-Lovelace']],
  ['مريم الخطيب', ['مريم الخطيب']],
  ['山田太郎', ['山田太郎']],
  ['admin', []],
  ['@ada', []],
  ['www.lamp.example', []],
  ['12 May', []],
  ['x'.repeat(500), []],
])('names in the line "%s"', (text, names) => {
  expect(namesIn(text, 'line')).toEqual(names)
})

test.each([
  ['Di Wang', ['Di Wang']],
  ['John E Smith and Ada I Byron', ['John E Smith', 'Ada I Byron']],
  ['Ana Silva e Rui Costa', ['Ana Silva', 'Rui Costa']],
  ['In Woo Kim', ['In Woo Kim']],
  ['by Ada Byron in Paris', ['Ada Byron']],
])('names in the field "%s"', (text, names) => {
  expect(namesIn(text, 'field')).toEqual(names)
})
