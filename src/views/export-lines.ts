/**
 * Everything out, as one JSON object a line: what is asked for is read piece by piece, and made when it is taken, so that a store
 * of any size fits into little memory. Entries are given whole, as their feeds say them; of pages that ask not to be shown from a
 * copy, all but the text.
 */
import { type EntryId, type FeedId, type GroupLevel, type Instant, jsonText } from '../model/index.ts'
import type { Catalogues } from './find-entries.ts'
import { articleShape } from './shapes/article.ts'
import { wholeEntryShape } from './shapes/entry.ts'
import { feedShape } from './shapes/feed.ts'
import { pollShape } from './shapes/poll.ts'

export type Exported = 'feeds' | 'entries' | 'articles' | 'polls'

/** Of feeds there is nothing to narrow down; `unique` and `after` are for entries. */
export interface ExportFilter {
  feedId?: FeedId
  since?: Instant
  unique?: GroupLevel
  after?: EntryId
}

export async function* exportLines(
  what: Exported,
  { catalogue, groupCatalogue }: Catalogues,
  filter: ExportFilter,
): AsyncGenerator<string> {
  switch (what) {
    case 'feeds':
      for await (const feed of catalogue.everyFeed()) yield jsonText(feedShape(feed))
      return
    case 'entries':
      for await (const entry of catalogue.everyEntry(filter)) {
        const [copies] = await groupCatalogue.groupsOfEntries([entry.id], 'copy')
        yield jsonText(wholeEntryShape(entry, { copies }))
      }
      return
    case 'articles':
      for await (const whole of catalogue.everyArticle(filter)) yield jsonText(articleShape(whole))
      return
    case 'polls':
      for await (const poll of catalogue.everyPoll(filter)) yield jsonText(pollShape(poll))
  }
}
