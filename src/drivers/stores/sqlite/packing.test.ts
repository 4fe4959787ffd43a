import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { packPage, packText, unpack } from './packing.ts'

/** Nothing that packs by itself. */
const noise = (seed: number, length: number) => {
  let state = seed
  const next = () => {
    state = (state * 48271) % 2147483647
    return 97 + (state % 26)
  }
  return Buffer.from(Array.from({ length }, next))
}

const pattern = noise(1, 20_000)
const text = noise(2, 5_000)
const page = Buffer.concat([pattern.subarray(0, 12_000), text, pattern.subarray(12_000), noise(3, 100)])

test('what the pattern has, or the text of the article, is not kept twice', () => {
  const packed = packPage(page, { pattern, text })
  expect(unpack(packed, () => ({ pattern, text }))).toEqual(page)
  expect(packed.packed.length).toBeLessThan(300)
  expect(packPage(page, { pattern, text: Buffer.alloc(0) }).packed.length).toBeGreaterThan(2_000)
})

test('pages of earlier versions, packed against a pattern alone, are still read', () => {
  const packed = zstdCompressSync(page, { dictionary: pattern })
  expect(unpack({ codec: 2, packed }, () => ({ pattern, text }))).toEqual(page)
})

test('texts come back as they were, and a codec of the future is refused with a hint', () => {
  const words = 'Überall Gänse. '.repeat(40)
  expect(unpack(packText(words)).toString()).toBe(words)
  expect(unpack(packText('short')).toString()).toBe('short')
  expect(() => unpack({ codec: 99, packed: page })).toThrow(/unknown codec 99/)
})
