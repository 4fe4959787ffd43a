/** Articles and the pages that they were read from, for whoever only reads. */
import type { ArticleId, ArticleText, Entry, EntryId, FeedId, RawPage, StoredArticle } from '../model/index.ts'

export interface ArticleCatalogue {
  /** In the order of `ids`; undefined for those that are gone. */
  articlesById(ids: ArticleId[]): Promise<(StoredArticle | undefined)[]>
  /** In the order of `ids`; undefined where an entry has none. Never one that is `same`: then it is the other. */
  articlesOfEntries(ids: EntryId[]): Promise<(StoredArticle | undefined)[]>
  /** In the order of `ids`, each list oldest first. */
  entriesOfArticles(ids: ArticleId[]): Promise<Entry[][]>
  /** The feeds of those entries, each once, likewise: without the entries, which may be large. */
  feedsOfArticles(ids: ArticleId[]): Promise<FeedId[][]>
  /** In the order of `ids`; undefined where there is no text. */
  articleTexts(ids: ArticleId[]): Promise<(ArticleText | undefined)[]>
  /** The page as it came, while it is kept. */
  rawPage(id: ArticleId): Promise<RawPage | undefined>
}
