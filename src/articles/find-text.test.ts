/** Pages that do not display their text: where it is found instead, and dialogs that are not the text. */
import { describe, expect, test } from 'vitest'
import { extractArticle } from './index.ts'

const TITLE = 'Mill sold at last'
const BODY = [
  'Clara Holm paid the price of a small car for it, and the town threw in the meadow. She signed on a Tuesday, in pencil first, because the pen of the mayor had run dry.',
  'The wheel is of oak and last turned in the summer of 1974. Two carpenters have looked at it since, and both of them took off their caps before they said anything at all.',
  'Bread from its flour will be sold on the bridge from Easter on. There is no name for it yet, but the children of the lower school have sent in forty, most of them rude.',
]
const HTML = BODY.map((text) => `<p>${text}</p>`).join('')
const OTHER = 'The fishermen have built a bench from the planks of two old boats, and it is long enough for nine. '
const RELATED = [{ title: 'A bench for the pier', body: `<p>${OTHER.repeat(2)}</p>` }]
const HEAD = `<title>${TITLE}</title><meta property="og:title" content="${TITLE}">`
const SHELL = '<div id="app"></div><p>Loading…</p>'

describe('a page rendered by scripts yields', () => {
  test.each([
    ['its <noscript>', `<noscript><h1>${TITLE}</h1>${HTML}</noscript>`, 'markup'],
    [
      'the body in the data of Next.js',
      json('__NEXT_DATA__', { props: { pageProps: { post: { title: TITLE, body: HTML }, related: RELATED } } }),
      'state',
    ],
    [
      'the paragraphs in the data of Next.js',
      json('__NEXT_DATA__', {
        props: {
          article: {
            headline: TITLE,
            description: 'What nobody wanted for eleven years has found somebody who wants it, and a dog.',
            blocks: BODY.map((text, i) => ({ type: 'p', id: `p-${i}`, text })),
            related: RELATED,
          },
        },
      }),
      'state',
    ],
    [
      'paragraphs split into spans',
      json('__NEXT_DATA__', {
        page: {
          title: TITLE,
          content: BODY.map((text) => ({
            nodeType: 'paragraph',
            content: [
              { nodeType: 'text', value: text.slice(0, 20) },
              { nodeType: 'hyperlink', content: [{ nodeType: 'text', value: text.slice(20, 30) }] },
              { nodeType: 'text', value: text.slice(30) },
            ],
          })),
        },
      }),
      'state',
    ],
    [
      'the flat list of Nuxt',
      json('__NUXT_DATA__', [
        ['Reactive', 1],
        { data: 2 },
        { story: 3, more: 7 },
        { title: 4, paragraphs: 5, likes: 6 },
        TITLE,
        [8, 9, 10],
        12,
        [11],
        ...BODY,
        OTHER,
      ]),
      'state',
    ],
    [
      'the value assigned by Nuxt',
      `<script>window.__NUXT__={"data":[{"title":"${TITLE}","content":${JSON.stringify(HTML)}}],"error":null};var x={}</script>`,
      'state',
    ],
    [
      "the value in Nuxt's function",
      `<script>window.__NUXT__=(function(a,b){return {data:[{title:a,content:${JSON.stringify(HTML).replaceAll('<', '\\u003C')},n:b}]}}("${TITLE}",null));</script>`,
      'state',
    ],
    [
      'the articleBody in its metadata',
      `<script type="application/ld+json">${JSON.stringify({ '@type': 'WebPage', mainEntity: { '@type': 'Thing', articleBody: BODY.join('\n') } })}</script>`,
      'json-ld',
    ],
  ])('%s', (_name, script, from) => {
    const { text, textFrom } = extractArticle(`${HEAD}${SHELL}${script}`, 'https://lamp.example/mill')
    expect(text.split('\n\n')).toEqual(BODY)
    expect(textFrom).toBe(from)
  })

  test('nothing from its data if the page displays its text', () => {
    const state = json('__NEXT_DATA__', { post: { title: TITLE, body: `${HTML}<p>${OTHER.repeat(20)}</p>` } })
    const { text } = extractArticle(`${HEAD}<h1>${TITLE}</h1>${HTML}${state}`, 'https://lamp.example/mill')
    expect(text.split('\n\n')).toEqual(BODY)
  })

  test.each([
    ['deep', '['.repeat(200_000)],
    ['deep and closed', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
    ['an unterminated string', `{"title":"${TITLE}","body":"${'x'.repeat(100_000)}`],
    ['full of escapes', `"${'\\u00'.repeat(50_000)}"`],
    ['wide', `[${'{"body":"short"},'.repeat(50_000)}{}]`],
    ['of the wrong types', '{"title":7,"type":[],"nodeType":{},"body":null}'],
    ['with prototype keys', `{"__proto__":{"title":"${TITLE}"},"constructor":"${OTHER}"}`],
  ])('a result for such data: %s', (_name, data) => {
    for (const sign of ['__NEXT_DATA__', '__NUXT_DATA__']) {
      const html = `${HEAD}<meta name="description" content="${OTHER}"><script id="${sign}" type="application/json">${data}</script>`
      expect(extractArticle(html, 'https://lamp.example/mill').text).toBe(OTHER.trim())
    }
  })

  test('a result for data with circular references', () => {
    const html = `${HEAD}${json('__NUXT_DATA__', [{ title: 1, self: 0, body: 2 }, TITLE, [0, 3], OTHER.repeat(4)])}`
    expect(extractArticle(html, 'https://lamp.example/mill').text).toBe(OTHER.repeat(4).trim())
  })
})

describe('a dialog in front of a missing text is not the text:', () => {
  const description =
    'What nobody wanted for eleven years has found somebody who wants it. The wheel may turn again before'
  test.each([
    [
      'asks for consent',
      '<h2>We value your privacy</h2><p>We and our partners use cookies to store and read information on your device. You can accept all cookies or manage your preferences.</p>',
    ],
    [
      'asks for consent in German',
      '<h2>Mit Werbung weiterlesen</h2><p>Besuchen Sie uns wie gewohnt mit Werbung und Tracking, indem Sie der Nutzung aller Cookies zustimmen. Details finden Sie in den Datenschutzeinstellungen.</p>',
    ],
    [
      'asks for consent in French',
      '<p>Nous et nos partenaires utilisons des cookies pour mesurer notre audience. En cliquant sur Accepter, vous donnez votre accord.</p>',
    ],
    [
      'asks for a password',
      '<p>This content is password protected. To view it please enter your password below:</p><p>Password:</p>',
    ],
    [
      'asks for a password in German',
      '<p>Dieser Inhalt ist passwortgeschützt. Bitte gib unten das Passwort ein, um ihn anzeigen zu können.</p>',
    ],
    [
      'asks for a newer browser',
      '<h2>Your browser is out of date</h2><p>You are using an outdated browser. Please upgrade your browser to see this page as it is meant to be.</p>',
    ],
    [
      'asks for a newer browser in Spanish',
      '<p>Su navegador está obsoleto. Para ver esta página tiene que instalar otro más moderno o habilitar JavaScript.</p>',
    ],
  ])('one that %s', (_name, dialog) => {
    const html = `${HEAD}<meta name="description" content="${description}"><main><h1>${TITLE}</h1><div class="entry-content">${dialog}</div></main>`
    const { text, textFrom } = extractArticle(html, 'https://lamp.example/mill')
    expect([text, textFrom]).toEqual([description, 'meta'])
  })

  test('but a short post about one is', () => {
    const post =
      'My browser is out of date, says my daughter, and so am I. We had tea about it, and then we fed the ducks by the weir until it rained.'
    const html = `${HEAD}<meta name="description" content="My browser is out of date, says my daughter"><h1>${TITLE}</h1><p>${post}</p>`
    expect(extractArticle(html, 'https://lamp.example/mill').text).toBe(post)
  })
})

function json(id: string, data: unknown): string {
  return `<script id="${id}" type="application/json">${JSON.stringify(data)}</script>`
}
