import { expect, it } from 'vitest'
import { createPollTexts } from './poll-texts.ts'

const LEAD = 'The council voted on Monday to build a tram line.'
/** So much markup in front that its beginning has no text at all. */
const HTML = `<img src="x" alt="${'y'.repeat(5_000)}"><p>${LEAD}</p>`

it('a text that was judged is not made again for its beginning', () => {
  const texts = createPollTexts()
  expect(texts.beginning(HTML, 2_000)).toBe('')
  expect(texts.judged(HTML)).toBe(LEAD)
  expect(texts.beginning(HTML, 2_000)).toBe(LEAD)
  expect(texts.beginning(HTML, 11)).toBe('The council')
})

it('of a text that nobody judged the beginning is made, and no more', () => {
  const { beginning } = createPollTexts()
  expect(beginning(`<p>${LEAD}</p>`.repeat(100), 50)).toBe(`${LEAD}\n`)
})
