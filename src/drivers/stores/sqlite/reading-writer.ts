/** The shared writer of subscriptions (../sql/reading-writer.ts) for writers that are synchronous functions. */
import type { EntryId, FeedId, SourceId } from '../../../model/index.ts'
import type { ReadingWriter } from '../sql/reading-writer.ts'
import { complete } from '../sql/session.ts'
import { emptyTally } from '../sql/tally.ts'
import type { SqliteSqlSession } from './sql-session.ts'

export type ReadingCalls = ReturnType<typeof createReadingCalls>

export function createReadingCalls(session: SqliteSqlSession, writer: ReadingWriter) {
  const tx = session.within(emptyTally()) // it counts nothing
  return {
    arrived: (feedId: FeedId, entries: number) => complete(writer.arrived(tx, [[feedId, entries]])),
    forget: (ids: EntryId[]) => complete(writer.forget(tx, ids)),
    sourceRemoved: (id: SourceId) => complete(writer.sourcesRemoved(tx, [id])),
    feedRemoved: (id: FeedId) => complete(writer.feedRemoved(tx, id)),
    sweep: (limit: number) => complete(writer.sweep(tx, limit)),
  }
}
