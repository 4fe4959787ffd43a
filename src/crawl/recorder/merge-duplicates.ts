/**
 * Merges duplicate entries of a feed that changes its keys at every fetch. Once that is noticed, the feed is matched by title and text
 * (feeds/reconcile/match-by-text); the duplicates stored before are merged here. Of entries with the same text the oldest stays, which is
 * also the one that later windows are matched with. It takes over the read and starred states of the others. Search index and groups
 * follow, since the others are deleted like expired entries.
 *
 * Works in chunks, so that transactions stay short. Repeating it, also after an interruption, merges what is left.
 */

import { textSignature } from '../../feeds/index.ts'
import type { EntryId, Feed, FeedId, UserId } from '../../model/index.ts'
import type { Clock, Roles } from '../../ports/index.ts'
import type { RetryTransient } from '../retried-steps.ts'
import { addLabels } from './add-labels.ts'

export interface DuplicateMergerParts extends Pick<Roles, 'catalogue' | 'retention' | 'users' | 'readerState'> {
  clock: Clock
  retryTransient: RetryTransient
}

/** Runs once per feed and process: later entries are matched when they arrive. */
export function createDuplicateMerger(parts: DuplicateMergerParts): { mergeOnce(feed: Feed): Promise<void> } {
  const done = new Set<FeedId>()
  return {
    async mergeOnce({ id }) {
      if (done.has(id)) return
      await parts.retryTransient('merge duplicates', () => mergeDuplicates(parts, id))
      done.add(id)
    },
  }
}

const CHUNK = 100

interface Duplicate {
  id: EntryId
  remainingId: EntryId
}

async function mergeDuplicates(parts: DuplicateMergerParts, feedId: FeedId): Promise<void> {
  const duplicates = await duplicatesIn(parts, feedId)
  if (duplicates.length === 0) return
  const { users, retention } = parts
  const userIds = new Set([await users.firstUser(), ...(await users.allUsers()).map(({ id }) => id)])
  for (let i = 0; i < duplicates.length; i += CHUNK) {
    const chunk = duplicates.slice(i, i + CHUNK)
    for (const userId of userIds) await moveEntryStates(parts, userId, chunk)
    await retention.forgetEntriesById(chunk.map(({ id }) => id))
  }
}

async function duplicatesIn({ catalogue }: DuplicateMergerParts, feedId: FeedId): Promise<Duplicate[]> {
  const oldest = new Map<string, EntryId>()
  const duplicates: Duplicate[] = []
  for await (const entry of catalogue.everyEntry({ feedId })) {
    const signature = textSignature(entry)
    if (signature === undefined) continue
    const remainingId = oldest.get(signature)
    if (remainingId === undefined) oldest.set(signature, entry.id)
    else duplicates.push({ id: entry.id, remainingId })
  }
  return duplicates
}

/** Copies entry states and labels to the entries that stay. */
async function moveEntryStates(
  { readerState, clock }: DuplicateMergerParts,
  userId: UserId,
  duplicates: Duplicate[],
): Promise<void> {
  const states = await readerState.entryStates(
    userId,
    duplicates.map(({ id }) => id),
  )
  const duplicatesWhere = (matches: (state: (typeof states)[number]) => boolean) =>
    duplicates.filter((_, i) => matches(states[i]!))
  const read = duplicatesWhere((state) => state.read === true)
  const starred = duplicatesWhere((state) => state.starred)
  const now = clock.now()
  if (read.length > 0) await readerState.markEntries(userId, remainingIdsOf(read), 'read', now)
  const labeled = duplicates.map(({ remainingId: id }, i) => ({ id, ...states[i]! }))
  await addLabels(readerState, userId, labeled, now)
  for (const [i, { labels = [] }] of states.entries()) // labeled entries would not be deleted
    if (labels.length > 0) await readerState.labelEntries(userId, [duplicates[i]!.id], { remove: labels }, now)
  if (starred.length === 0) return
  await readerState.starEntries(userId, remainingIdsOf(starred), true, now)
  const starredIds = starred.map(({ id }) => id)
  await readerState.starEntries(userId, starredIds, false, now) // starred entries would not be deleted
}

function remainingIdsOf(duplicates: Duplicate[]): EntryId[] {
  return [...new Set(duplicates.map(({ remainingId }) => remainingId))]
}
