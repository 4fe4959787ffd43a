/** Length of the queues of pending work. */
import type { WorkQueue } from '../sql/pending-work.ts'
import type { RowReader } from './session.ts'

/** Exact for a short queue. For a long one, estimated from its first and last place, between which some are empty. */
export async function countPending(query: RowReader, queue: WorkQueue): Promise<number> {
  const [row] = await query.rows<{ count: number; first: number | null; last: number | null }>(
    `SELECT (SELECT count(*) FROM (SELECT 1 FROM ${queue} LIMIT ${MAX_EXACT_COUNT}) AS counted) AS count,
     (SELECT min(place) FROM ${queue}) AS first, (SELECT max(place) FROM ${queue}) AS last`,
  )
  const { count = 0, first, last } = row ?? {}
  return count < MAX_EXACT_COUNT ? count : (last ?? 0) - (first ?? 0) + 1
}

const MAX_EXACT_COUNT = 10_000
