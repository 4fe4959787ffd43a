/** SQL that differs between SQLite and PostgreSQL. */
import type { Owned } from '../../model/index.ts'

/** A column's name and type in PostgreSQL, such as `feed_id bigint`. */
export type TypedColumn = `${string} ${string}`

/** Part of a statement, with the values of its parameters. */
export interface SqlPart {
  sql: string
  values: unknown[]
}

export interface Dialect {
  /** Condition: `column` is in the array bound to `parameter`. */
  isOneOf(column: string, parameter: string, type: 'bigint' | 'text'): string
  /**
   * For FROM: the numbers in the array bound to `parameter` as `w.value`, in the order of `w.key`. Join it with CROSS JOIN and put the
   * condition in WHERE: this makes SQLite look up each number regardless of the planner.
   */
  list(parameter: string): string
  /** Condition: the text contains the parameter. */
  contains(column: string, parameter: string): string
  /** Condition: the text starts with the parameter. Can use an index on `column`. */
  startsWith(column: string, parameter: string): string
  /** A field of a JSON object in a text column. */
  jsonField(column: string, name: string): string
  /** The rows of a SELECT as one JSON value, an array of arrays. May be NULL if there are no rows. */
  rowsAsJson(columns: string, select: string): string
  /** After a table in FROM: makes SQLite use this index. Empty on PostgreSQL, whose planner chooses it. */
  indexedBy(index: string): string
  /** Statement that returns the `id` of a new change of read state. */
  readonly newReadStateChange: string
  /** Appended to a SELECT: locks its rows until the transaction ends. Empty on SQLite, which has a single writer. */
  readonly forUpdate: string
  /** Likewise with another lock strength, as PostgreSQL writes it after FOR. Empty on SQLite. */
  lockFor(how: string): string
  /** Statement that locks all groups for changes until the transaction ends. Empty on SQLite. */
  readonly lockGroups: string
  /** Statements that read the highest group id ever assigned and set it to `$1`; `set` may be empty. */
  readonly lastGroupId: { ask: string; set: string }
  readonly contents: ContentColumns
  /** Part of an INSERT: leaves rows whose key exists unchanged and locks them until the transaction ends. */
  onConflictLock(key: string): string
  readonly articleQueues: {
    /** Statement that ends leases that expired before `$1`, where that must happen first; else empty. */
    expireLeases: string
    /** Condition: the queue is not leased at `$1`. */
    isFree: string
    /** Columns that describe a lease for other processes that share the store: which article was leased, and when. */
    leaseDetails: readonly TypedColumn[]
  }
  /** A text as it is indexed for equality. PostgreSQL uses a hash, as its indexes cannot hold long texts. */
  digest(text: string): string
  /** Statement that returns the next `$2` positions of the poll log in month `$1`. */
  readonly newPollPositions: string
  /** Statement that returns the `month` partition for rows that arrive at `$1`. Empty on SQLite. */
  readonly arrivalMonth: string
  /** Statement that returns the `id` up to which all entries are committed, whichever process wrote them. */
  readonly settledEntryId: string
  /** Function for the greater of two numbers. */
  readonly greatest: string
  readonly least: string
  /**
   * Statement that inserts the rows of the table `given`. Rows whose key exists are replaced and get a new position. Keys must be
   * distinct.
   */
  moveToEnd(table: string, key: string, columns: readonly TypedColumn[]): string
  /** Appended to a text column in ORDER BY: sorts by bytes, independent of the collation of the database. */
  readonly bytewise: string
  /** The bucket column. Empty on SQLite, whose file has a single owner. */
  readonly bucketColumn: readonly TypedColumn[]
  /** Condition on the bucket column, or on `column`. Uses at most two parameters, numbered from `first`. */
  ownedBuckets(owned: Owned | undefined, first: number, column?: string): SqlPart
  /**
   * The column by which rows are found by a long text, such as an address. PostgreSQL has a column with a hash of it, as its indexes
   * cannot hold long texts.
   */
  textKey(column: string): TextKey
}

/** Key columns of texts and pages. SQLite finds them by article; PostgreSQL by a position that includes the month partition. */
export interface ContentColumns {
  /** Key column of article_texts and pages. */
  key: string
  /** Columns of articles that refer to it. */
  text: string
  page: string
  /** Those of them that must be written. */
  positionColumns: readonly TypedColumn[]
  /** Statement that inserts the rows of the table `given` and returns `article_id` and `place` of each; column `month` comes last. */
  insert(table: 'article_texts' | 'pages', columns: readonly TypedColumn[]): string
}

export interface TextKey {
  column: string
  typed: TypedColumn
  /** Columns to write along with the text. */
  extraColumns: readonly TypedColumn[]
  keyOf(text: string): unknown
}

export function articleTextJoin({ key, text }: ContentColumns): string {
  return `article_texts t ON t.${key} = a.${text}`
}

export function columnNames(columns: readonly TypedColumn[]): string[] {
  return columns.map((column) => column.slice(0, column.indexOf(' ')))
}

/**
 * Inserts rows of the table `given`, ordered by a column: by their key, so that concurrent writers cannot deadlock; or by `n`, so that
 * ids reflect the order of arrival.
 */
export function insertRowsSql(table: string, order: string, columns: readonly TypedColumn[]): string {
  const names = columnNames(columns)
  const values = names.map((name) => `g.${name}`)
  return `INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')} FROM given g ORDER BY g.${order}`
}

/** Likewise, replacing rows that exist. Keys must be distinct. */
export function upsertRowsSql(table: string, key: string, columns: readonly TypedColumn[]): string {
  const valueColumns = columnNames(columns).filter((name) => name !== key)
  const changes = valueColumns.map((name) => `${name} = excluded.${name}`)
  return `${insertRowsSql(table, key, columns)} ON CONFLICT (${key}) DO UPDATE SET ${changes.join(', ')}`
}

/** `name = g.name` for each column. */
export function assignmentsSql(columns: readonly TypedColumn[]): string {
  return columnNames(columns)
    .map((name) => `${name} = g.${name}`)
    .join(', ')
}
