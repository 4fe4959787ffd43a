/** Authors: places that state names, and texts there that are not names. */
import { describe, expect, test } from 'vitest'
import { extractArticle } from '../index.ts'
import { parseNames } from './person-name.ts'

const BODY = `<p>${'The mill stood at the end of the lane, and nobody had been inside for years. '.repeat(4)}</p>`
const ld = (author: unknown) =>
  `<script type="application/ld+json">${JSON.stringify({ '@type': 'Article', author })}</script>`
const written = (head: string, line = '', after = '') =>
  extractArticle(`${head}<h1>Mill sold at last</h1>${line}${BODY}${after}`, 'https://lamp.example/a').authors

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
  ['the label of a form', '<form><p class="comment-form-author"><label for="author">Name *</label></p></form>'],
  ['another label of a form', '<p class="author">Nama (wajib)</p>'],
  ['a comment', '<ol class="comment-list"><li><b class="comment-author">Kit Marsh</b></li></ol>'],
  ['a word before a name', '<span class="author">von</span>'],
  ['the author of the template', '<p class="author">Powered by Hugo</p>'],
  ['a menu item', '<p class="author">Themen bearbeiten</p>'],
  ['a topic', '<span class="byline"><a href="/tag/mills">Mills</a></span>'],
  ['an address', '<span class="author">ada@lamp.example</span>'],
  ['a handle', '<span class="author">@ada</span>'],
  ['a photo credit', '<p>Foto: Kit Marsh</p><p class="credit">Photo by Kit Marsh</p>'],
  ['the beginning of a sentence', '<p>By clicking on the button below you agree to receive a letter every month.</p>'],
  [
    'a person mentioned in a sentence',
    '<p>Nobody knew the mill as well as its miller <a href="/people/kit">Kit Marsh</a> did.</p>',
  ],
])('finds no name in %s', (_name, html) => {
  expect(written('', html)).toBeUndefined()
  expect(written('', '', html)).toBeUndefined()
})

test.each([
  ["a link to the author's articles", '<a rel="author" href="/x">View all posts by Ada Byron</a>'],
  ["a link to the author's articles in German", '<a rel="author" href="/x">Alle Beiträge von Ada Byron anzeigen</a>'],
  ['the line after a label', '<p>Written by</p><p>Ada Byron</p>'],
  ['the line after a German label', '<div>Von</div><div>Ada Byron</div>'],
  ['a name above a job title', '<div>Ada Byron</div><div>Editor and miller</div>'],
  [
    'a part of a line with an author class',
    '<div><span>3 May 2020</span> <span class="author">Ada Byron</span> <i>Evening Star</i></div>',
  ],
])('finds the name in %s', (_name, line) => {
  expect(written('', line)?.value).toEqual(['Ada Byron'])
})

test.each([
  'This entry was posted in Mills on March 3, 2026 by Ada Byron.',
  'This post was written by Ada Byron, who lives nearby.',
  'Dieser Beitrag wurde am 3. März 2026 von Ada Byron in Mühlen veröffentlicht.',
  'Cet article a été publié dans Moulins par Ada Byron.',
])('finds the name below the text: %s', (line) => {
  expect(written('', '', `<p>${line}</p>`)?.value).toEqual(['Ada Byron'])
})

test.each(['Redaktion', 'Staff', 'Web Admin', 'Lamp', 'News Desk', 'dpa'])('prefers a person to %s', (organization) => {
  const meta = `<meta name="author" content="${organization}">`
  expect(written(meta, '<p>Von Ada Byron</p>')?.value).toEqual(['Ada Byron'])
  expect(written(meta)?.value).toEqual([organization])
})

test('returns all authors in the byline', () => {
  expect(written(ld('Ada Byron'), '<p>By Ada Byron, Jo Lund and Kit Marsh</p>')?.value).toEqual([
    'Ada Byron',
    'Jo Lund',
    'Kit Marsh',
  ])
  expect(written(ld('Ada Byron'), '<p>By Ada Byron, Senior Editor</p>')?.value).toEqual(['Ada Byron'])
})

test('uses a data layer if there is no other statement', () => {
  const layer = '<script>dataLayer_content = {"pagePostAuthor":"Ada Byron","pagePostDate":"x"}</script>'
  expect(written(layer)).toEqual({ value: ['Ada Byron'], from: 'script' })
})

