/**
 * Exports as JSON Lines, one object per line. Rows are read in pages and converted on demand, so a store of any size needs little memory.
 * Entries are complete, with boilerplate. The texts of noarchive articles are left out unless the operator includes them.
 */
import type { ArticleLineShape } from '../api/index.ts'
import {
  type Entry,
  type EntryId,
  type EntryState,
  type FeedId,
  type GroupLevel,
  type Instant,
  jsonText,
  type UserId,
} from '../model/index.ts'
import { articleOfEntry, shownArticle } from './article-of-entry.ts'
import type { Catalogues } from './entry-texts.ts'
import { entryDetailsShape } from './shapes/entry.ts'
import { feedShape } from './shapes/feed.ts'
import { pollShape } from './shapes/poll.ts'

export type ExportKind = 'feeds' | 'entries' | 'articles' | 'polls'

/** Not used for feeds. `unique` and `after` apply to entries, `with` to entries or articles. */
export interface ExportFilter {
  feedId?: FeedId
  since?: Instant
  unique?: GroupLevel
  after?: EntryId
  with?: 'article' | 'entry' | undefined
  includeNoArchive?: boolean
  /** Whose labels are added to entries. */
  reader?: UserId | undefined
}

export async function* exportLines(
  kind: ExportKind,
  stores: Catalogues,
  { with: related, includeNoArchive = false, reader, ...filter }: ExportFilter,
): AsyncGenerator<string> {
  const { catalogue, groupCatalogue, readerState } = stores

  async function feedTitleOf({ feedId }: Entry): Promise<string | undefined> {
    const [scheduled] = await catalogue.feedsById([feedId])
    return scheduled?.feed.title || undefined
  }

  const hasLabels = reader !== undefined && (await readerState.labelsOf(reader)).length > 0

  async function labelsOf({ id }: Entry): Promise<{ state?: EntryState }> {
    if (!hasLabels) return {}
    const [{ labels } = {}] = await readerState.entryStates(reader, [id])
    return labels ? { state: { starred: false, labels } } : {}
  }

  switch (kind) {
    case 'feeds':
      for await (const feed of catalogue.everyFeed()) yield jsonText(feedShape(feed))
      return
    case 'entries':
      for await (const entry of catalogue.everyEntry(filter)) {
        const [copies] = await groupCatalogue.groupsOfEntries([entry.id], 'copy')
        const article = related && (await articleOfEntry(stores, entry, { includeNoArchive }))
        const feedTitle = related && (await feedTitleOf(entry))
        yield jsonText(entryDetailsShape(entry, { copies, article, feedTitle, ...(await labelsOf(entry)) }))
      }
      return
    case 'articles':
      for await (const whole of catalogue.everyArticle(filter)) {
        const [entry] = related ? await catalogue.entriesById(whole.entryIds.slice(0, 1)) : []
        const shape = entry && entryDetailsShape(entry, { feedTitle: await feedTitleOf(entry) })
        const isShown = includeNoArchive || !whole.article.noArchive
        yield jsonText({ ...shownArticle(whole, isShown), ...(shape && { entry: shape }) } satisfies ArticleLineShape)
      }
      return
    case 'polls':
      for await (const poll of catalogue.everyPoll(filter)) yield jsonText(pollShape(poll))
  }
}
