/**
 * How many there are of everything, so that nobody ever has to count. While it writes, work notes in a tally what there is
 * more or less of; its transaction ends by adding that to `counters`, a row for each name: a file has one writer.
 */
import type Database from 'better-sqlite3'
import { COUNTED_NAMES, type CountedName, type CountTally, emptyTally } from '../sql/tally.ts'

export interface Counters {
  /** Within a transaction: does the work, and adds what it noted. */
  counted<T>(work: (tally: CountTally) => T): T
  /** Within a transaction: what is stored, without what is still noted in a tally. */
  all(): CountTally
}

export function createCounters(db: Database.Database): Counters {
  const stored = db.prepare<[], { name: CountedName; value: number }>('SELECT name, value FROM counters')
  const add = db.prepare<[CountedName, number]>(
    'INSERT INTO counters (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = value + excluded.value',
  )
  return {
    counted(work) {
      const tally = emptyTally()
      const answer = work(tally)
      for (const name of COUNTED_NAMES) if (tally[name] !== 0) add.run(name, tally[name])
      return answer
    },

    all() {
      const tally = emptyTally()
      for (const { name, value } of stored.iterate()) tally[name] = value
      return tally
    },
  }
}
