import { expect, test } from 'vitest'
import { indexWordsOf } from './index-words.ts'
import { minhash, NO_KEY } from './minhash.ts'
import { signature } from './signature.ts'

const HEADLINES = [
  'Ferry strike ends after nine days',
  'Back to sea',
  'Passengers of the northern islands may board again from tomorrow, the company, the union and the harbour office of Port Else say in the evening',
]

const keysOf = (title: string, text: string) => minhash(indexWordsOf(signature({ title, text })))
const shared = (a: Uint32Array, b: Uint32Array) => a.filter((key, i) => key !== NO_KEY && key === b[i]).length

test.each([
  ['a long text', Array.from({ length: 60 }, (_, i) => `word${i * 7}end`).join(' ')],
  ['eight words', 'Crews return to work on all the boats'],
  ['figures and fillers', '12 to 14 and 9 to 11 at 3 as of 5'],
])('%s shares a key with itself, whatever the headlines', (_, text) => {
  for (const one of HEADLINES)
    for (const other of HEADLINES) expect(shared(keysOf(one, text), keysOf(other, text))).toBeGreaterThan(0)
})

test('an item without text is matched to one with text by the title', () => {
  const headline = HEADLINES[0]!
  const keys = keysOf(headline, 'Boats of the northern line leave Port Else again on Monday, the union says')
  expect(shared(keysOf(headline, ''), keys)).toBeGreaterThan(0)
})
