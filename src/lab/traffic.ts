/**
 * What a poll weighs, where nobody has measured it. A poll that finds nothing is answered "304 Not Modified", headers
 * alone; one that finds something brings the whole document, packed. The figures are ours, of an ordinary feed with
 * summaries; a trace that was recorded from a store has its own.
 */
export const HEADERS_BYTES = 700 // of request and answer together
export const DOCUMENT_BYTES = 1000 // of a packed document without entries
export const ENTRY_BYTES = 350 // that each entry adds to it

export function pollBytes({ window, bytes }: { window: number; bytes?: number }, found: boolean): number {
  return HEADERS_BYTES + (found ? (bytes ?? DOCUMENT_BYTES + ENTRY_BYTES * window) : 0)
}
