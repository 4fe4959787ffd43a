/** Rows go together only if they lie together, and never more than a machine is willing to take at once. */
import { expect, it } from 'vitest'
import { inBatches } from './batches.ts'
import { DROP_BY_HOUR, FILE_CARD, KEEP_HOUR, KEEP_PART } from './schema.ts'

it('knows by each statement which rows lie in one partition', () => {
  const hour = (hour: bigint, shard: number, name: string) => [hour, shard, name, '{}', 1n, 1n, 0]
  const rows = [hour(1n, 1, 'a'), hour(1n, 2, 'b'), hour(1n, 1, 'c'), hour(2n, 1, 'd')]
  expect(inBatches(KEEP_HOUR, rows)).toEqual([[rows[0], rows[2]], [rows[1]], [rows[3]]])
  const gone = [
    [9n, 1, 2, 3, 4n, 5n],
    [8n, 1, 2, 3, 4n, 6n],
    [9n, 1, 2, 0, 4n, 5n],
  ]
  expect(inBatches(DROP_BY_HOUR, gone)).toEqual([[gone[0], gone[1]], [gone[2]]])
})

it('puts no more than 64 rows, or 32 kB, together, and loses none', () => {
  const cards = Array.from({ length: 200 }, (_, i) => [1n, BigInt(i), 'card', 1n, 0])
  expect(inBatches(FILE_CARD, cards).map((batch) => batch.length)).toEqual([64, 64, 64, 8])
  expect(inBatches(FILE_CARD, cards).flat()).toEqual(cards)
  const parts = Array.from({ length: 5 }, (_, part) => ['name', part, 5, Buffer.alloc(15_000), 1n, 0])
  expect(inBatches(KEEP_PART, parts).map((batch) => batch.length)).toEqual([2, 2, 1])
  const large = [['name', 0, 1, Buffer.alloc(64 * 1024), 1n, 0]]
  expect(inBatches(KEEP_PART, large)).toEqual([large])
  expect(inBatches(KEEP_PART, [])).toEqual([])
})
