import { expect, it } from 'vitest'
import { createPollTexts } from './poll-texts.ts'

const LEAD = 'The council voted on Monday to build a tram line.'
/** Starts with so much markup that its beginning contains no text. */
const HTML = `<img src="x" alt="${'y'.repeat(5_000)}"><p>${LEAD}</p>`

it('reuses a sampled text for its beginning', () => {
  const texts = createPollTexts()
  expect(texts.beginning(HTML, 2_000)).toBe('')
  expect(texts.fullTextSample(HTML)).toBe(LEAD)
  expect(texts.beginning(HTML, 2_000)).toBe(LEAD)
  expect(texts.beginning(HTML, 11)).toBe('The council')
})

it('extracts only the beginning of a text that was not sampled', () => {
  const { beginning } = createPollTexts()
  expect(beginning(`<p>${LEAD}</p>`.repeat(100), 50)).toBe(`${LEAD}\n`)
})
