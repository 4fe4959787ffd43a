/** Displayed dates: their labels, their places, and dates of other things. */
import { describe, expect, test } from 'vitest'
import { extractArticle } from '../index.ts'

const BODY = `<p>${'The mill stood at the end of the lane, and nobody had been inside for years. '.repeat(4)}</p>`
const dated = (before: string, after = '', url = 'https://lamp.example/a') =>
  extractArticle(`<h1>Mill sold at last</h1>${before}${BODY}${after}`, url).published

describe('a label', () => {
  test.each([
    'Posted on March 3, 2026 by Ada Byron',
    'Veröffentlicht am 3. März 2026',
    'Erschienen am: 3.3.2026',
    'Publié le 3 mars 2026',
    'Publicado el 3 de marzo de 2026',
    'Publicado em 3 de março de 2026',
    'Pubblicato il 3 marzo 2026',
    'Geplaatst op 3 maart 2026',
    'Opublikowano 3 marca 2026',
    'Publicerad 3 mars 2026',
    'Publikováno 3. března 2026',
    'Опубликовано 3 марта 2026',
    'Yayınlanma: 3 Mart 2026',
    'Diposting pada 3 Maret 2026',
    '投稿日: 2026年3月3日',
    '发布时间：2026年3月3日',
    '입력 2026.03.03',
    '03.03.2026 – Kategorie: Mühlen',
    '03.03.2026',
  ])('near the title: %s', (line) => {
    expect(dated(`<div>${line}</div>`)?.iso).toBe('2026-03-03')
  })

  test.each([
    'This entry was posted in Mills, Lanes and Weirs on March 3, 2026 by Ada. Bookmark the permalink.',
    'This entry was posted on Tuesday, March 3rd, 2026 at 9:15 and is filed under Mills. You can follow any responses.',
    'Dieser Beitrag wurde am 3. März 2026 von Ada in Mühlen veröffentlicht. Schlagwörter: Mühle, Wehr.',
    'Dieser Eintrag wurde veröffentlicht in Mühlen am 3. März 2026 von Ada.',
    'Cet article a été publié dans Moulins par Ada le 3 mars 2026. Vous pouvez le mettre en favoris.',
    'Esta entrada fue publicada en Molinos el 3 de marzo de 2026 por Ada.',
    'Questo articolo è stato pubblicato in Mulini il 3 marzo 2026 da Ada.',
    'Dit bericht werd geplaatst in Molens op 3 maart 2026 door Ada.',
    'Ten wpis został opublikowany w kategorii Młyny, 3 marca 2026, przez Ada.',
    'Запись опубликована 3 марта 2026 автором Ada в рубрике Мельницы.',
  ])('below the text: %s', (line) => {
    expect(dated('', `<div class="entry-meta">${line}</div>`)?.iso).toMatch(/^2026-03-03/)
  })

  test('on the previous line', () => {
    expect(dated('<p>First published</p><p>3 March 2026</p><p>5 March 2026</p>')?.iso).toBe('2026-03-03')
    expect(dated('<p>Last updated</p><p>5 March 2026</p><p>Published</p><p>3 March 2026</p>')?.iso).toBe('2026-03-03')
  })

  test.each([
    'Written: March 3, 2026 / Updated: March 5, 2026',
    'Updated March 5, 2026. Published March 3, 2026',
    'Veröffentlicht am 3.3.2026, zuletzt aktualisiert am 5.3.2026',
    '3 March 2026 (updated 5 March 2026)',
  ])('of both dates: %s', (line) => {
    const side = '<div class="sidebar"><span class="date">1 January 2020</span></div>'
    const { published, modified } = extractArticle(
      `${side}<h1>Mill sold at last</h1><div>${line}</div>${BODY}`,
      'https://lamp.example/a',
    )
    expect([published?.iso, modified?.iso]).toEqual(['2026-03-03', '2026-03-05'])
  })

  test("takes precedence over an unlabelled date, which may be a picture's", () => {
    expect(dated('<figcaption>The mill, 1 May 2011</figcaption><p>Posted: 3 March 2026</p>')?.iso).toBe('2026-03-03')
  })
})

