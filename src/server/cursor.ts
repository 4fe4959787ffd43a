/** Where a list goes on: the sort keys of its last row, written so that nobody is tempted to make them up. */
import { Problem } from './problem.ts'

/** `kind` says of which list and order it is: a cursor of one makes no sense in another. */
export function encodeCursor(kind: string, ...keys: number[]): string {
  return Buffer.from([kind, ...keys].join(' ')).toString('base64url')
}

/** The keys, in the order of `encodeCursor`. */
export function decodeCursor<Keys extends number[]>(kind: string, cursor: string | undefined): Keys | undefined {
  if (cursor === undefined) return undefined
  const [said, ...keys] = Buffer.from(cursor, 'base64url').toString().split(' ')
  const numbers = keys.map((key) => (/^-?\d{1,17}$/.test(key) ? Number(key) : Number.NaN))
  if (said === kind && numbers.length > 0 && !numbers.some(Number.isNaN)) return numbers as Keys
  throw new Problem(400, 'invalid cursor', 'leave it out, or send the value of "next"')
}

/** One more row was asked for than is shown: if it came, the list goes on after the last that is. */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  cursor: (last: Row) => string,
): { shown: Row[]; next?: string } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { shown, ...(rows.length > limit && last !== undefined && { next: cursor(last) }) }
}
