import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  distance,
  packSignature,
  plainSignature,
  SIGNATURE_VERSION,
  signature,
  simhash,
  unpackSignature,
} from '../index.ts'
import { indexWordsOf } from './index-words.ts'

const TRAM = {
  title: 'Council approves new tram line to the harbour',
  summary: 'After nine hours of debate the council approved the line, which is to open within three years.',
}

describe('SimHash', () => {
  test('gives the same hash for the same words in any order', () => {
    expect(simhash(['a', 'b', 'c'])).toBe(simhash(['c', 'a', 'b']))
  })

  test('has distances between 0 and 64 that are symmetric', () => {
    expect(distance(0n, 0xffffffffffffffffn)).toBe(64)
    const hash = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
    fc.assert(
      fc.property(hash, hash, hash, (a, b, c) => {
        expect(distance(a, b)).toBe(distance(b, a))
        expect(distance(a, a)).toBe(0)
        expect(distance(a, c)).toBeLessThanOrEqual(distance(a, b) + distance(b, c))
      }),
    )
  })

  test('moves a little for a small edit and far for another text', () => {
    const edited = { ...TRAM, summary: TRAM.summary.replace('nine', 'ten') }
    const other = { title: 'Goose found in bakery', summary: 'Nobody knows how the bird came in; it liked rye best.' }
    expect(distance(signature(TRAM).simhash, signature(edited).simhash)).toBeLessThan(12)
    expect(distance(signature(TRAM).simhash, signature(other).simhash)).toBeGreaterThan(18)
  })
})

describe('signature', () => {
  test('ignores case, markup, agency and source', () => {
    const dressed = {
      title: 'COUNCIL APPROVES NEW TRAM LINE TO THE HARBOUR - Harbour Post',
      summary: `<p>PORT ELSE (AP) - ${TRAM.summary}</p>`,
    }
    expect(signature(dressed)).toEqual(signature(TRAM))
  })

  test('distinguishes all numbers of a series', () => {
    for (const from of [0, 4000, 120_000, 7_654_321]) {
      const words = Array.from(
        { length: 3000 },
        (_, i) => indexWordsOf(signature({ title: `Build ${from + i}` })).words[1],
      )
      expect(new Set(words).size).toBe(3000)
    }
  })

  test('is small and defined for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (title, summary) => {
        expect(packSignature(signature({ title, summary })).length).toBeLessThanOrEqual(143)
      }),
    )
  })

  test('keeps a summary near the full text, however long the text is', () => {
    const more = 'Much was said in the hall that evening, and not all of it politely, until somebody brought tea.'
    const whole = { ...TRAM, summary: `${TRAM.summary} ${more.repeat(99)}` }
    expect(distance(signature(TRAM).simhash, signature(whole).simhash)).toBeLessThan(20)
  })

  test('reads only the beginning of a megabyte', () => {
    const long = 'the council of the harbour town met again on the matter of the tram line '.repeat(14_000)
    expect(signature({ title: 'Tram', summary: long })).toEqual(
      signature({ title: 'Tram', summary: long.slice(0, 20_000) }),
    )
  })
})

describe('an encoded signature', () => {
  test('survives a round trip', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.lorem({ maxCount: 60 }), (title, summary) => {
        const signed = signature({ title, summary })
        expect(unpackSignature(packSignature(signed))).toEqual(signed)
        expect(unpackSignature(packSignature(plainSignature({ title, summary })))?.plain).toBe(true)
      }),
    )
  })

  test('contains whether there was a title', () => {
    expect(unpackSignature(packSignature(signature({ title: '', text: TRAM.summary })))?.untitled).toBe(true)
    expect(unpackSignature(packSignature(signature(TRAM)))?.untitled).toBeUndefined()
  })

  test('can be read from within a larger buffer', () => {
    const packed = packSignature(signature(TRAM))
    const page = new Uint8Array(packed.length + 7)
    page.set(packed, 7)
    expect(unpackSignature(page.subarray(7))).toEqual(signature(TRAM))
  })

  test('is rejected if it is not ours or of another version', () => {
    const packed = packSignature(signature(TRAM))
    expect(unpackSignature(new Uint8Array())).toBeUndefined()
    expect(unpackSignature(packed.subarray(0, -1))).toBeUndefined()
    expect(
      unpackSignature(Uint8Array.from(packed, (byte, i) => (i === 0 ? SIGNATURE_VERSION + 1 : byte))),
    ).toBeUndefined()
    expect(unpackSignature(Uint8Array.from(packed, (byte, i) => (i === 1 ? 31 : byte)))).toBeUndefined()
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void unpackSignature(bytes)))
  })
})
