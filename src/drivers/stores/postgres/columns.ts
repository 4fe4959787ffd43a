/**
 * Values on their way into PostgreSQL. Many rows go in one statement, as an array for each column, which `unnest` puts together
 * again. PostgreSQL's text holds every character but U+0000: that is written as two others, and read as what it was.
 */

/** A column's name and type, such as `feed_id bigint`. */
export type TypedColumn = `${string} ${string}`

export interface ManyRows {
  /** For FROM; `n` is the place of each row, beginning with 1. */
  sql: string
  values: unknown[]
}

/** `first` is the number of the first parameter that is free. */
export function manyRows(name: string, columns: readonly TypedColumn[], rows: unknown[][], first = 1): ManyRows {
  const names = columns.map((column) => column.slice(0, column.indexOf(' ')))
  const arrays = columns.map((column, i) => `$${first + i}::${column.slice(column.indexOf(' ') + 1)}[]`)
  return {
    sql: `unnest(${arrays.join(', ')}) WITH ORDINALITY AS ${name} (${names.join(', ')}, n)`,
    values: columns.map((_, i) => rows.map((row) => row[i])),
  }
}

/** Of no language, and in no document that was written by people. */
const ESCAPE = '\uFFFE'

/** As the driver can send it. */
export function sendable(value: unknown): unknown {
  if (typeof value === 'string') {
    if (!value.includes('\0') && !value.includes(ESCAPE)) return value
    return value.replaceAll(ESCAPE, `${ESCAPE}1`).replaceAll('\0', `${ESCAPE}0`)
  }
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array && !Buffer.isBuffer(value)) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  }
  return Array.isArray(value) ? value.map(sendable) : value
}

/** Text as it was before it was sent. */
export function received(text: string): string {
  if (!text.includes(ESCAPE)) return text
  return text.replaceAll(`${ESCAPE}0`, '\0').replaceAll(`${ESCAPE}1`, ESCAPE)
}

/** PostgreSQL wants a whole number where people say "no limit". */
export function atMost(limit: number): number {
  return Math.min(limit, Number.MAX_SAFE_INTEGER)
}

/** In the order of `ids`, of rows that came in any order. */
export function inOrder<Id, Row, What>(
  ids: readonly Id[],
  rows: readonly Row[],
  idOf: (row: Row) => Id,
  what: (row: Row) => What,
): (What | undefined)[] {
  const byId = new Map(rows.map((row) => [idOf(row), row]))
  return ids.map((id) => {
    const row = byId.get(id)
    return row && what(row)
  })
}
