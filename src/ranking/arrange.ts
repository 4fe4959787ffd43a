/**
 * Orders scored entries for reading: the best first, but each story once, and no feed fills the list. An entry counts less the more entries
 * of its feed are among those just before it, and three of one feed follow each other only if nothing else is left.
 */
import type { EntryId, FeedId } from '../model/index.ts'
import { sigmoid } from './model.ts'

export interface Arranged {
  id: EntryId
  feedId: FeedId
  score: number
  /** Entries with the same story are listed once. */
  storyId?: number | undefined
}

/** How many of the preceding entries are considered, and how much less an entry counts for each one of its feed. */
const NEARBY = 10
const SAME_FEED = 0.75
const MAX_IN_A_ROW = 2

/** At most `limit` entries. Of equal scores, the order of `entries` decides. */
export function arrange<Entry extends Arranged>(entries: readonly Entry[], limit: number): Entry[] {
  const waiting = queuesByFeed(entries)
  const chosen: Entry[] = []
  const stories = new Set<number>()
  while (chosen.length < limit) {
    const nearby = chosen.slice(-NEARBY)
    let best: { entry: Entry; worth: number } | undefined
    for (const [feedId, queue] of waiting) {
      while (isListed(queue.at(-1), stories)) queue.pop()
      const entry = queue.at(-1)
      if (!entry) {
        waiting.delete(feedId)
        continue
      }
      const worth = worthOf(entry, nearby)
      if (!best || worth > best.worth) best = { entry, worth }
    }
    if (!best) break
    chosen.push(best.entry)
    waiting.get(best.entry.feedId)!.pop()
    if (best.entry.storyId !== undefined) stories.add(best.entry.storyId)
  }
  return chosen
}

/** The entries of each feed, with the best one at the end. */
function queuesByFeed<Entry extends Arranged>(entries: readonly Entry[]): Map<FeedId, Entry[]> {
  const queues = new Map<FeedId, Entry[]>()
  for (const entry of entries.toSorted((a, b) => b.score - a.score)) {
    const queue = queues.get(entry.feedId)
    if (queue) queue.push(entry)
    else queues.set(entry.feedId, [entry])
  }
  for (const queue of queues.values()) queue.reverse()
  return queues
}

function isListed(entry: Arranged | undefined, stories: ReadonlySet<number>): boolean {
  return entry?.storyId !== undefined && stories.has(entry.storyId)
}

/** Negative if it would be the third of its feed in a row. */
function worthOf({ feedId, score }: Arranged, nearby: readonly Arranged[]): number {
  const sameFeed = nearby.filter((one) => one.feedId === feedId).length
  const last = nearby.slice(-MAX_IN_A_ROW)
  const isTooMany = last.length === MAX_IN_A_ROW && last.every((one) => one.feedId === feedId)
  return sigmoid(score) * SAME_FEED ** sameFeed - (isTooMany ? 1 : 0)
}