test.each([
  ['By Ada Byron', ['Ada Byron']],
  ['Analysis by Ada Byron', ['Ada Byron']],
  ['Text: Ada Byron', ['Ada Byron']],
  ['Ada Byron am 3. Mai 2020', ['Ada Byron']],
  ['Von Ada Byron, Berlin', ['Ada Byron']],
  ['Ada Byron, MS, RD', ['Ada Byron']],
  ['Ada Byron (Reuters)', ['Ada Byron']],
  ['Ada Byron | Evening Star News', ['Ada Byron']],
  ['Ada Byron ●', ['Ada Byron']],
  ['Ursula von der Mühle', ['Ursula von der Mühle']],
  ['Personal finance', []],
  ['Leave a comment', []],
  ['Name *', []],
  ['by', []],
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
])('parses the line "%s"', (text, names) => {
  expect(parseNames(text, 'line')).toEqual(names)
})

test.each([
  ['Di Wang', ['Di Wang']],
  ['John E Smith and Ada I Byron', ['John E Smith', 'Ada I Byron']],
  ['Ana Silva e Rui Costa', ['Ana Silva', 'Rui Costa']],
  ['In Woo Kim', ['In Woo Kim']],
  ['by Ada Byron in Paris', ['Ada Byron']],
  ['Byron, Ada', ['Ada Byron']],
])('parses the field "%s"', (text, names) => {
  expect(parseNames(text, 'field')).toEqual(names)
})

const namesOf = (head: string, line?: string) => written(head, line)?.value

describe('a <meta name="author"> set by a template', () => {
  test.each(['Brook & Vale', 'Brook Vale', 'adab', 'ada_b', 'lampdesk88', 'Brook Vale Inc.'])('%s', (content) => {
    const meta = `<meta name="author" content="${content}">`
    expect(namesOf(meta, '<p>By Ada Byron</p>')).toEqual(['Ada Byron'])
    expect(namesOf(meta, '<p><a rel="author" href="/x">Ada Byron</a></p>')).toEqual(['Ada Byron'])
    expect(namesOf(`${meta}<meta property="article:author" content="Ada Byron">`)).toEqual(['Ada Byron'])
  })

  test('counts if there is no other name, or if the byline agrees', () => {
    expect(namesOf('<meta name="author" content="adab">')).toEqual(['adab'])
    expect(namesOf('<meta name="author" content="Brook Vale">')).toEqual(['Brook Vale'])
    expect(namesOf('<meta name="author" content="Ada K. Byron">', '<p>By Ada Byron, mill editor</p>')).toEqual([
      'Ada K. Byron',
    ])
  })

  test('a person takes precedence over an organization in a script', () => {
    const author = JSON.stringify({ '@type': 'Article', author: { '@type': 'Organization', name: 'Brook Vale' } })
    const head = `<script type="application/ld+json">${author}</script>`
    expect(namesOf(head, '<p>By Ada Byron</p>')).toEqual(['Ada Byron'])
    expect(namesOf(head)).toEqual(['Brook Vale'])
  })
})

test.each([
  ['<p><a href="https://creativecommons.org/licenses/by/4.0/">CC BY</a></p>'],
  ['<p><a rel="license" href="/licenses/by/4.0/">CC BY-SA</a></p>'],
  ['<p class="byline">(Jo Lund/iStockphoto)</p>'],
  ['<p class="author">Image: iStockphoto)</p>'],
  ['<p>By Monday</p>'],
])('%s has no author', (line) => expect(namesOf('', line)).toBeUndefined())

test("the page's generator is not an author", () => {
  expect(namesOf('<meta name="creator" content="lampmarkup version 1.129d">')).toBeUndefined()
  expect(
    namesOf('<meta name="creator" content="lampmarkup v2.1"><meta name="dc.creator" content="Ada Byron">'),
  ).toEqual(['Ada Byron'])
})

test.each([
  ['By Ada (Augusta) Byron', ['Ada (Augusta) Byron']],
  ['By Ada Byron (Lund, Sweden)', ['Ada Byron']],
  ['By Ada Byron (Lamp) and Jo Lund (Vale)', ['Ada Byron', 'Jo Lund']],
  ['By Ada Byron (Lamp', ['Ada Byron']],
  ['By Ada Byron [mills]', ['Ada Byron']],
])('brackets: %s', (line, names) => expect(namesOf('', `<p>${line}</p>`)).toEqual(names))