test.each([
  ['/2026/03/03/mill-sold', '2026-03-03'],
  ['/2026/3/3/mill-sold', '2026-03-03'],
  ['/20260303/mill-sold', '2026-03-03'],
  ['/news/t20260303_4711.html', '2026-03-03'],
  ['/mill-sold-2026-03-03', '2026-03-03'],
  ['/2026/03/mill-sold', undefined],
  ['/item/120260303123', undefined],
])('in the URL %s', (path, iso) => {
  expect(dated('', '', `https://lamp.example${path}`)?.iso).toBe(iso)
})

describe('in scripts', () => {
  test.each([
    'dataLayer.push({"event":"view","publishDate":"2026-03-03"})',
    'utag_data = { page_type: "article", article_publish_date: "2026-03-03" }',
    'dataLayer_content = {"pagePostDate":"March 3, 2026","pagePostDateYear":"2026"}',
    'window.__STATE__ = "{\\"article\\":{\\"publishedAt\\":\\"2026-03-03\\"}}"',
    'self.state = {"datePublished":"2026-03-03","headline":"Mill sold"}',
  ])('%s', (script) => {
    expect(dated(`<script>${script}</script>`)).toMatchObject({ iso: '2026-03-03', from: 'script' })
  })

  test('as seconds since 1970, and in attributes', () => {
    const at = Date.UTC(2026, 2, 3, 12)
    expect(dated(`<script id="__NEXT_DATA__">{"post":{"publishedAt":${at}}}</script>`)?.at).toBe(at)
    expect(dated('<div data-props="{&quot;datePublished&quot;:&quot;2026-03-03&quot;}"></div>')?.iso).toBe('2026-03-03')
  })

  test('unless they belong to several articles or to the last change', () => {
    expect(dated('<script>[{"publishDate":"2026-03-03"},{"publishDate":"2026-03-01"}]</script>')).toBeUndefined()
    expect(dated('<script>{"last_publication_date":"2026-03-05"}</script>')).toBeUndefined()
  })
})

describe('12/03/2026 is in March', () => {
  const read = (html: string, url = 'https://lamp.example/a') =>
    extractArticle(
      `${html.includes('<html') ? '' : '<html lang="en">'}${html}<h1>Mill sold at last</h1><div>12/03/2026</div>${BODY}`,
      url,
    )

  test.each([
    ['if the language has a region', '<html lang="en-GB">', 'https://lamp.com/a'],
    ['if the locale for sharing has one', '<meta property="og:locale" content="en_GB">', 'https://lamp.com/a'],
    ["if the domain is a country's, regardless of the template", '<html lang="en-US">', 'https://lamp.co.uk/a'],
    ['if prices are in pounds', '<p>Only £3</p>', 'https://lamp.com/a'],
    ['if another date is unambiguous', '<p>25/12/2025</p>', 'https://lamp.com/a'],
    [
      'if the last change was before December',
      '<meta property="article:modified_time" content="2026-03-15T08:00:00Z">',
      'https://lamp.com/a',
    ],
  ])('%s', (_name, html, url) => {
    expect(read(html, url).published?.iso).toBe('2026-03-12')
  })

  test('and in December in America, but is ambiguous', () => {
    expect(read('<html lang="en-US">', 'https://lamp.com/a').published).toMatchObject({
      iso: '2026-12-03',
      swapped: { iso: '2026-03-12' },
    })
    expect(read('<html lang="en"><p>12/25/2025</p>').published?.iso).toBe('2026-12-03')
  })
})

describe('ignores the date', () => {
  test.each([
    [
      'of an embedded post',
      '<blockquote class="twitter-tweet">Sold! — Ada (@ada) <a href="/x">May 1, 2011</a></blockquote>',
    ],
    [
      'of a post in a box',
      '<div class="bluesky-embed"><p>Sold!</p><p><time datetime="2011-05-01">May 1</time></p></div>',
    ],
    ['of a comment', '<ol id="comments"><li><time datetime="2011-05-01">May 1</time><p>How sad.</p></li></ol>'],
    ['of a list of recent posts', '<div class="recent-posts"><span class="post-date">May 1, 2011</span></div>'],
    ['of a sidebar', '<div class="sidebar"><p>Published: May 1, 2011</p></div>'],
  ])('%s', (_name, html) => {
    expect(dated(html)).toBeUndefined()
    expect(dated('', html)).toBeUndefined()
    expect(dated(`${html}<p>Posted: March 3, 2026</p>`)?.iso).toBe('2026-03-03')
  })
})
