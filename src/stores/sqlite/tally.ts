/**
 * Counters, so that reads never have to count rows. A write records changes in a tally, and its transaction ends by adding the tally to
 * the table `counters`. It has one row per name, because a file has one writer.
 */
import type Database from 'better-sqlite3'
import { COUNTER_NAMES, type CountChanges, type CounterName, noCountChanges } from '../sql/count-changes.ts'

export interface Counters {
  /** Within a transaction: does the work, and adds its tally. */
  countChanges<T>(work: (tally: CountChanges) => T): T
  /** Within a transaction: the stored counters, without an open tally. */
  all(): CountChanges
}

export function createCounters(db: Database.Database): Counters {
  const stored = db.prepare<[], { name: CounterName; value: number }>('SELECT name, value FROM counters')
  const add = db.prepare<[CounterName, number]>(
    'INSERT INTO counters (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = value + excluded.value',
  )
  return {
    countChanges(work) {
      const tally = noCountChanges()
      const answer = work(tally)
      for (const name of COUNTER_NAMES) if (tally[name] !== 0) add.run(name, tally[name])
      return answer
    },

    all() {
      const tally = noCountChanges()
      for (const { name, value } of stored.iterate()) tally[name] = value
      return tally
    },
  }
}
