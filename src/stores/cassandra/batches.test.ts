/** Batches hold rows of one partition, and stay below the size that a host accepts. */
import { expect, it } from 'vitest'
import { batchByPartition } from './batches.ts'
import { DELETE_ENTRY_BY_HOUR, INSERT_ENTRY, INSERT_TEXT_HOUR, INSERT_TEXT_PART } from './schema.ts'

it('groups the rows of each statement by partition', () => {
  const hour = (hour: bigint, shard: number, name: string) => [hour, shard, name, '{}', 1n, 1n, 0]
  const rows = [hour(1n, 1, 'a'), hour(1n, 2, 'b'), hour(1n, 1, 'c'), hour(2n, 1, 'd')]
  expect(batchByPartition(INSERT_TEXT_HOUR, rows)).toEqual([[rows[0], rows[2]], [rows[1]], [rows[3]]])
  const gone = [
    [9n, 1, 2, 3, 4n, 5n],
    [8n, 1, 2, 3, 4n, 6n],
    [9n, 1, 2, 0, 4n, 5n],
  ]
  expect(batchByPartition(DELETE_ENTRY_BY_HOUR, gone)).toEqual([[gone[0], gone[1]], [gone[2]]])
})

it('limits batches to 64 rows or 32 kB, and loses no row', () => {
  const records = Array.from({ length: 200 }, (_, i) => [1n, BigInt(i), 'card', 1n, 0])
  expect(batchByPartition(INSERT_ENTRY, records).map((batch) => batch.length)).toEqual([64, 64, 64, 8])
  expect(batchByPartition(INSERT_ENTRY, records).flat()).toEqual(records)
  const parts = Array.from({ length: 5 }, (_, part) => ['name', part, 5, Buffer.alloc(15_000), 1n, 0])
  expect(batchByPartition(INSERT_TEXT_PART, parts).map((batch) => batch.length)).toEqual([2, 2, 1])
  const large = [['name', 0, 1, Buffer.alloc(64 * 1024), 1n, 0]]
  expect(batchByPartition(INSERT_TEXT_PART, large)).toEqual([large])
  expect(batchByPartition(INSERT_TEXT_PART, [])).toEqual([])
})
