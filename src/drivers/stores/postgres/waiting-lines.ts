/**
 * The two lines in which entries wait, for the search index and for their place. A place is dealt with by itself: which of two
 * who write at once commits first makes no difference, and what changes meanwhile stands at another place.
 */
import type { EntryId } from '../../../model/index.ts'
import type { Mark } from '../../../ports/index.ts'
import type { RowAsker, Transaction } from './session.ts'

export type WaitingLine = 'unindexed' | 'unplaced'

/** To the end of the line, in this order, also if they wait already. */
export async function toLine(tx: Transaction, line: WaitingLine, ids: readonly EntryId[]): Promise<void> {
  if (ids.length === 0) return
  await tx.run(
    `INSERT INTO ${line} (entry_id) SELECT id FROM unnest($1::bigint[]) WITH ORDINALITY AS t (id, n) ORDER BY n
     ON CONFLICT (entry_id) DO UPDATE SET place = nextval('${line}_places')`,
    [[...new Set(ids)]],
  )
}

/** Takes just these out. */
export async function takeOut(tx: Transaction, line: WaitingLine, marks: readonly Mark[]): Promise<void> {
  if (marks.length > 0) await tx.run(`DELETE FROM ${line} WHERE place = ANY ($1::bigint[])`, [marks])
}

/** Bytes of texts that are read at once, as they are unpacked: some milliseconds. */
const MOST_TEXT_BYTES = 1_000_000
const UNPACKED = 4 // times as much as packed

/**
 * The first `$1` who wait, with columns of their entry `e` and of the packed text `t` of its article, where there are any: as many
 * as have no more text than is read at once, and one at least.
 */
export function firstOf(line: WaitingLine, columns: string, more: { join?: string; kept: string }): string {
  return `SELECT * FROM (
      SELECT u.place, u.entry_id, ${columns}, t.codec, t.packed,
        sum(coalesce(octet_length(e.content), 0) + ${UNPACKED} * coalesce(octet_length(t.packed), 0))
          OVER (ORDER BY u.place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
      FROM (SELECT place, entry_id FROM ${line} ORDER BY place LIMIT $1) u
      LEFT JOIN entries e ON e.id = u.entry_id AND ${more.kept}
      LEFT JOIN article_entries l ON l.entry_id = u.entry_id LEFT JOIN articles a ON a.id = l.article_id
      LEFT JOIN article_texts t ON t.place = a.text_place ${more.join ?? ''}
    ) AS waiting WHERE coalesce(bytes_before, 0) <= ${MOST_TEXT_BYTES} ORDER BY place`
}

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
