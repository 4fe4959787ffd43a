/**
 * What entries say themselves: what their feeds always say is learnt from all of a batch first, and then taken off each of
 * them, so that the first poll of a feed shows its habits, and the order within a batch decides nothing. What was learnt
 * goes to the store together with the places of the entries.
 */
import { commonHabits, habitsOf, type Shown } from '../../dedup/index.ts'
import type { EntryId, FeedId } from '../../model/index.ts'
import { ALL_FEEDS, type KeptHabits } from '../../ports/index.ts'

/** An entry as text. */
export interface SaidEntry extends Shown {
  id: EntryId
  feedId: FeedId
}

export interface OwnWords {
  /** The entries, without what is not their own. */
  own: Map<EntryId, { title: string; text: string }>
  habits: KeptHabits[]
}

/** What the store has kept of all feeds together, and of those that a batch is of. */
export type BatchHabits = ReadonlyMap<FeedId, Uint8Array>

export function ownWords(kept: BatchHabits, said: readonly SaidEntry[]): OwnWords {
  const own: OwnWords['own'] = new Map()
  const habits: KeptHabits[] = []
  if (said.length === 0) return { own, habits }
  const common = commonHabits(kept.get(ALL_FEEDS), said)
  habits.push({ feedId: ALL_FEEDS, memory: common.memory })
  for (const [feedId, entries] of Map.groupBy(said, (one) => one.feedId)) {
    const { without, memory } = habitsOf(kept.get(feedId), entries)
    habits.push({ feedId, memory })
    for (const entry of entries) own.set(entry.id, common.without(without(entry)))
  }
  return { own, habits }
}
