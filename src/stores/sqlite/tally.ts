/**
 * Counters, so that reads never have to count rows. A write records changes in a tally, and its transaction ends by adding the tally to
 * the table `counters`. It has one row per name, because a file has one writer.
 */
import type Database from 'better-sqlite3'
import { COUNTER_NAMES, type CountChanges, type CounterName, noCountChanges } from '../sql/count-changes.ts'

/** Returns a function that, within a transaction, does the work and adds its tally. */
export function createCounters(db: Database.Database): <T>(work: (tally: CountChanges) => T) => T {
  const add = db.prepare<[CounterName, number]>(
    'INSERT INTO counters (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = value + excluded.value',
  )
  return (work) => {
    const tally = noCountChanges()
    const answer = work(tally)
    for (const name of COUNTER_NAMES) if (tally[name] !== 0) add.run(name, tally[name])
    return answer
  }
}
