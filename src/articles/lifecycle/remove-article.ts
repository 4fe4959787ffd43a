/** How articles are removed: with the last entry that links to them, or, when they are old, only their texts. */
import type { ArticleId, ArticleState } from '../../model/index.ts'
import type { ContentChange } from './after-fetch.ts'

/** An article after one of its entries stopped linking to it. */
export interface UnlinkedArticle {
  id: ArticleId
  /** Whether another entry still links to it. */
  isLinked: boolean
  /** Articles that turned out to be this one. */
  aliases: ArticleId[]
}

/** The articles to delete, with all their data. */
export function articlesToDelete({ id, isLinked, aliases }: UnlinkedArticle): ArticleId[] {
  return isLinked ? [] : [...aliases, id]
}

/** Articles in this state are removed when their feed's full texts are no longer wanted; articles already read are kept. */
export const UNWANTED_STATE: ArticleState = 'waiting'

/** The change when a text exceeds its retention time. Groups and dates derived from the text stay. */
export const EXPIRED_TEXT: ContentChange = { text: 'drop', page: 'drop', reindex: true, regroup: false }
