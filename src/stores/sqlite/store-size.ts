/** Size of a SQLite store. Sizes of tables and indexes scan all pages: a second or two per gigabyte. */
import { statSync } from 'node:fs'
import type { SizeQueries } from '../sql/store-size.ts'

export function sqliteSize(file: string): SizeQueries {
  return {
    tables: 'SELECT name, pgsize AS bytes FROM dbstat WHERE aggregate = TRUE',
    total: async () => fileBytes(file) + fileBytes(`${file}-wal`),
  }
}

function fileBytes(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
