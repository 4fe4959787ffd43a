/** Limits on stored history, the same in every store. The oldest items are dropped first. */
import type { EntryDraft } from '../model/index.ts'

/** Probed addresses without a feed, per host. One search for a feed makes fifteen requests. */
export const MAX_FAILED_PROBES = 200
/** Earlier versions of one entry. Some feeds change a title back and forth at every poll. */
export const MAX_VERSIONS = 20
/** Earlier versions that include the text below the title. A feed that changes everything at every poll takes this many times its size. */
export const MAX_BODIES = 3
/** Characters kept of such a text. */
export const MAX_BODY_LENGTH = 16_000
/** Moves of one entry from group to group. */
export const MAX_MOVES = 20

type EntryBody = { content?: string | null | undefined; summary?: string | null | undefined }

/** The text below the title to keep as an earlier version; undefined if it has not changed. */
export function previousBody(before: EntryBody, after: Pick<EntryDraft, 'content' | 'summary'>): string | undefined {
  const body = before.content ?? before.summary ?? undefined
  if (body === undefined || body === (after.content ?? after.summary)) return undefined
  return body.slice(0, MAX_BODY_LENGTH).toWellFormed()
}
