/** What a group costs, counted in statements and in rows that change: it must not grow with the group. */
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { EntryId } from '../../../model/index.ts'
import { joined, placed } from '../../../ports/group-samples.contract.ts'
import { createGroupWriter, type Touched } from './group-writer.ts'
import { migrate, readMigrations } from './migrate.ts'

function openGroups() {
  let statements = 0
  const db = new Database(':memory:', { verbose: () => statements++ })
  migrate(db, ':memory:', readMigrations())
  const entry = db.prepare(
    "INSERT INTO entries (id, feed_id, key_hash, sort_at, seen_at, key, title) VALUES (?, 1, ?, 0, 0, '', '')",
  )
  const changed = db.prepare<[], number>('SELECT total_changes()').pluck()
  const writer = createGroupWriter(db)
  /** One transaction. */
  const place = (ids: number[], other: number) => {
    const touched: Touched = new Map()
    for (const id of ids) {
      entry.run(id, id)
      const joins = id === other ? {} : { copy: joined(other as EntryId), story: joined(other as EntryId) }
      writer.place(placed(id as EntryId, joins, { at: 1_000_000 - id, simhash: BigInt(id % 7) }), 0, touched)
    }
    writer.settle(touched)
  }
  const remove = (ids: number[]) => {
    const touched: Touched = new Map()
    for (const id of ids) writer.remove(id as EntryId, touched)
    writer.settle(touched)
  }
  /** What some work takes. */
  const costOf = (work: () => void) => {
    const before = { statements, rows: changed.get()! }
    work()
    return { statements: statements - before.statements, rows: changed.get()! - before.rows }
  }
  return { db, place, remove, costOf }
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

test('the thousandth copy of a text costs no more than the hundredth, also if each is older than the one before', () => {
  const { db, place, costOf } = openGroups()
  for (const id of range(1, 100)) place([id], 1)
  const early = costOf(() => place([100], 1))
  for (const id of range(101, 1000)) place([id], 1)
  const late = costOf(() => place([1000], 1))
  expect(late).toEqual(early)
  expect(late.rows).toBeLessThan(20)
  db.close()
})

test('a batch of copies, and their removal, cost in proportion to the batch', () => {
  const { db, place, remove, costOf } = openGroups()
  place(range(1, 1001), 1)
  const batch = costOf(() => place(range(1001, 1501), 1))
  expect(batch.statements).toBeLessThan(500 * 40)
  const removal = costOf(() => remove(range(1001, 1501)))
  expect(removal.statements).toBeLessThan(500 * 40)
  expect(db.prepare('SELECT size FROM groups').pluck().all()).toEqual([1000, 1000])
  db.close()
})
