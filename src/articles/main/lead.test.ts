/** Leads as newspapers write them: each page must give its lead once, before the body, and nothing else besides. */
import { describe, expect, test } from 'vitest'
import { extractArticle } from '../index.ts'

const LEAD = 'The old mill by the weir has a new owner, and the wheel may turn again before the first frost.'
const LONG_LEAD = `${LEAD} Nobody had made an offer for eleven years. Then a baker from the upper town walked past with her dog, looked
  through a broken pane, and asked at the town hall whom the keys belonged to. ${'They belonged to the town, and it was glad. '.repeat(4)}`
const BODY = [
  'Clara Holm paid the price of a small car for it, and the town threw in the meadow. She signed on a Tuesday, in pencil first, because the pen of the mayor had run dry.',
  'The wheel is of oak and last turned in the summer of 1974. Two carpenters have looked at it since, and both of them took off their caps before they said anything at all.',
  'Bread from its flour will be sold on the bridge from Easter on. There is no name for it yet, but the children of the lower school have sent in forty, most of them rude.',
]
const PARAGRAPHS = BODY.map((text) => `<p>${text}</p>`).join('')
const PICTURE =
  '<figure><img src="/mill.jpg"><figcaption>The mill in the year 1920, seen from the bridge.</figcaption></figure>'
const BYLINE =
  '<div class="byline">By <a href="/ada">Ada Byron</a>, <time datetime="2024-03-02">2 March 2024</time></div>'

describe('a lead is kept', () => {
  test.each([
    ['as the standfirst in a header', `<p class="article__standfirst">${LEAD}</p>`, LEAD],
    ['as a heading', `<h2 class="subtitle">${LEAD}</h2>`, LEAD],
    ['in bold, without a name', `<div><strong>${LEAD}</strong></div>`, LEAD],
    [
      'as a dek without a full stop',
      '<p class="dek">A baker buys what nobody wanted</p>',
      'A baker buys what nobody wanted',
    ],
    ['in a box named as a teaser, too', `<div class="teaser-text">${LEAD}</div>`, LEAD],
    ['as a chapô', `<p class="article__chapo">${LEAD}</p>`, LEAD],
    ['as a sapo', `<h2 class="detail-sapo" data-role="sapo">${LEAD}</h2>`, LEAD],
    ['as an ingress', `<div class="ingress"><p>${LEAD}</p></div>`, LEAD],
    ['if it is long', `<p class="intro">${LONG_LEAD}</p>`, LONG_LEAD.replace(/\s+/g, ' ').trim()],
    [
      'as list items',
      '<ul class="summary"><li>The mill has an owner again</li><li>Bread from Easter on, she says</li></ul>',
      'The mill has an owner again\nBread from Easter on, she says',
    ],
  ])('%s', (_name, lead, text) => {
    const page = `<main><article><header><h1>Mill sold at last</h1>${lead}${BYLINE}${PICTURE}</header><div class="article-body">${PARAGRAPHS}</div></article></main>`
    expect(textOf(page)).toEqual([text, ...BODY])
  })

  test('if only the description identifies it', () => {
    const page = `<meta name="description" content="A baker buys what nobody else wanted, and the dog agrees"><h1>Mill sold at last</h1>
      <div class="x1">A baker buys what nobody else wanted, and the dog agrees</div>${BYLINE}<div class="article-body">${PARAGRAPHS}</div>`
    expect(textOf(page)[0]).toBe('A baker buys what nobody else wanted, and the dog agrees')
  })

  test('if the description says the same, in a box with an ambiguous name', () => {
    const page = `<meta name="description" content="${LEAD}"><h1>Mill sold at last</h1>
      <div class="header-info"><p>${LEAD}</p></div>${BYLINE}<div class="article-body">${PARAGRAPHS}</div>`
    expect(textOf(page)).toEqual([LEAD, ...BODY])
  })

  test('if the articleBody lacks it', () => {
    const data = JSON.stringify({ '@type': 'NewsArticle', headline: 'Mill sold at last', articleBody: BODY.join('\n') })
    const script = `<script type="application/ld+json">${data}</script>`
    const head = `${script}<h1>Mill sold at last</h1><p class="lead">${LEAD}</p>`
    expect(textOf(`${head}${BYLINE}<div>${PARAGRAPHS}</div>`)).toEqual([LEAD, ...BODY])
    expect(textOf(`${head}<div id="app"></div>`)).toEqual([LEAD, ...BODY])
  })
})

describe('is not a lead', () => {
  test.each([
    ['text that the first paragraph repeats', `<p class="lead">${BODY[0]}</p>`],
    ['the beginning of the first paragraph', `<p class="lead">${BODY[0]!.slice(0, 90)}…</p>`],
    ['a caption', `<div class="image"><p>${LEAD}</p></div>`],
    [
      'a note on the author',
      `<div class="author-bio"><p>Ada Byron writes about water and the people who live beside it.</p></div>`,
    ],
    ['hidden text', `<p class="lead" hidden>${LEAD}</p>`],
    [
      'the beginning of another article',
      `<div class="related"><h3><a href="/x">A bench</a></h3><p class="excerpt">${LEAD}</p></div>`,
    ],
    ['an affiliate disclosure', '<p>We may earn a commission when you buy something through a link on this page.</p>'],
    ['the date', '<p class="description">Published on 2 March 2024, 10:15</p>'],
  ])('%s', (_name, box) => {
    expect(textOf(`<h1>Mill sold at last</h1>${box}${BYLINE}<div class="article-body">${PARAGRAPHS}</div>`)).toEqual(
      BODY,
    )
  })
})

function textOf(html: string): string[] {
  return extractArticle(html, 'https://lamp.example/mill').text.split('\n\n')
}
