/** How many wait in a line. */
import type { WaitingLine } from '../sql/waiting-lines.ts'
import type { RowAsker } from './session.ts'

/** Counted, if it is short; else by the places of its ends, between which some are empty. */
export async function lineLength(query: RowAsker, line: WaitingLine): Promise<number> {
  const [row] = await query.rows<{ count: number; first: number | null; last: number | null }>(
    `SELECT (SELECT count(*) FROM (SELECT 1 FROM ${line} LIMIT ${COUNTED}) AS counted) AS count,
     (SELECT min(place) FROM ${line}) AS first, (SELECT max(place) FROM ${line}) AS last`,
  )
  const { count = 0, first, last } = row ?? {}
  return count < COUNTED ? count : (last ?? 0) - (first ?? 0) + 1
}

const COUNTED = 10_000
