/**
 * Everything out, as one JSON object a line: what is asked for is read piece by piece, and made when it is taken, so that a store
 * of any size fits into little memory. Entries are given whole, as their feeds say them; of pages that ask not to be shown from a
 * copy, all but the text.
 */
import type { ArticleLineShape } from '../api/index.ts'
import { type Entry, type EntryId, type FeedId, type GroupLevel, type Instant, jsonText } from '../model/index.ts'
import { articleOfEntry } from './article-of-entry.ts'
import type { Catalogues } from './find-entries.ts'
import { articleShape } from './shapes/article.ts'
import { entryDetailsShape } from './shapes/entry.ts'
import { feedShape } from './shapes/feed.ts'
import { pollShape } from './shapes/poll.ts'

export type Exported = 'feeds' | 'entries' | 'articles' | 'polls'

/** Of feeds there is nothing to narrow down; `unique` and `after` are for entries, `with` for entries or for articles. */
export interface ExportFilter {
  feedId?: FeedId
  since?: Instant
  unique?: GroupLevel
  after?: EntryId
  with?: 'article' | 'entry' | undefined
}

export async function* exportLines(
  what: Exported,
  { catalogue, articleCatalogue, groupCatalogue }: Catalogues,
  { with: beside, ...filter }: ExportFilter,
): AsyncGenerator<string> {
  async function feedTitleOf({ feedId }: Entry): Promise<string | undefined> {
    const [held] = await catalogue.feedsById([feedId])
    return held?.feed.title || undefined
  }

  switch (what) {
    case 'feeds':
      for await (const feed of catalogue.everyFeed()) yield jsonText(feedShape(feed))
      return
    case 'entries':
      for await (const entry of catalogue.everyEntry(filter)) {
        const [copies] = await groupCatalogue.groupsOfEntries([entry.id], 'copy')
        const article = beside && (await articleOfEntry(articleCatalogue, entry.id))
        const feedTitle = beside && (await feedTitleOf(entry))
        yield jsonText(entryDetailsShape(entry, { copies, article, feedTitle }))
      }
      return
    case 'articles':
      for await (const whole of catalogue.everyArticle(filter)) {
        const [entry] = beside ? await catalogue.entriesById(whole.entryIds.slice(0, 1)) : []
        const shape = entry && entryDetailsShape(entry, { feedTitle: await feedTitleOf(entry) })
        yield jsonText({ ...articleShape(whole), ...(shape && { entry: shape }) } satisfies ArticleLineShape)
      }
      return
    case 'polls':
      for await (const poll of catalogue.everyPoll(filter)) yield jsonText(pollShape(poll))
  }
}
