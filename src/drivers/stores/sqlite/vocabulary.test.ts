/** Texts come back as they were, whatever they are; and bytes that are none of ours harm nobody. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Bytes, createLearner, createWordList, type WordList } from './vocabulary.ts'

const TEXTS = [
  'The tide comes in, and the goose goes out.',
  '<p>The tide &amp; the <b>moon</b> &#8230; <a href="https://a.example/2026/11/the-tide/">more</a></p>',
  'Die Flut kommt, Gänse gehen – «ganz» sicher. ПРИВЕТ, мир. 潮が満ちる 😀😀',
]

function learnt(texts: string[]): WordList {
  const learner = createLearner()
  for (const text of [...texts, ...texts]) learner.add(text)
  return createWordList(learner.tokens())
}

function written(vocabulary: WordList, text: string, known?: string): Bytes {
  const to = { bytes: Buffer.alloc(2), at: 0 }
  vocabulary.write(text, to, known)
  return { bytes: to.bytes.subarray(0, to.at), at: 0 }
}

const vocabularies = [createWordList([]), learnt(TEXTS), learnt(Array.from({ length: 30_000 }, (_, i) => `w${i}`))]

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc
    .array(
      fc.constantFrom(...TEXTS.join(' ').split(/\b/), ' ', '  ', 'The', 'THE', 'tIde', 'w7', 'w29999', '<', '&', '\0'),
      {
        maxLength: 40,
      },
    )
    .map((parts) => parts.join('')),
  fc.string({ minLength: 190, maxLength: 900 }).map((text) => text.replace(/[^a-zä]/g, 'ä')),
)

it('reads what it wrote, with what both know and without', () => {
  fc.assert(
    fc.property(anyText, anyText, fc.constantFrom(...vocabularies), (text, known, vocabulary) => {
      expect(vocabulary.read(written(vocabulary, text))).toBe(text)
      const whole = `${text}${known}${text}`
      expect(vocabulary.read(written(vocabulary, whole, known), Buffer.from(known))).toBe(whole)
    }),
    { numRuns: 2000 },
  )
})

it('reads several texts one after the other', () => {
  const to = { bytes: Buffer.alloc(0), at: 0 }
  for (const text of [...TEXTS, '', 'x']) vocabularies[1]!.write(text, to)
  const from = { bytes: to.bytes.subarray(0, to.at), at: 0 }
  expect([...TEXTS, '', 'x'].map(() => vocabularies[1]!.read(from))).toEqual([...TEXTS, '', 'x'])
  expect(from.at).toBe(from.bytes.length)
})

it('comes to an end with any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.constantFrom(...vocabularies), (bytes, vocabulary) => {
      const from = { bytes: Buffer.from(bytes), at: 0 }
      for (let i = 0; i < 5; i++) expect(vocabulary.read(from, Buffer.from('known')).length).toBeLessThan(60 * 201)
    }),
    { numRuns: 2000 },
  )
})

it('writes words that it knows as one byte or two, also with a capital, and no space between them', () => {
  const vocabulary = createWordList(['tide', 'moon', ...Array.from({ length: 300 }, (_, i) => `word${i}`)])
  expect(written(vocabulary, 'tide moon tide').bytes.length).toBe(4)
  expect(written(vocabulary, 'Tide word299').bytes.length).toBe(2 + 2 + 1)
  const url = 'https://a.example/tide-moon/'
  expect(written(vocabulary, url, 'tide-moon').bytes.length).toBe(written(vocabulary, url).bytes.length - 4)
})
