/** What became of the page that an entry points at: the article, or why there is none. */
import type { EntryId } from '../model/index.ts'
import type { Catalogue } from '../ports/index.ts'
import { type ArticleShape, articleShape } from './article-shape.ts'
import { isoIfAny, present } from './present.ts'
import { type TroubleShape, troubleShape } from './trouble-shape.ts'

export type EntryArticleShape =
  | ({ state: 'read' } & ArticleShape)
  /**
   * waiting: it will be fetched at `dueAt`, or as soon as its site may be visited. failed: it could not be had. refused: its
   * site does not want it to be kept. forgotten: it was read, and is too old to be kept.
   */
  | {
      state: 'waiting' | 'failed' | 'refused' | 'forgotten'
      id: number
      url: string
      dueAt?: string
      failures: number
      trouble?: TroubleShape
    }

/** Undefined if its page was never wanted. */
export async function articleOfEntry(catalogue: Catalogue, entryId: EntryId): Promise<EntryArticleShape | undefined> {
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
    ...present({ dueAt: isoIfAny(dueAt), trouble: troubleShape(trouble) }),
  }
}
