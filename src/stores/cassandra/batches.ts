/**
 * Rows of one partition go together, as one change: the machine that has it takes them in one step, with one line of its log. How many do is bounded, by rows and
 * by bytes, so that none waits long for another, and no machine is given more at once than it is willing to take.
 */
import type { RowChange } from './schema.ts'

const MOST_ROWS = 64
const MOST_BYTES = 32 * 1024

type Values = readonly unknown[]

/** In the order in which each partition first comes. */
export function inBatches({ key: [from, to] }: RowChange, rows: readonly Values[]): Values[][] {
  const batches: Values[][] = []
  const open = new Map<string, { batch: Values[]; bytes: number }>()
  for (const values of rows) {
    const name = values.slice(from, to).join('\n')
    const bytes = sizeOf(values)
    const last = open.get(name)
    if (last && last.batch.length < MOST_ROWS && last.bytes + bytes <= MOST_BYTES) {
      last.batch.push(values)
      last.bytes += bytes
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
