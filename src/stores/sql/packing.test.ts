import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { packPage, packText, unpackPage } from './packing.ts'

/** Incompressible bytes. */
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

test('compresses a page against the pattern and the text of its article', async () => {
  const packed = await packPage(page, { pattern, text })
  expect(unpackPage(packed, () => ({ pattern, text }))).toEqual(page)
  expect(packed.packed.length).toBeLessThan(300)
  expect((await packPage(page, { pattern, text: Buffer.alloc(0) })).packed.length).toBeGreaterThan(2_000)
})

test('reads pages of earlier versions, packed against a pattern only', () => {
  const packed = zstdCompressSync(page, { dictionary: pattern })
  expect(unpackPage({ codec: 2, packed }, () => ({ pattern, text }))).toEqual(page)
})

test('unpacks texts unchanged and rejects an unknown codec with a hint', async () => {
  const words = 'Überall Gänse. '.repeat(40)
  expect(unpackPage(await packText(words)).toString()).toBe(words)
  expect(unpackPage(await packText('short')).toString()).toBe('short')
  expect(() => unpackPage({ codec: 99, packed: page })).toThrow(/unknown codec 99/)
})

test('compresses long texts in other threads with a faster codec, without blocking the event loop', async () => {
  const [book, usual] = [noise(4, 2_000_000).toString(), 'Geese at the weir, and what they say. '.repeat(400)]
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const packed = await packText(book)
  clearInterval(timer)
  expect(turns).toBeGreaterThan(3)
  expect(unpackPage(packed).toString() === book).toBe(true)
  expect([packed.codec, (await packText(usual)).codec]).toEqual([1, 3])
})
