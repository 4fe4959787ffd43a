/** What stands in a text or behind it and is not of it: placeholders, tickers, the next story. */
import { describe, expect, test } from 'vitest'
import { extractArticle } from '../index.ts'

const BODY = [
  'Clara Holm paid the price of a small car for it, and the town threw in the meadow. She signed on a Tuesday, in pencil first, because the pen of the mayor had run dry.',
  'The wheel is of oak and last turned in the summer of 1974. Two carpenters have looked at it since, and both of them took off their caps before they said anything at all.',
  'Bread from its flour will be sold on the bridge from Easter on. There is no name for it yet, but the children of the lower school have sent in forty, most of them rude.',
]
const [first, ...rest] = BODY.map((text) => `<p>${text}</p>`)
const OTHER = [
  'The fishermen have built a bench from the planks of two old boats. It stands at the end of the north pier since Thursday, and it is long enough for nine people, or for six of them in oilskins.',
  'The harbour master had asked for one for years. There was never any money, he says, but there were always planks, and in the end somebody put the two together on a wet afternoon.',
].map((text) => `<p>${text}</p>`)
const TICKS = ['10:15 The ferry is late', '10:40 The ferry has left the landing', '11:05 The ferry has come back'].map(
  (text) => `<div><p>${text}, and the people on the landing are told to wait for the next one.</p></div>`,
)

describe('of a text is not', () => {
  test.each([
    [
      'a heading and a note in German',
      '<div><h4>Externer Inhalt</h4><p>An dieser Stelle finden Sie einen externen Inhalt, der den Artikel ergänzt. Sie können ihn sich mit einem Klick anzeigen lassen.</p></div>',
    ],
    [
      'what loading means in German',
      '<div><p>Mit dem Laden des Videos akzeptieren Sie die Datenschutzerklärung von Lamp-Video.</p><p>Video laden</p></div>',
    ],
    [
      'a note in English',
      '<div><p>External content</p><p>To view this content, you need to accept the cookies of a third party.</p><p>Click to load</p></div>',
    ],
    ['a note in French', '<div><p>Ce contenu est bloqué car vous n’avez pas accepté les cookies.</p></div>'],
    ['a note in Spanish', '<p>Para ver este contenido, tiene que aceptar las cookies de terceros.</p>'],
    [
      'a box that is named for it',
      '<div class="embed-privacy-overlay"><p>Here you would see what somebody has written elsewhere about the mill, and it is very long.</p></div>',
    ],
    ['a list of other articles under its heading', `<div><h3>Read also</h3>${OTHER[0]}</div>`],
  ])('%s', (_name, box) => {
    expect(textOf(`<h1>Mill sold at last</h1><div class="x">${first}${box}${rest.join('')}</div>`)).toEqual(BODY)
  })

  test.each([
    ['a ticker under its heading', `<div><h2>Liveticker</h2>${TICKS.join('')}</div>`],
    ['a ticker in French under its heading', `<div><h3>En continu</h3>${TICKS.join('')}</div>`],
    ['a ticker that is named for it', `<div class="news-ticker">${TICKS.join('')}</div>`],
    [
      'the next story',
      `<div><h1>A bench for the pier</h1><div class="byline">By Tom Reed, <time>3 March</time></div>${OTHER.join('').repeat(3)}</div>`,
    ],
    [
      'the next story under its section',
      `<section><div>Harbour</div><h1>A bench for the pier</h1><time>3 March</time>${OTHER.join('')}</section>`,
    ],
    ['the next story that says so', `<div class="next-article"><h2>A bench for the pier</h2>${OTHER[0]}</div>`],
  ])('%s, behind it', (_name, box) => {
    expect(
      textOf(
        `<main><h1>Mill sold at last</h1><div class="x">${BODY.map((text) => `<p>${text}</p>`).join('')}</div>${box}</main>`,
      ),
    ).toEqual(BODY)
  })

  test.each([
    [
      'what is said of its author',
      '<p>Ada Byron is a writer who lives by the weir.</p><p>She has two dogs and no car.</p>',
    ],
    ['where to find them', '<p>Have a tip? Ada Byron may be reached at ada@lamp.example.</p>'],
    ['what the publisher earns', '<p>Some of these links are affiliate links, and we are glad of every penny.</p>'],
    ['how to subscribe', '<p>Get The Lamp delivered straight to your inbox, every morning at seven.</p>'],
  ])('%s, at its end', (_name, note) => {
    const head = '<meta name="author" content="Ada Byron"><h1>Mill sold at last</h1>'
    expect(textOf(`${head}<div>${BODY.map((text) => `<p>${text}</p>`).join('')}${note}</div>`)).toEqual(BODY)
  })

  test('another <article> behind its own', () => {
    const own = `<article><h1>Mill sold at last</h1>${BODY.map((text) => `<p>${text}</p>`).join('')}</article>`
    expect(textOf(`<main>${own}<article><h2>A bench for the pier</h2>${OTHER.join('')}</article></main>`)).toEqual(BODY)
  })
})

describe('of a text stay', () => {
  test('sections that have headings of the first level', () => {
    const sections = `<section><h1>The wheel</h1>${rest[0]}</section><section><h1>The bread</h1>${rest[1]}</section>`
    expect(textOf(`<h1>Mill sold at last</h1><div>${first}${first}${sections}</div>`)).toContain(BODY[2])
  })

  test('what somebody wrote elsewhere, in a box that is named for where', () => {
    const post =
      '<div class="social-media-embed"><blockquote><p>Nobody asked the ducks about it.</p>— Tom Reed</blockquote></div>'
    const text = textOf(`<h1>Mill sold at last</h1><div class="x">${first}${post}${rest.join('')}</div>`)
    expect(text.slice(0, 3)).toEqual([BODY[0], 'Nobody asked the ducks about it.', '— Tom Reed'])
  })

  test('the notes of a ticker that is the article', () => {
    const text = textOf(`<h1>The ferry on its worst day</h1><div class="live-ticker">${TICKS.join('').repeat(2)}</div>`)
    expect(text.join(' ')).toContain('10:40 The ferry has left the landing')
  })
})

function textOf(html: string): string[] {
  return extractArticle(`<meta property="og:type" content="article">${html}`, 'https://lamp.example/mill').text.split(
    '\n\n',
  )
}
