/** Read access to articles and their stored pages. */
import type { ArticleId, ArticleText, Entry, EntryId, RawPage, StoredArticle } from '../model/index.ts'

export interface ArticleCatalogue {
  /** In the order of `ids`; undefined for those that are gone. */
  articlesById(ids: ArticleId[]): Promise<(StoredArticle | undefined)[]>
  /** In the order of `ids`; undefined for entries without an article. An article in the state `same` is resolved to the one it names. */
  articlesOfEntries(ids: EntryId[]): Promise<(StoredArticle | undefined)[]>
  /** In the order of `ids`; each list oldest first. */
  entriesOfArticles(ids: ArticleId[]): Promise<Entry[][]>
  /** In the order of `ids`; undefined for articles without a text. */
  articleTexts(ids: ArticleId[]): Promise<(ArticleText | undefined)[]>
  /** The original page, while it is stored. */
  rawPage(id: ArticleId): Promise<RawPage | undefined>
}
