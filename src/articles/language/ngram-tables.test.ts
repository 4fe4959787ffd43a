import { expect, test } from 'vitest'
import { readLanguageTables } from '../../languages/index.ts'
import { BEGINS, ENDS, readNgramTables } from './ngram-tables.ts'

const tables = await readLanguageTables()
const THE = 0x746865

test('knows "the" as an English word, and says nothing for a piece of no language', () => {
  const pieces = readNgramTables(tables)
  const scores = new Float64Array(pieces.languages.length)
  const place = pieces.find(THE, BEGINS | ENDS)
  expect(place).toBeLessThan(pieces.known)
  pieces.add(place, scores)
  expect(pieces.languages[scores.indexOf(Math.max(...scores))]).toBe('en')
  const strange = pieces.find(0x717a787a, 0)
  expect(strange).toBeGreaterThanOrEqual(pieces.known)
  expect(strange).toBeLessThan(pieces.places)
})

test('keeps no copy of the tables', () => {
  const own = Uint8Array.from(tables)
  const pieces = readNgramTables(own)
  own.fill(0)
  expect(pieces.find(THE, BEGINS | ENDS)).toBeGreaterThanOrEqual(pieces.known)
})

test.each([1, 2, 3, 4])('reads tables that lie %i bytes behind the start of their buffer', (offset) => {
  const askew = new Uint8Array(tables.length + offset).subarray(offset)
  askew.set(tables)
  const [own, others] = [readNgramTables(tables), readNgramTables(askew)]
  expect(others.languages).toEqual(own.languages)
  for (const edges of [0, BEGINS, ENDS, BEGINS | ENDS]) expect(others.find(THE, edges)).toBe(own.find(THE, edges))
})

test.each([0, 3, 15, 16, 1000, 600_000])('refuses tables of which only %i bytes are there', (length) => {
  expect(() => readNgramTables(tables.subarray(0, length))).toThrow('language tables')
})

test('refuses what is cut by one byte, is longer than it says, or is something else', () => {
  expect(() => readNgramTables(tables.subarray(0, -1))).toThrow('damaged')
  expect(() => readNgramTables(Buffer.concat([tables, Buffer.alloc(1)]))).toThrow('damaged')
  expect(() => readNgramTables(Buffer.alloc(tables.length, 'geese'))).toThrow('no language tables')
})
