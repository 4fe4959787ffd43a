import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { packPage, packText, unpackPage } from './packing.ts'

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

test('what the pattern has, or the text of the article, is not kept twice', async () => {
  const packed = await packPage(page, { pattern, text })
  expect(unpackPage(packed, () => ({ pattern, text }))).toEqual(page)
  expect(packed.packed.length).toBeLessThan(300)
  expect((await packPage(page, { pattern, text: Buffer.alloc(0) })).packed.length).toBeGreaterThan(2_000)
})

test('pages of earlier versions, packed against a pattern alone, are still read', () => {
  const packed = zstdCompressSync(page, { dictionary: pattern })
  expect(unpackPage({ codec: 2, packed }, () => ({ pattern, text }))).toEqual(page)
})

test('texts come back as they were, and a codec of the future is refused with a hint', async () => {
  const words = 'Überall Gänse. '.repeat(40)
  expect(unpackPage(await packText(words)).toString()).toBe(words)
  expect(unpackPage(await packText('short')).toString()).toBe('short')
  expect(() => unpackPage({ codec: 99, packed: page })).toThrow(/unknown codec 99/)
})

test('the longer a text, the cheaper it is packed, and by other threads: others get their turns meanwhile', async () => {
  const [book, usual] = [noise(4, 2_000_000).toString(), 'Geese at the weir, and what they say. '.repeat(400)]
  let turns = 0
  const turn = setInterval(() => turns++, 1)
  const packed = await packText(book)
  clearInterval(turn)
  expect(turns).toBeGreaterThan(3)
  expect(unpackPage(packed).toString() === book).toBe(true)
  expect([packed.codec, (await packText(usual)).codec]).toEqual([1, 3])
})
