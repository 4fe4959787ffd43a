/** Exported rows of a store by the names of their columns. */
import { CARGO, type CargoKind, type CargoRow, type CargoValue, type Ferry } from '../../ports/index.ts'

export type NamedRow = Record<string, CargoValue>

export function namedRow(kind: CargoKind, row: CargoRow): NamedRow {
  return Object.fromEntries(CARGO[kind].map((name, i) => [name, row[i] ?? null]))
}

export function orderedRow(kind: CargoKind, row: NamedRow): CargoRow {
  return CARGO[kind].map((name) => row[name] ?? null)
}

/** Looks up one row by its number. */
export type RowById = (kind: 'entries' | 'article_texts' | 'page_patterns', id: number) => Promise<NamedRow | undefined>

export function rowByIdIn(ferry: Pick<Ferry, 'unload'>): RowById {
  return async (kind, id) => {
    const { rows } = await ferry.unload(kind, JSON.stringify([id - 1]), 1)
    const row = rows[0] && namedRow(kind, rows[0])
    return row && Object.values(row)[0] === id ? row : undefined
  }
}
