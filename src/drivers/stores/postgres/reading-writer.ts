/** The shared writer of subscriptions (../sql/reading-writer.ts), and its calls for asynchronous writers. */
import type { EntryId, FeedId, SourceId } from '../../../model/index.ts'
import { createReadingWriter } from '../sql/reading-writer.ts'
import { awaited } from '../sql/session.ts'
import { POSTGRES } from './dialect.ts'
import type { Transaction } from './session.ts'
import { sharedTransaction } from './sql-session.ts'

export const readings = createReadingWriter(POSTGRES)

export function entriesArrived(tx: Transaction, counts: { feed_id: FeedId; count: number }[]): Promise<void> {
  return awaited(
    readings.arrived(
      sharedTransaction(tx),
      counts.map(({ feed_id, count }) => [feed_id, count]),
    ),
  )
}

export function forgetReadings(tx: Transaction, ids: readonly EntryId[]): Promise<void> {
  return awaited(readings.forget(sharedTransaction(tx), ids))
}

export function sourcesRemoved(tx: Transaction, ids: SourceId[]): Promise<void> {
  return awaited(readings.sourcesRemoved(sharedTransaction(tx), ids))
}

export function feedRemoved(tx: Transaction, feedId: FeedId): Promise<void> {
  return awaited(readings.feedRemoved(sharedTransaction(tx), feedId))
}

export function sweepReaders(tx: Transaction, limit: number): Promise<number> {
  return awaited(readings.sweep(sharedTransaction(tx), limit))
}
