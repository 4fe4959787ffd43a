/** Content inside or after a text that does not belong to it: placeholders, tickers, the next story. */
import { describe, expect, test } from 'vitest'
import { extractArticle } from '../index.ts'

const BODY = [
  'Clara Holm paid the price of a small car for it, and the town threw in the meadow. She signed on a Tuesday, in pencil first, because the pen of the mayor had run dry.',
  'The wheel is of oak and last turned in the summer of 1974. Two carpenters have looked at it since, and both of them took off their caps before they said anything at all.',
  'Bread from its flour will be sold on the bridge from Easter on. There is no name for it yet, but the children of the lower school have sent in forty, most of them rude.',
]
const [first, ...otherParagraphs] = BODY.map((text) => `<p>${text}</p>`)
const OTHER = [
  'The fishermen have built a bench from the planks of two old boats. It stands at the end of the north pier since Thursday, and it is long enough for nine people, or for six of them in oilskins.',
  'The harbour master had asked for one for years. There was never any money, he says, but there were always planks, and in the end somebody put the two together on a wet afternoon.',
].map((text) => `<p>${text}</p>`)
const TICKS = ['10:15 The ferry is late', '10:40 The ferry has left the landing', '11:05 The ferry has come back'].map(
  (text) => `<div><p>${text}, and the people on the landing are told to wait for the next one.</p></div>`,
)

describe('is not part of the text', () => {
  test.each([
    [
      'a heading and a note in German',
      '<div><h4>Externer Inhalt</h4><p>An dieser Stelle finden Sie einen externen Inhalt, der den Artikel ergänzt. Sie können ihn sich mit einem Klick anzeigen lassen.</p></div>',
    ],
    [
      'a consent notice for embedded content in German',
      '<div><p>Mit dem Laden des Videos akzeptieren Sie die Datenschutzerklärung von Lamp-Video.</p><p>Video laden</p></div>',
    ],
    [
      'a note in English',
      '<div><p>External content</p><p>To view this content, you need to accept the cookies of a third party.</p><p>Click to load</p></div>',
    ],
    ['a note in French', '<div><p>Ce contenu est bloqué car vous n’avez pas accepté les cookies.</p></div>'],
    ['a note in Spanish', '<p>Para ver este contenido, tiene que aceptar las cookies de terceros.</p>'],
    [
      'a box with a telling class name',
      '<div class="embed-privacy-overlay"><p>Here you would see what somebody has written elsewhere about the mill, and it is very long.</p></div>',
    ],
    ['a list of other articles under its heading', `<div><h3>Read also</h3>${OTHER[0]}</div>`],
  ])('%s', (_name, box) => {
    expect(textOf(`<h1>Mill sold at last</h1><div class="x">${first}${box}${otherParagraphs.join('')}</div>`)).toEqual(
      BODY,
    )
  })

  test.each([
    ['a ticker under its heading', `<div><h2>Liveticker</h2>${TICKS.join('')}</div>`],
    ['a ticker in French under its heading', `<div><h3>En continu</h3>${TICKS.join('')}</div>`],
    ['a ticker with a telling class name', `<div class="news-ticker">${TICKS.join('')}</div>`],
    [
      'the next story',
      `<div><h1>A bench for the pier</h1><div class="byline">By Tom Reed, <time>3 March</time></div>${OTHER.join('').repeat(3)}</div>`,
    ],
    [
      'the next story under its section',
      `<section><div>Harbour</div><h1>A bench for the pier</h1><time>3 March</time>${OTHER.join('')}</section>`,
    ],
    [
      'news collected from other sites',
      ['Bench', 'Ferry', 'Fog', 'Lamp']
        .map(
          (name) =>
            `<article class="card"><h1><a href="https://${name.toLowerCase()}.example/1">${name} of the day has come</a></h1>${OTHER[0]}</article>`,
        )
        .join(''),
    ],
    [
      'customer reviews of the newspaper',
      `<div class="testimonial-card">${OTHER[0]}</div><div class="testimonial-card">${OTHER[1]}</div>`,
    ],
    ["the newspaper's address, in another language", `<div class="rodape">${OTHER[0]}</div>`],
    ["the site owner's offers", `<div><h2>Work With Us</h2>${OTHER[0]}</div>`],
    [
      'an overlay',
      `<div class="elementor elementor-63 elementor-location-popup"><h2>The Lamp, on paper</h2>${OTHER.join('')}</div>`,
    ],
    ['things to buy', `<div><h3>Related products</h3>${OTHER[0]}</div>`],
    ['the next story, labelled as such', `<div class="next-article"><h2>A bench for the pier</h2>${OTHER[0]}</div>`],
  ])('%s, after it', (_name, box) => {
    expect(
      textOf(
        `<main><h1>Mill sold at last</h1><div class="x">${BODY.map((text) => `<p>${text}</p>`).join('')}</div>${box}</main>`,
      ),
    ).toEqual(BODY)
  })

  test.each([
    ['a note on its author', '<p>Ada Byron is a writer who lives by the weir.</p><p>She has two dogs and no car.</p>'],
    ["the author's contacts", '<p>Have a tip? Ada Byron may be reached at ada@lamp.example.</p>'],
    ['an affiliate disclosure', '<p>Some of these links are affiliate links, and we are glad of every penny.</p>'],
    ['a print subscription offer', '<p>Get The Lamp delivered through your letterbox, twelve times a year.</p>'],
    ['a disclaimer', '<p>Disclaimer: nobody here has ever ground any flour.</p>'],
    ['a subscription offer', '<p>Get The Lamp delivered straight to your inbox, every morning at seven.</p>'],
  ])('%s, at its end', (_name, note) => {
    const head = '<meta name="author" content="Ada Byron"><h1>Mill sold at last</h1>'
    expect(textOf(`${head}<div>${BODY.map((text) => `<p>${text}</p>`).join('')}${note}</div>`)).toEqual(BODY)
  })

  test('a tooltip over a word', () => {
    const tooltip = (text: string) =>
      `<span class="term"><dfn>${text}</dfn><span class="term-tooltip-bubble"><b>${text}</b> A ${text} is what one pays for it.<a href="/words">Learn more</a></span></span>`
    expect(
      textOf(
        `<h1>Mill sold at last</h1><div class="x">${first!.replace('price', tooltip('price'))}${otherParagraphs.join('')}</div>`,
      ),
    ).toEqual(BODY)
  })

  test('a line with its date, author and section', () => {
    const line = '<b>05/10/2018</b> - Put here by: Clara Holm, town hall - Kind: Mills - Tags: mill, wheel, meadow'
    const body = BODY.map((text) => `<div>${text}</div>`).join('')
    expect(textOf(`<div><h1>Mill sold at last</h1><div><small>${line}</small></div>${body}</div>`)).toEqual(BODY)
  })

  test('another <article> after its own', () => {
    const ownArticle = `<article><h1>Mill sold at last</h1>${BODY.map((text) => `<p>${text}</p>`).join('')}</article>`
    expect(
      textOf(`<main>${ownArticle}<article><h2>A bench for the pier</h2>${OTHER.join('')}</article></main>`),
    ).toEqual(BODY)
  })
})

