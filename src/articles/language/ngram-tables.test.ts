import { expect, test } from 'vitest'
import { readLanguageTables } from '../../languages/index.ts'
import { BEGINS, ENDS, readNgramTables } from './ngram-tables.ts'

const tables = await readLanguageTables()
const THE = 0x746865

test('scores "the" as English, and unknown n-grams as nothing', () => {
  const ngrams = readNgramTables(tables)
  const scores = new Float64Array(ngrams.languages.length)
  const slot = ngrams.find(THE, BEGINS | ENDS)
  expect(slot).toBeLessThan(ngrams.known)
  ngrams.add(slot, scores)
  expect(ngrams.languages[scores.indexOf(Math.max(...scores))]).toBe('en')
  const unknown = ngrams.find(0x717a787a, 0)
  expect(unknown).toBeGreaterThanOrEqual(ngrams.known)
  expect(unknown).toBeLessThan(ngrams.slots)
})

test('keeps no copy of the tables', () => {
  const ownTables = Uint8Array.from(tables)
  const ngrams = readNgramTables(ownTables)
  ownTables.fill(0)
  expect(ngrams.find(THE, BEGINS | ENDS)).toBeGreaterThanOrEqual(ngrams.known)
})

test.each([1, 2, 3, 4])('reads tables at offset %i of their buffer', (offset) => {
  const askew = new Uint8Array(tables.length + offset).subarray(offset)
  askew.set(tables)
  const [aligned, unaligned] = [readNgramTables(tables), readNgramTables(askew)]
  expect(unaligned.languages).toEqual(aligned.languages)
  for (const edges of [0, BEGINS, ENDS, BEGINS | ENDS])
    expect(unaligned.find(THE, edges)).toBe(aligned.find(THE, edges))
})

test.each([0, 3, 15, 16, 1000, 600_000])('rejects tables truncated to %i bytes', (length) => {
  expect(() => readNgramTables(tables.subarray(0, length))).toThrow('language tables')
})

test('rejects tables of the wrong length, and other files', () => {
  expect(() => readNgramTables(tables.subarray(0, -1))).toThrow('damaged')
  expect(() => readNgramTables(Buffer.concat([tables, Buffer.alloc(1)]))).toThrow('damaged')
  expect(() => readNgramTables(Buffer.alloc(tables.length, 'geese'))).toThrow('Not language tables')
})
