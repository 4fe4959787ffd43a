/** What a group costs, counted in statements and in rows that change: it must not grow with the group. */
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { EntryId } from '../../model/index.ts'
import { joined, placed } from '../../ports/group-samples.contract.ts'
import { noCountChanges } from '../sql/count-changes.ts'
import { createGroupWriter } from '../sql/group-writer.ts'
import { runSync } from '../sql/session.ts'
import { SQLITE } from './dialect.ts'
import { migrate, readMigrations } from './migrate.ts'
import { createSession } from './session.ts'
import { createSqlSession } from './sql-session.ts'

function openGroups() {
  let statements = 0
  const db = new Database(':memory:', { verbose: () => statements++ })
  migrate(db, ':memory:', readMigrations())
  const entry = db.prepare(
    "INSERT INTO entries (id, feed_id, key_hash, sort_at, seen_at, key, title) VALUES (?, 1, ?, 0, 0, '', '')",
  )
  const changed = db.prepare<[], number>('SELECT total_changes()').pluck()
  const writer = createGroupWriter(SQLITE)
  const tx = createSqlSession(createSession(db, ':memory:')).within(noCountChanges())
  /** One transaction. */
  const place = (ids: number[], ...others: number[]) => {
    const entries = ids.map((id) => {
      entry.run(id, id)
      const join = joined(...(others as EntryId[]))
      const joins = id === others[0] ? {} : { copy: join, story: join }
      return placed(id as EntryId, joins, { at: 1_000_000 - id, simhash: BigInt(id % 7) })
    })
    runSync(writer.groupEntries(tx, entries, 0))
  }
  const remove = (ids: number[]) => runSync(writer.remove(tx, ids as EntryId[]))
  const goOver = (most: number) => runSync(writer.resettle(tx, most))
  /** What some work takes. */
  const costOf = (work: () => void) => {
    const before = { statements, rows: changed.get()! }
    work()
    return { statements: statements - before.statements, rows: changed.get()! - before.rows }
  }
  const primaries = () => db.prepare<[], number>('SELECT primary_id FROM groups ORDER BY id').pluck().all()
  const sizes = () => db.prepare<[], number>('SELECT size FROM groups ORDER BY size').pluck().all()
  return { db, goOver, place, remove, costOf, primaries, sizes }
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

test('adds the thousandth copy at the cost of the hundredth, also if each is older than the one before', () => {
  const { db, place, costOf } = openGroups()
  for (const id of range(1, 100)) place([id], 1)
  const early = costOf(() => place([100], 1))
  for (const id of range(101, 1000)) place([id], 1)
  const late = costOf(() => place([1000], 1))
  expect(late).toEqual(early)
  expect(late.rows).toBeLessThan(20)
  db.close()
})

test('adds and removes a batch of copies at a cost proportional to the batch', () => {
  const { db, place, remove, costOf, sizes } = openGroups()
  place(range(1, 1001), 1)
  const batch = costOf(() => place(range(1001, 1501), 1))
  expect(batch.statements).toBeLessThan(500 * 40)
  const removal = costOf(() => remove(range(1001, 1501)))
  expect(removal.statements).toBeLessThan(500 * 40)
  expect(sizes()).toEqual([1000, 1000])
  db.close()
})

test('changes the primary at the same cost in a group of 100 and of 2,000', () => {
  const costIn = (size: number) => {
    const { db, place, remove, costOf, primaries, sizes } = openGroups()
    place(range(1, size + 1), 1)
    const [first] = primaries()
    const cost = costOf(() => remove([first!]))
    expect(primaries()).not.toContain(first)
    expect(sizes()).toEqual([size - 1, size - 1])
    db.close()
    return cost
  }
  const large = costIn(2000)
  expect(large).toEqual(costIn(100))
  expect(large.rows).toBeLessThan(10)
})

test('merges two groups at the same cost for 1,000 and 2,000 members, and moves the members in chunks', () => {
  const uniting = (size: number) => {
    const { db, goOver, place, costOf, sizes } = openGroups()
    place(range(1, size + 2), 1)
    place(range(10_001, 10_001 + size), 10_001)
    const cost = costOf(() => place([20_000], 1, 10_001))
    const chunk = costOf(() => expect(goOver(100)).toBe(100))
    expect(chunk.rows).toBeLessThan(110)
    while (goOver(100) > 0) expect(sizes().reduce((sum, one) => sum + one)).toBe(2 * (2 * size + 2))
    expect(sizes()).toEqual([2 * size + 2, 2 * size + 2])
    db.close()
    return cost
  }
  const large = uniting(2000)
  expect(large).toEqual(uniting(1000))
  expect(large.rows).toBeLessThan(150)
})
