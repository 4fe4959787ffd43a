/** Rows of entries -> entries, after they have been read: long texts may have to be unpacked, so others get their turns meanwhile. */
import type { Entry } from '../../../model/index.ts'
import { createStretch } from '../../../ports/index.ts'
import { type EntryRow, entryOf } from '../sql/rows.ts'

export async function entriesOfRows(rows: Iterable<EntryRow>): Promise<Entry[]> {
  const stretch = createStretch()
  const entries: Entry[] = []
  for (const row of rows) {
    if (stretch.isOver()) await stretch.pause()
    entries.push(entryOf(row))
  }
  return entries
}
