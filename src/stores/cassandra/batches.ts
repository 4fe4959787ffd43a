/**
 * Batches rows by partition: a host applies the rows of one partition in one step, with one entry of its commit log. Batches are bounded by
 * rows and bytes, so that no row waits long for another and no batch exceeds what a host accepts.
 */
import type { RowChange } from './schema.ts'

const MAX_ROWS = 64
const MAX_BYTES = 32 * 1024

type Values = readonly unknown[]

/** Batches in the order in which their partitions first occur. */
export function batchByPartition({ key: [from, to] }: RowChange, rows: readonly Values[]): Values[][] {
  const batches: Values[][] = []
  const open = new Map<string, { batch: Values[]; bytes: number }>()
  for (const values of rows) {
    const name = values.slice(from, to).join('\n')
    const bytes = sizeOf(values)
    const openBatch = open.get(name)
    if (openBatch && openBatch.batch.length < MAX_ROWS && openBatch.bytes + bytes <= MAX_BYTES) {
      openBatch.batch.push(values)
      openBatch.bytes += bytes
    } else {
      const batch = [values]
      batches.push(batch)
      open.set(name, { batch, bytes })
    }
  }
  return batches
}

function sizeOf(values: Values): number {
  let bytes = 0
  for (const value of values) bytes += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
  return bytes
}
