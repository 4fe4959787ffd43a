import { describe, expect, test } from 'vitest'
import { boilerplateOfFeed, commonBoilerplate } from './feed-boilerplate.ts'
import { shownWithout } from './strip-boilerplate.ts'

const LETTER = 'Sign up for our free letter and get the news of Port Else every morning.'
const NEWS: [title: string, text: string][] = [
  ['Ferry strike ends after nine days', 'Crews return to their boats on Monday.'],
  ['Goose found among loaves', 'A bakery in Varnby has a new guest.'],
  ['Museum buys forged landscape', 'Experts noticed the wrong shade of green.'],
  ['Drought empties northern reservoirs', 'Farmers sell their cattle early.'],
  ['Chess champion resigns quickly', 'Twelve moves were enough for the challenger.'],
]
const [TITLE, OWN] = NEWS[0]!

function learnt(put: (title: string, text: string) => { title: string; text: string }, feeds = 1) {
  const shown = NEWS.map(([title, text], i) => ({ id: i + 1, at: i, feedId: (i % feeds) + 1, ...put(title, text) }))
  return shown
}

const ofFeed = boilerplateOfFeed(
  undefined,
  learnt((title, text) => ({
    title: `${title} - Port-Else.Net`,
    text: `${text}\n${LETTER}\nThe post ${title} - Port-Else.Net appeared first on Port Else Post.`,
  })),
).memory

describe('displayed entries', () => {
  const { title, text, html } = shownWithout(undefined)(ofFeed)
  const headline = `${TITLE} - Port-Else.Net`

  test('have the title without the publisher that most titles name', () => {
    expect(title(headline)).toBe(TITLE)
    expect(title(TITLE)).toBe(TITLE)
    expect(title('Photos - Port-Else.Net')).toBe('Photos - Port-Else.Net') // it would say next to nothing
    expect(shownWithout(undefined)(undefined).title(headline)).toBe(headline)
  })

  test.each([
    ['a paragraph', `<p>${OWN}</p><p>${LETTER}</p>`, `<p>${OWN}</p>`],
    ['a line', `${OWN}<br>${LETTER}`, `${OWN}<br>`],
    ['a sentence among plain words', `${OWN} ${LETTER}`, OWN],
    ['escaped words', `5 &lt; 6 boats &amp; crews return. ${LETTER}`, '5 &lt; 6 boats &amp; crews return.'],
    [
      'what repeats the headline and has links',
      `<p>${OWN}</p>\n<p>The post <a href="/a">${headline}</a> appeared first on <a href="/">Port Else Post</a>.</p>`,
      `<p>${OWN}</p>`,
    ],
    ['a list of nothing else', `<p>${OWN}</p><ul><li>${LETTER}</li></ul>`, `<p>${OWN}</p>`],
    ['all that a summary says', `<p>${LETTER}</p>`, ''],
  ])('leaves out %s', (_, whole, shown) => {
    expect(html({ title: headline, html: whole })).toBe(shown)
  })

  test.each([
    ["an entry's own words", `<p>${OWN}</p><p>Sign up for the ferry on Monday.</p>`],
    ['a picture', `<p><img src="/a.png">${LETTER}</p>`],
    ['a line with links that says something else, too', `<p>${OWN} <a href="/letter">${LETTER}</a></p>`],
    ['nothing', ''],
  ])('keeps %s as it is', (_, whole) => {
    expect(html({ title: headline, html: whole })).toBe(whole)
  })

  test('omit boilerplate of many feeds, in plain text too', () => {
    const ofAll = commonBoilerplate(
      undefined,
      learnt((title, text) => ({ title, text: `${text} ${LETTER}` }), 5),
    ).memory
    const of = shownWithout(ofAll)(undefined)
    expect(of.text({ title: TITLE, text: `${OWN} ${LETTER}` })).toBe(OWN)
    expect(text({ title: headline, text: `${OWN} ${LETTER}` })).toBe(OWN)
    expect(of.html({ title: TITLE, html: `<p>${OWN}</p><p>${LETTER}</p>` })).toBe(`<p>${OWN}</p>`)
  })
})
