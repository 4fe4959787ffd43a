/** The article of an entry, or why there is none. */
import type { EntryArticleShape } from '../api/index.ts'
import type { EntryId } from '../model/index.ts'
import type { ArticleCatalogue } from '../ports/index.ts'
import { articleShape } from './shapes/article.ts'
import { troubleShape } from './shapes/trouble.ts'
import { isoOrUndefined, omitUndefined } from './shapes/values.ts'

/** Undefined if the article was never queued. */
export async function articleOfEntry(
  catalogue: ArticleCatalogue,
  entryId: EntryId,
): Promise<EntryArticleShape | undefined> {
  const [article] = await catalogue.articlesOfEntries([entryId])
  if (!article) return undefined
  const { id, url, state, dueAt, failures, trouble } = article
  const [content] = state === 'read' ? await catalogue.articleTexts([id]) : []
  if (content) {
    const [entries = []] = await catalogue.entriesOfArticles([id])
    return { state: 'read', ...articleShape({ article, ...content, entryIds: entries.map((entry) => entry.id) }) }
  }
  return {
    state: state === 'read' || state === 'same' ? 'forgotten' : state,
    id,
    url,
    failures,
    ...omitUndefined({ dueAt: isoOrUndefined(dueAt), trouble: troubleShape(trouble) }),
  }
}
