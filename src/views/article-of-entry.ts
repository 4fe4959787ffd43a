/** The article of an entry, or why there is none. */
import type { ArticleShape, EntryArticleShape } from '../api/index.ts'
import type { Entry, StoredArticle, WholeArticle } from '../model/index.ts'
import type { Roles } from '../ports/index.ts'
import { missingText } from './missing-text.ts'
import { type NoArchiveAudience, showableArticles } from './no-archive.ts'
import { articleShape } from './shapes/article.ts'
import { troubleShape } from './shapes/trouble.ts'
import { isoOrUndefined, omitUndefined } from './shapes/values.ts'

export interface ArticleOfEntry {
  article: StoredArticle
  shape: EntryArticleShape
}

/** Undefined if the article was never queued. */
export async function articleOfEntry(
  stores: Pick<Roles, 'articleCatalogue' | 'readerState'>,
  entry: Pick<Entry, 'id' | 'feedId'>,
  audience: NoArchiveAudience,
): Promise<ArticleOfEntry | undefined> {
  const catalogue = stores.articleCatalogue
  const [article] = await catalogue.articlesOfEntries([entry.id])
  if (!article) return undefined
  const { id, url, state, dueAt, failures, trouble } = article
  const [content] = state === 'read' ? await catalogue.articleTexts([id]) : []
  if (content) {
    const [[entries = []], [isShown]] = await Promise.all([
      catalogue.entriesOfArticles([id]),
      showableArticles([entry], [article], audience, stores),
    ])
    const whole = { article, ...content, entryIds: entries.map((one) => one.id) }
    return { article, shape: { state: 'read', ...shownArticle(whole, isShown!) } }
  }
  return {
    article,
    shape: {
      state: state === 'read' || state === 'same' ? 'forgotten' : state,
      id,
      url,
      failures,
      ...omitUndefined({ dueAt: isoOrUndefined(dueAt), trouble: troubleShape(trouble) }),
      missing: missingText(article, { hasText: false, isWithheld: false })!,
    },
  }
}

export function shownArticle(whole: WholeArticle, isShown: boolean): ArticleShape {
  const isWithheld = !isShown
  return articleShape(whole, { isWithheld, missing: missingText(whole.article, { hasText: isShown, isWithheld }) })
}
