/**
 * Removes boilerplate from texts. The boilerplate of feeds is learned from all entries of a batch first and then removed from each, so that
 * it works from the first poll of a feed, and the order within a batch has no effect. What was learned is stored together with the groups
 * of the entries.
 */
import { boilerplateOfFeed, commonBoilerplate, type Shown } from '../../dedup/index.ts'
import type { EntryId, FeedId } from '../../model/index.ts'
import { ALL_FEEDS, type FeedBoilerplate } from '../../ports/index.ts'

/** The text of an entry. */
export interface EntryText extends Shown {
  id: EntryId
  feedId: FeedId
}

export interface OwnTexts {
  /** The texts of entries without boilerplate. */
  own: Map<EntryId, { title: string; text: string }>
  boilerplate: FeedBoilerplate[]
}

/** The stored boilerplate of the feeds of a batch, and of all feeds together (`ALL_FEEDS`). */
export type BatchBoilerplate = ReadonlyMap<FeedId, Uint8Array>

export function removeBoilerplate(stored: BatchBoilerplate, texts: readonly EntryText[]): OwnTexts {
  const own: OwnTexts['own'] = new Map()
  const boilerplate: FeedBoilerplate[] = []
  if (texts.length === 0) return { own, boilerplate }
  const common = commonBoilerplate(stored.get(ALL_FEEDS), texts)
  boilerplate.push({ feedId: ALL_FEEDS, memory: common.memory })
  for (const [feedId, entries] of Map.groupBy(texts, (text) => text.feedId)) {
    const { without, memory } = boilerplateOfFeed(stored.get(feedId), entries)
    boilerplate.push({ feedId, memory })
    for (const entry of entries) own.set(entry.id, common.without(without(entry)))
  }
  return { own, boilerplate }
}
