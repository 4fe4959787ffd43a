/** Articles as one caller sees them: those of entries in sight. Their ids are told to nobody, so texts need no look of their own. */
import type { ArticleId, WholeArticle } from '../model/index.ts'
import type { ArticleCatalogue, Catalogue } from '../ports/index.ts'
import type { FeedVisibility, VisibleParts } from './feed-visibility.ts'
import { arrivedIn } from './visible-entries.ts'

export function visibleArticles(
  parts: VisibleParts,
  sight: FeedVisibility,
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
    const seen = await sight.filterVisible(lists.flat().map(({ feedId }) => feedId))
    return lists.map((list) => list.filter(({ feedId }) => seen.has(feedId)))
  }

  return {
    catalogue: { articlesOfEntries, entriesOfArticles },
    /** In the order in which their entries arrived. */
    async *everyArticle({ feedId, since = Number.NEGATIVE_INFINITY }) {
      const met = new Set<ArticleId>()
      for await (const ids of arrivedIn(parts, sight, feedId === undefined ? {} : { feedIds: [feedId] })) {
        for (const article of await articlesOfEntries(ids)) {
          if (!article || met.has(article.id) || article.state !== 'read' || (article.fetchedAt ?? 0) < since) continue
          met.add(article.id)
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
