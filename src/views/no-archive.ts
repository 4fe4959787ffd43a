/**
 * Who sees the texts of noarchive pages. `noarchive` asks not to offer a copy to the public; a feed reader shows a page to a person who
 * follows it, as a browser would. So users see these texts where they follow the feed, or where the operator lists it, and nowhere else:
 * not in outgoing feeds and exports, unless `--include-noarchive` allows it, and not in feeds of other users.
 */
import type { FeedId, StoredArticle, UserId } from '../model/index.ts'
import type { ReaderState } from '../ports/index.ts'

/** A user; or everybody, if the operator allows it; or nobody. */
export interface NoArchiveAudience {
  reader?: UserId | undefined
  includeNoArchive?: boolean | undefined
}

/** For each entry whether the text of its article may be shown. Asks the store only if there is a noarchive article. */
export async function showableArticles(
  entries: readonly { feedId: FeedId }[],
  articles: readonly (StoredArticle | undefined)[],
  { reader, includeNoArchive = false }: NoArchiveAudience,
  { readerState }: { readerState: Pick<ReaderState, 'feedsWithin'> },
): Promise<boolean[]> {
  const isFree = articles.map((article) => includeNoArchive || !article?.noArchive)
  const among = [...new Set(entries.filter((_, i) => !isFree[i]).map(({ feedId }) => feedId))]
  const followed =
    reader === undefined || among.length === 0
      ? new Set<FeedId>()
      : new Set(await readerState.feedsWithin({ userId: reader, reach: 'common' }, { among }))
  return entries.map(({ feedId }, i) => isFree[i]! || followed.has(feedId))
}
