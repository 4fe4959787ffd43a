/** Exported rows of a store by the names of their columns. */
import {
  type ColumnValue,
  EXPORT_COLUMNS,
  type ExportedRow,
  type RowKind,
  type StoreMigration,
} from '../../ports/index.ts'

export type NamedRow = Record<string, ColumnValue>

export function namedRow(kind: RowKind, row: ExportedRow): NamedRow {
  return Object.fromEntries(EXPORT_COLUMNS[kind].map((name, i) => [name, row[i] ?? null]))
}

export function orderedRow(kind: RowKind, row: NamedRow): ExportedRow {
  return EXPORT_COLUMNS[kind].map((name) => row[name] ?? null)
}

/** Looks up one row by its number. */
export type RowById = (kind: 'entries' | 'article_texts' | 'page_patterns', id: number) => Promise<NamedRow | undefined>

export function createRowLookup(migration: Pick<StoreMigration, 'readRows'>): RowById {
  return async (kind, id) => {
    const { rows } = await migration.readRows(kind, JSON.stringify([id - 1]), 1)
    const row = rows[0] && namedRow(kind, rows[0])
    return row && Object.values(row)[0] === id ? row : undefined
  }
}
