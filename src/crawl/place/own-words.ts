/**
 * What entries say themselves: what their feeds always say is learnt from all of a bite first, and then taken off each of
 * them, so that the first poll of a feed shows its habits, and the order within a bite decides nothing. What was learnt
 * goes to the store together with the places of the entries.
 */
import { commonHabits, habitsOf, type Shown } from '../../dedup/index.ts'
import type { EntryId, FeedId } from '../../model/index.ts'
import { ALL_FEEDS, type KeptHabits, type Lines } from '../../ports/index.ts'

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

/** `pause`: a turn for the others, where it is time. */
export async function ownWords(
  lines: Lines,
  said: readonly SaidEntry[],
  pause: () => Promise<void>,
): Promise<OwnWords> {
  const own: OwnWords['own'] = new Map()
  const habits: KeptHabits[] = []
  if (said.length === 0) return { own, habits }
  const byFeed = Map.groupBy(said, ({ feedId }) => feedId)
  const [forAll, ...memories] = await lines.habits([ALL_FEEDS, ...byFeed.keys()])
  const common = commonHabits(forAll, said)
  habits.push({ feedId: ALL_FEEDS, memory: common.memory })
  for (const [i, [feedId, entries]] of [...byFeed].entries()) {
    const { without, memory } = habitsOf(memories[i], entries)
    habits.push({ feedId, memory })
    for (const entry of entries) own.set(entry.id, common.without(without(entry)))
    await pause()
  }
  return { own, habits }
}
