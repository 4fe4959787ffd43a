/** Restricts articles to those of visible entries. Callers only learn ids of visible articles, so texts need no check of their own. */
import type { ArticleId, WholeArticle } from '../model/index.ts'
import type { ArticleCatalogue, Catalogue } from '../ports/index.ts'
import type { FeedVisibility, VisibleParts } from './feed-visibility.ts'
import { arrivalPages } from './visible-entries.ts'

export function visibleArticles(
  parts: VisibleParts,
  visibility: FeedVisibility,
  visible: Pick<Catalogue, 'feedsOfEntries'>,
): {
  catalogue: Pick<ArticleCatalogue, 'articlesOfEntries' | 'entriesOfArticles'>
  everyArticle: Catalogue['everyArticle']
} {
  const { articleCatalogue } = parts

  const articlesOfEntries: ArticleCatalogue['articlesOfEntries'] = async (ids) => {
    const feeds = await visible.feedsOfEntries(ids)
    const articles = await articleCatalogue.articlesOfEntries(ids)
    return ids.map((_, i) => (feeds[i] === undefined ? undefined : articles[i]))
  }

  const entriesOfArticles: ArticleCatalogue['entriesOfArticles'] = async (ids) => {
    const lists = await articleCatalogue.entriesOfArticles(ids)
    const visibleFeeds = await visibility.filterVisible(lists.flat().map(({ feedId }) => feedId))
    return lists.map((list) => list.filter(({ feedId }) => visibleFeeds.has(feedId)))
  }

  return {
    catalogue: { articlesOfEntries, entriesOfArticles },
    /** Ordered by the arrival of their entries. */
    async *everyArticle({ feedId, since = Number.NEGATIVE_INFINITY }) {
      const seenArticles = new Set<ArticleId>()
      for await (const ids of arrivalPages(parts, visibility, feedId === undefined ? {} : { feedIds: [feedId] })) {
        for (const article of await articlesOfEntries(ids)) {
          if (!article || seenArticles.has(article.id) || article.state !== 'read' || (article.fetchedAt ?? 0) < since)
            continue
          seenArticles.add(article.id)
          const [[text], [entries = []]] = await Promise.all([
            articleCatalogue.articleTexts([article.id]),
            entriesOfArticles([article.id]),
          ])
          if (text) yield { article, ...text, entryIds: entries.map(({ id }) => id) } satisfies WholeArticle
        }
      }
    },
  }
}
