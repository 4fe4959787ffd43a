/** Short, repeated or unusual parts that belong to a text, and parts inside it that do not. */
import { describe, expect, test } from 'vitest'
import { extractArticle } from '../index.ts'

const paragraph = (word: string) =>
  `<p>${`The ${word} turned all night, and the miller counted every sack that came down. `.repeat(3).trim()}</p>`
const linesOf = (middle: string, head = '') => {
  const html = `${head}<h1>Mill sold at last</h1><div class="body">${paragraph('wheel')}${middle}${paragraph('stone')}</div>`
  const { text } = extractArticle(html, 'https://lamp.example/a')
  return text.split(/\n+/).filter((line) => !/^The (?:wheel|stone) turned/.test(line))
}

describe('a repeated paragraph', () => {
  const refrain = 'O the mill goes round and round, and the water runs below,'
  const verse = (word: string) => `And ${word} went down to see the weir, where willows used to grow.`

  test('next to the first is a refrain', () => {
    const song = ['Ada', 'Jo', 'Kit', 'Lu'].map((name) => `<p>${verse(name)}</p><p>${refrain}</p>`).join('')
    expect(linesOf(song).filter((line) => line === refrain)).toHaveLength(4)
  })

  test('in a box like that of the first is one, too', () => {
    const stanza = (name: string) => `<div class="stanza"><p>${verse(name)}</p><p>${refrain}</p></div>`
    expect(linesOf(stanza('Ada') + stanza('Jo')).filter((line) => line === refrain)).toHaveLength(2)
  })

  test('on a separate line after two breaks is one, too', () => {
    const song = `<p>${verse('Ada')}<br><br>${refrain}<br><br>${verse('Jo')}<br><br>${refrain}</p>`
    expect(linesOf(song).filter((line) => line === refrain)).toHaveLength(2)
  })

  test('for another screen size, or as a pull quote, is not one', () => {
    const twice = `<div class="desktop"><p>${refrain}</p></div><div class="mobile"><p>${refrain}</p></div>`
    expect(linesOf(twice)).toEqual([refrain])
    expect(linesOf(`<p>${refrain}</p><blockquote class="pull">${refrain}</blockquote>`)).toEqual([refrain])
  })
})

test('keeps headings of steps followed by pictures only', () => {
  const step = (n: number, what: string) => `<h3>Step ${n}: ${what}</h3><img src="/${n}.jpg">`
  const steps = step(1, 'Open the sluice') + step(2, 'Wait') + step(3, 'Close it')
  expect(linesOf(steps)).toEqual(['Step 1: Open the sluice', 'Step 2: Wait', 'Step 3: Close it'])
  const others = '<h3>Open the sluice</h3><h3>Wait for the wheel</h3><p>It takes an hour until the water is there.</p>'
  expect(linesOf(others)).not.toContain('Open the sluice')
})

test('keeps items of show notes, external links or timestamps', () => {
  const notes =
    '<p>In this episode:</p><ul><li>00:15 Why mills stop</li><li>12:40 How to mend a wheel</li><li>31:02 Your letters</li></ul>' +
    '<ul><li><a href="https://weirs.example/book">The Book of Weirs</a></li><li><a href="https://sluice.example/">Sluices of the North</a></li><li><a href="https://stones.example/">Millstones, a history</a></li></ul>'
  expect(linesOf(notes)).toEqual([
    'In this episode:',
    '00:15 Why mills stop',
    '12:40 How to mend a wheel',
    '31:02 Your letters',
    'The Book of Weirs',
    'Sluices of the North',
    'Millstones, a history',
  ])
})

test('reads a story told in long captions', () => {
  const names = ['north', 'south', 'east', 'west', 'upper', 'lower']
  const caption = (name: string) =>
    `The ${name} mill was built of stone from the old bridge, and its wheel was the largest of the valley for a hundred years.`
  const slides = names.map(
    (name) => `<figure><img src="/${name}.jpg"><figcaption>${caption(name)}</figcaption></figure>`,
  )
  const html = `<h1>Six mills</h1><div><p>These are the mills of the valley, as they stood before the flood.</p>${slides.join('')}</div>`
  const { text } = extractArticle(html, 'https://lamp.example/a')
  for (const name of names) expect(text).toContain(caption(name))
  expect(linesOf(slides[0]!)).toEqual([])
})

describe('formulas', () => {
  const tex = '<annotation encoding="application/x-tex">{\\displaystyle v=2}</annotation>'
  const signs = '<mi>v</mi><mo>=</mo><mn>2</mn>'

  test.each([
    ['in MathML', `<math>${signs}</math>`, 'v = 2'],
    ['in MathML with TeX', `<math><semantics>${signs}${tex}</semantics></math>`, 'v=2'],
    ['with an alternative text', `<math alttext="v=2">${signs}</math>`, 'v=2'],
    [
      'hidden in favor of a picture',
      `<span style="display:none"><math>${signs}${tex}</math></span><img src="/v.svg">`,
      'v=2',
    ],
    [
      'with a visual copy',
      `<span><math>${signs}${tex}</math></span><span class="katex-html" aria-hidden="true">v=2</span>`,
      'v=2',
    ],
    ['in a script', '<script type="math/tex">v=2</script>', 'v=2'],
  ])('%s', (_name, formula, text) => {
    const [before, behind] = ['Where the weir is old,', 'is what the water runs at.']
    expect(linesOf(`<p>${before} ${formula} ${behind}</p>`)).toEqual([`${before} ${text} ${behind}`])
  })

  test('on a separate line', () => {
    expect(linesOf(`<div><math display="block">${signs}</math></div>`)).toEqual(['v = 2'])
    expect(linesOf(`<dl><dd><math>${signs}</math> (1)</dd></dl>`)).toEqual(['v = 2 (1)'])
  })
})

test('a stream of teasers after a short article is not the article', () => {
  const teaser = (_: unknown, i: number) =>
    `<div class="item"><h2><a href="/news/${i}">Another thing happened, number ${i}</a></h2><p>${`It was seen by number ${i} of the valley, who told the lamp about it. `.repeat(4)}</p></div>`
  const head = `<meta property="og:type" content="article"><script type="application/ld+json">{"@type":"NewsArticle","headline":"Mill sold at last"}</script>`
  const html = `${head}<h1>Mill sold at last</h1><div>${paragraph('wheel')}</div><div>${Array.from({ length: 12 }, teaser).join('')}</div>`
  const { text } = extractArticle(html, 'https://lamp.example/a')
  expect(text).toMatch(/^The wheel turned[^\n]*$/)
})

test.each([
  'Sign up for our weekly newsletter to read more about mills.',
  'Get the best of the valley delivered straight to your inbox every morning.',
  'Enter your email address to follow this story.',
  'By signing up, you agree to our terms of use and our privacy policy.',
  'Already a subscriber? Log in.',
  'Subscribe to continue reading this story of the valley.',
  'We and our 180 partners store and access information on a device.',
  'Share this article on the network of your choice',
  'Melden Sie sich hier für unseren Newsletter an, er kommt jeden Morgen.',
  'Mit der Anmeldung stimmen Sie unseren Bedingungen zu.',
  'Abonnez-vous à notre newsletter pour tout savoir des moulins.',
  'Suscríbete a nuestro boletín para saberlo todo.',
])('drops an invitation: %s', (line) => expect(linesOf(`<p>${line}</p>`)).toEqual([]))

test('keeps a text about newsletters', () => {
  const line =
    'The miller wrote a newsletter that came by email, and four thousand people subscribed to it within a year.'
  expect(linesOf(`<p>${line}</p>`)).toEqual([line])
})
