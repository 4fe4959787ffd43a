/**
 * Estimates the size of a poll. A poll without news is answered with "304 Not Modified", headers only; a poll with
 * news transfers the whole document, compressed. The figures are ours, for a typical feed with summaries; traces
 * recorded from a store have measured sizes.
 */
export const HEADERS_BYTES = 700 // of request and answer together
export const DOCUMENT_BYTES = 1000 // of a compressed document without entries
export const ENTRY_BYTES = 350 // for each entry

export function pollBytes({ window, bytes }: { window: number; bytes?: number }, found: boolean): number {
  return HEADERS_BYTES + (found ? (bytes ?? DOCUMENT_BYTES + ENTRY_BYTES * window) : 0)
}
