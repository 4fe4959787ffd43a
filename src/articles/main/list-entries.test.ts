/** Articles that are lists: every shape of entry must stay, and the lists beside the article must not come in. */
import { describe, expect, test } from 'vitest'
import { extractArticle } from '../index.ts'

const BOOKS = [
  ['The Weir', 'Ines Falk'],
  ['A Winter of Lamps', 'Clara Holm'],
  ['Salt and Oak', 'Ada Byron'],
  ['Nine Bridges', 'Tom Reed'],
  ['Small Hours in Harbour Street', 'Mia Lund'],
  ['Letters to a Ferry', 'Jon Vale'],
  ['What the Miller Knew', 'Eva Stern'],
] as const
const INTRO =
  'Our readers have voted, and these are the books that kept them awake this winter. You can borrow every one of them at the library on the bridge.'
const MORE = ['A bench for the north pier', 'The ferry has a new captain', 'Fog keeps the harbour closed']
const entries = (entry: (title: string, author: string, i: number) => string) =>
  BOOKS.map(([title, author], i) => entry(title, author, i)).join('')

describe('keeps the entries of a list that is the article', () => {
  test.each([
    [
      'a linked title and its author',
      `<ul>${entries((title, author, i) => `<li><em><a href="/books/${i}">${title}</a></em> by ${author}</li>`)}</ul>`,
      BOOKS.map(([title, author]) => `${title} by ${author}`).join('\n'),
    ],
    [
      'paragraphs of a name, a linked title and a publisher',
      entries(
        (title, author, i) =>
          `<p>${author}, <em><a href="/books/${i}">${title}, a novel in three parts</a></em><br>Lantern Press</p>`,
      ),
      BOOKS.map(([title, author]) => `${author}, ${title}, a novel in three parts\nLantern Press`).join('\n\n'),
    ],
    [
      'paragraphs in a list, which lead to other sites',
      `<ul>${entries((title, author, i) => `<li><p><a href="https://books.example/${i}">${title} (${author})</a></p></li>`)}</ul>`,
      BOOKS.map(([title, author]) => `${title} (${author})`).join('\n'),
    ],
    [
      'headings in a list',
      `<ol>${entries((title, author) => `<li><h3>${title}, ${author}</h3></li>`)}</ol>`,
      BOOKS.map(([title, author]) => `${title}, ${author}`).join('\n'),
    ],
    [
      'headings that lead to other sites',
      `<ol>${entries((title, _author, i) => `<li><h3><a href="https://books.example/${i}">${title}</a></h3></li>`)}</ol>`,
      BOOKS.map(([title]) => title).join('\n'),
    ],
    [
      'dates, titles and authors',
      `<ul>${entries((title, author, i) => `<li>${i + 1} May: <a href="https://books.example/${i}">${title}</a> (${author})</li>`)}</ul>`,
      BOOKS.map(([title, author], i) => `${i + 1} May: ${title} (${author})`).join('\n'),
    ],
    [
      'rows of a table that begin with a link',
      `<table>${entries((title, author, i) => `<tr><td><a href="/books/${i}">${title}</a></td><td>${author}</td></tr>`)}</table>`,
      BOOKS.map(([title, author]) => `${title}\t${author}`).join('\n'),
    ],
    [
      'cards',
      entries(
        (title, author, i) =>
          `<div class="card"><h3><a href="/books/${i}">${title}</a></h3><p>A novel by ${author} about water and the people who live beside it.</p></div>`,
      ),
      BOOKS.map(
        ([title, author]) => `${title}\n\nA novel by ${author} about water and the people who live beside it.`,
      ).join('\n\n'),
    ],
  ])('%s', (_name, list, text) => {
    expect(textOf(`<p>${INTRO}</p>${list}`)).toBe(`${INTRO}\n\n${text}`)
  })
})

describe('drops a list of other articles', () => {
  const prose =
    `<p>${INTRO}</p>` +
    `<p>The library is open until eight, and on Fridays until the last reader has left. ${INTRO}</p>`
  const item = (textAfter: (title: string) => string) =>
    MORE.map((title, i) => `<li>${textAfter(`<a href="/news/${i}">${title}</a>`)}</li>`).join('')
  test.each([
    ['that contains only links', `<ul>${item((link) => link)}</ul>`],
    ['with dates', `<ul>${item((link) => `${link} 3 May 2024`)}</ul>`],
    ['with such a heading', `<p>More Lamp stories</p><ul>${item((link) => `${link} by Ada Byron`)}</ul>`],
  ])('%s', (_name, list) => {
    const text = textOf(prose + list)
    expect(text).toContain('The library is open')
    for (const title of MORE) expect(text).not.toContain(title)
  })
})

function textOf(body: string): string {
  const menu = `<nav><ul>${'<li><a href="/s">Some section</a></li>'.repeat(12)}</ul></nav>`
  const beside = `<section class="more"><h3>Latest</h3><ul>${MORE.map((title, i) => `<li><a href="/news/${i}">${title}</a></li>`).join('')}</ul></section>`
  const html = `<title>Books for the winter</title><meta property="og:type" content="article">${menu}<main><article>
    <h1>Books for the winter</h1><div class="entry-content">${body}</div></article>${beside}</main><footer><p>All rights reserved.</p></footer>`
  return extractArticle(html, 'https://lamp.example/books').text
}
