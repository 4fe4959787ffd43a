/** What SQLite and PostgreSQL spell differently. */
import type { Owned } from '../../../model/index.ts'

/** A column's name and type in PostgreSQL, such as `feed_id bigint`. */
export type TypedColumn = `${string} ${string}`

/** A part of a statement, and the values of its parameters. */
export interface SqlPart {
  sql: string
  values: unknown[]
}

export interface Dialect {
  /** A condition: `column` is in the array that is bound to `parameter`. */
  isOneOf(column: string, parameter: string, type: 'bigint' | 'text'): string
  /** Appended to a SELECT: locks its rows until the transaction ends. SQLite has one writer, and locks nothing. */
  readonly forUpdate: string
  /** Appended to a text column in ORDER BY: sorts by bytes, whatever the language of the database. */
  readonly bytewise: string
  /** The column by which the store finds its buckets; SQLite has one owner, and no such column. */
  readonly bucketColumn: readonly TypedColumn[]
  /** A condition on that column. It takes two parameters at most, beginning with number `first`. */
  owned(owned: Owned | undefined, first: number): SqlPart
}

export function columnNames(columns: readonly TypedColumn[]): string[] {
  return columns.map((column) => column.slice(0, column.indexOf(' ')))
}
