/** What SQLite and PostgreSQL spell differently. */
import type { Owned } from '../../model/index.ts'

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
  /**
   * For FROM: the numbers in the array that is bound to `parameter`, as `w.value`, in the order of `w.key`. What is joined with it
   * follows a CROSS JOIN, with its condition under WHERE: so SQLite looks up each number, whatever the planner thinks.
   */
  list(parameter: string): string
  /** A condition that an index on `column` helps with: the text begins with the parameter. */
  startsWith(column: string, parameter: string): string
  /** A field of a JSON object in a column of texts. */
  jsonField(column: string, name: string): string
  /** The rows of a SELECT as one value, which is JSON: a list of lists. NULL may stand for none. */
  rowsAsJson(columns: string, select: string): string
  /** After a table in FROM: it is read by this index. PostgreSQL finds out by itself. */
  indexedBy(index: string): string
  /** Answers the `id` of a new change of marks. */
  readonly newMarkChange: string
  /** Appended to a SELECT: locks its rows until the transaction ends. SQLite has one writer, and locks nothing. */
  readonly forUpdate: string
  /** The same with another strength, as PostgreSQL writes it behind FOR; nothing on SQLite. */
  locked(how: string): string
  /** A statement after which nobody else changes groups until the transaction ends; empty on SQLite. */
  readonly groupsAlone: string
  /** The id of the newest group there ever was, and what to do when `$1` is the newest, if anything. */
  readonly lastGroupId: { ask: string; set: string }
  readonly contents: ContentColumns
  /** A part of an INSERT of rows by a key: those that are there stay as they are, and nobody else changes them until the transaction ends. */
  orLocked(key: string): string
  readonly articleLines: {
    /** A statement that ends leases that ran out before `$1`, where that has to be done first; else empty. */
    endLeases: string
    /** A condition: the line is in nobody's hands at `$1`. */
    isFree: string
    /** What is noted of a lease, for those who share the store: what was taken, and when. */
    noted: readonly TypedColumn[]
  }
  /** Of a text that is compared as a whole, as it stands in an index: PostgreSQL's hold no long texts. */
  digest(text: string): string
  /** Answers the next `$2` places of the log of polls in the month `$1`. */
  readonly newPollPlaces: string
  /** A statement that answers in which `month` rows are stored that arrive at `$1`; empty on SQLite. */
  readonly arrivalMonth: string
  /** Of two numbers. */
  readonly greatest: string
  readonly least: string
  /**
   * A statement that adds the rows of the table `given`; those whose key is there are replaced and get a new `place`. No two may have
   * the same key.
   */
  toEnd(table: string, key: string, columns: readonly TypedColumn[]): string
  /** Appended to a text column in ORDER BY: sorts by bytes, whatever the language of the database. */
  readonly bytewise: string
  /** The column by which the store finds its buckets; SQLite has one owner, and no such column. */
  readonly bucketColumn: readonly TypedColumn[]
  /** A condition on that column, or the one that is named. It takes two parameters at most, beginning with number `first`. */
  owned(owned: Owned | undefined, first: number, column?: string): SqlPart
  /**
   * The column by which rows with a long text, such as an address, are found. PostgreSQL has a column with a hash of it, as
   * its indexes hold no long texts.
   */
  textKey(column: string): TextKey
}

/** Texts and pages. SQLite finds them by their article; PostgreSQL by their place, which says in which month they are. */
export interface ContentColumns {
  /** Of article_texts and pages. */
  key: string
  /** Of articles, with the same. */
  text: string
  page: string
  /** Those of articles that have to be written. */
  placed: readonly TypedColumn[]
  /** A statement that adds the rows of the table `given`, and answers `article_id` and `place` of each; the column `month` comes last. */
  insert(table: 'article_texts' | 'pages', columns: readonly TypedColumn[]): string
}

export interface TextKey {
  column: string
  typed: TypedColumn
  /** What has to be written with the text, if anything. */
  written: readonly TypedColumn[]
  of(text: string): unknown
}

export function textOf({ key, text }: ContentColumns): string {
  return `article_texts t ON t.${key} = a.${text}`
}

export function columnNames(columns: readonly TypedColumn[]): string[] {
  return columns.map((column) => column.slice(0, column.indexOf(' ')))
}

/**
 * Adds rows of the table `given`, in the order of a column: of their key, so that two that write at once cannot block each other;
 * or of `n`, where ids tell who came first.
 */
export function insertGiven(table: string, order: string, columns: readonly TypedColumn[]): string {
  const names = columnNames(columns)
  const values = names.map((name) => `g.${name}`)
  return `INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')} FROM given g ORDER BY g.${order}`
}

/** The same, and replaces rows that are there. No two may have the same key. */
export function replaceGiven(table: string, key: string, columns: readonly TypedColumn[]): string {
  const others = columnNames(columns).filter((name) => name !== key)
  const changes = others.map((name) => `${name} = excluded.${name}`)
  return `${insertGiven(table, key, columns)} ON CONFLICT (${key}) DO UPDATE SET ${changes.join(', ')}`
}

/** `name = g.name`, of each column. */
export function setGiven(columns: readonly TypedColumn[]): string {
  return columnNames(columns)
    .map((name) => `${name} = g.${name}`)
    .join(', ')
}
