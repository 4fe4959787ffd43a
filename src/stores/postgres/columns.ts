/**
 * Values on their way into PostgreSQL. Many rows go in one statement, as an array for each column, which `unnest` puts together
 * again. PostgreSQL's text holds every character but U+0000: that is written as two others, and read as what it was.
 */

import { columnNames, type SqlPart, type TypedColumn } from '../sql/dialect.ts'

/** Rows as a table, for FROM; `n` is the number of the row, beginning with 1. `first` is the first free parameter. */
export function manyRows(
  name: string,
  columns: readonly TypedColumn[],
  rows: readonly unknown[][],
  first = 1,
): SqlPart {
  const names = columnNames(columns)
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
