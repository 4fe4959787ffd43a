/** Cursors of lists: the sort keys of the last row, encoded to be opaque to clients. */
import { Problem } from './problem.ts'

/** `kind` names the list and its order: a cursor is only valid for the same list. */
export function encodeCursor(kind: string, ...keys: number[]): string {
  return Buffer.from([kind, ...keys].join(' ')).toString('base64url')
}

/** The keys, in the order of `encodeCursor`. */
export function decodeCursor<Keys extends number[]>(kind: string, cursor: string | undefined): Keys | undefined {
  if (cursor === undefined) return undefined
  const [actualKind, ...keys] = Buffer.from(cursor, 'base64url').toString().split(' ')
  const numbers = keys.map((key) => (/^-?\d{1,17}$/.test(key) ? Number(key) : Number.NaN))
  if (actualKind === kind && numbers.length > 0 && !numbers.some(Number.isNaN)) return numbers as Keys
  throw new Problem(400, 'invalid cursor', 'leave it out, or send the value of "next"')
}

/** Cuts a page from `limit + 1` rows. If the extra row is there, `next` is the cursor after the last shown row. */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  cursor: (last: Row) => string,
): { page: Row[]; next?: string } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, ...(rows.length > limit && last !== undefined && { next: cursor(last) }) }
}
