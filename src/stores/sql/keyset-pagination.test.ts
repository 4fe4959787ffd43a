import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { rowsAfterSql, rowsBeforeSql } from './keyset-pagination.ts'

const ORDER = { columns: 'id', from: 'days', at: 'at', id: 'id' }

function daysOf(dates: number[]): Database.Database {
  const db = new Database(':memory:')
  db.exec('CREATE TABLE days (id INTEGER PRIMARY KEY, at INTEGER NOT NULL); CREATE INDEX days_by_date ON days (at)')
  const insert = db.prepare('INSERT INTO days (at) VALUES (?)')
  db.transaction(() => dates.map((at) => insert.run(at)))()
  return db
}

it('continues by date, then by id, in both directions', () => {
  const db = daysOf([3, 1, 2, 2, 1, 2, 3])
  const ids = (sql: string, at: number, id: number, limit = 9) =>
    db
      .prepare<[object], { id: number }>(sql)
      .all({ at, id, limit })
      .map((row) => row.id)
  expect(ids(rowsAfterSql(ORDER), 0, 0)).toEqual([2, 5, 3, 4, 6, 1, 7])
  expect(ids(rowsAfterSql(ORDER), 2, 3)).toEqual([4, 6, 1, 7])
  expect(ids(rowsAfterSql(ORDER), 2, 3, 2)).toEqual([4, 6])
  expect(ids(rowsBeforeSql(ORDER), 2, 4)).toEqual([3, 5, 2])
  expect(ids(rowsBeforeSql(ORDER), 9, 0)).toEqual([7, 1, 6, 4, 3, 5, 2])
  expect(ids(rowsBeforeSql({ ...ORDER, only: 'id <> 3' }), 2, 6, 2)).toEqual([4, 5])
})

it('seeks the row even if many rows share its date', () => {
  const db = daysOf(Array.from({ length: 20_000 }, () => 7))
  const steps = (sql: string) => {
    let count = 0
    db.function('step', (at: number) => {
      count++
      return at
    })
    db.prepare(sql.replaceAll('WHERE true', 'WHERE step(at) = at')).all({ at: 7, id: 15_000, limit: 10 })
    return count
  }
  expect(steps(rowsAfterSql(ORDER))).toBeLessThan(30)
  expect(steps(rowsBeforeSql(ORDER))).toBeLessThan(30)
  expect(
    steps('SELECT id FROM days WHERE true AND (at, id) > ($at, $id) ORDER BY at, id LIMIT $limit'),
  ).toBeGreaterThan(15_000)
})