describe('stays part of the text', () => {
  test('sections with first-level headings', () => {
    const sections = `<section><h1>The wheel</h1>${otherParagraphs[0]}</section><section><h1>The bread</h1>${otherParagraphs[1]}</section>`
    expect(textOf(`<h1>Mill sold at last</h1><div>${first}${first}${sections}</div>`)).toContain(BODY[2])
  })

  test('an embedded post, in a box named after its site', () => {
    const post =
      '<div class="social-media-embed"><blockquote><p>Nobody asked the ducks about it.</p>— Tom Reed</blockquote></div>'
    const text = textOf(`<h1>Mill sold at last</h1><div class="x">${first}${post}${otherParagraphs.join('')}</div>`)
    expect(text.slice(0, 3)).toEqual([BODY[0], 'Nobody asked the ducks about it.', '— Tom Reed'])
  })

  test('list items that repeat for several days', () => {
    const day = '<ul><li>Walk to the weir and back again before breakfast.</li><li>Rest.</li></ul>'
    const text = textOf(
      `<h1>Ten weeks to the mill</h1><div>${first}${day}${otherParagraphs[0]}${day}${otherParagraphs[1]}</div>`,
    )
    expect(text.filter((part) => part.includes('Walk to the weir'))).toHaveLength(2)
  })

  test("list items in a box with a sidebar's name", () => {
    const points = [
      'Oak, and in good order',
      'The sluice has a gate of iron',
      'The roof is of slate and was new in 1961',
    ]
    const news = [
      'A cellar that is dry in every summer and most winters',
      'Two stones from the quarry up the valley, one of them cracked',
    ]
    const box = `<div class="info-box">${[...points, ...news].map((text) => `<p>${text}</p>`).join('')}</div>`
    expect(
      textOf(`<h1>Mill sold at last</h1><div class="x">${first}${box}${otherParagraphs.join('')}</div>`),
    ).toContain(points[1])
  })

  test('the table of its first part, if the text is in several boxes', () => {
    const table =
      '<table><tr><th>Mill</th><th>Price</th></tr><tr><td><a href="https://weir.example/">The mill at the weir</a></td><td>12</td></tr><tr><td><a href="https://oak.example/">The mill by the oak</a></td><td>14</td></tr></table>'
    const text = textOf(
      `<h1>Mill sold at last</h1><div class="box"><div class="rich-text">${first}${otherParagraphs[0]}${table}</div><p><a href="/sell">Sell yours</a></p><div class="rich-text">${[...OTHER, ...otherParagraphs].join('').repeat(1)}${OTHER.join('').replaceAll('bench', 'chair')}${OTHER.join('').replaceAll('bench', 'table')}${OTHER.join('').replaceAll('bench', 'shelf')}${OTHER.join('').replaceAll('bench', 'stool')}</div></div>`,
    )
    expect(text.join(' ')).toContain('The mill at the weir')
  })

  test('news items that form its own <article>', () => {
    const items = ['Bench', 'Ferry', 'Fog', 'Lamp'].map(
      (name) =>
        `<h2><a href="https://${name.toLowerCase()}.example/1">${name} of the day</a></h2>${OTHER[0]!.replace('bench', name)}`,
    )
    expect(textOf(`<article><h1>Links of the week</h1>${items.join('')}</article>`).join(' ')).toContain(
      'built a Ferry',
    )
  })

  test('the notes of a live ticker', () => {
    const text = textOf(`<h1>The ferry on its worst day</h1><div class="live-ticker">${TICKS.join('').repeat(2)}</div>`)
    expect(text.join(' ')).toContain('10:40 The ferry has left the landing')
  })
})

function textOf(html: string): string[] {
  return extractArticle(`<meta property="og:type" content="article">${html}`, 'https://lamp.example/mill').text.split(
    '\n\n',
  )
}
