/**
 * Encodes values for PostgreSQL. Many rows go into one statement, as an array per column, which `unnest` turns into rows again.
 * PostgreSQL's text holds every character but U+0000, which is escaped by two others.
 */
import { columnNames, type SqlPart, type TypedColumn } from '../sql/dialect.ts'

/** Rows as a table, for FROM. `n` is the number of the row, starting with 1. `first` is the first free parameter. */
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

/** A noncharacter, which occurs in no text. */
const ESCAPE = '\uFFFE'

/** Converts a value for the driver. */
export function encodeValue(value: unknown): unknown {
  if (typeof value === 'string') {
    if (!value.includes('\0') && !value.includes(ESCAPE)) return value
    return value.replaceAll(ESCAPE, `${ESCAPE}1`).replaceAll('\0', `${ESCAPE}0`)
  }
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array && !Buffer.isBuffer(value)) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  }
  return Array.isArray(value) ? value.map(encodeValue) : value
}

/** Reverses {@link encodeValue} for text. */
export function decodeTextColumn(text: string): string {
  if (!text.includes(ESCAPE)) return text
  return text.replaceAll(`${ESCAPE}0`, '\0').replaceAll(`${ESCAPE}1`, ESCAPE)
}
