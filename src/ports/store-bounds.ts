/** How much a store keeps of one thing, the same in every store: what is older than these goes. */
import type { EntryDraft } from '../model/index.ts'

/** Of one host, likely places that had no feed are told; a look for a feed takes fifteen requests. */
export const MOST_MISSES = 200
/** What one entry said before; some feeds change a title back and forth at every poll. */
export const KEPT_VERSIONS = 20
/** Of these, so many with what the entry said below its title; a feed that changes everything at every poll takes so many times its room. */
export const KEPT_BODIES = 3
/** And so much of it, in characters. */
export const LONGEST_BODY = 16_000
/** Moves of one entry from group to group. */
export const KEPT_MOVES = 20

type Said = { content?: string | null | undefined; summary?: string | null | undefined }

/** What is kept of what an entry said below its title, now that it says something else there. */
export function bodyBefore(before: Said, after: Pick<EntryDraft, 'content' | 'summary'>): string | undefined {
  const body = before.content ?? before.summary ?? undefined
  if (body === undefined || body === (after.content ?? after.summary)) return undefined
  return body.slice(0, LONGEST_BODY).toWellFormed()
}
