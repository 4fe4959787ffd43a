/** How articles are removed: with the last entry that links to them, or, when they are old, only their texts. */
import type { ArticleId, ArticleState } from '../../model/index.ts'
import type { ContentChange } from './after-fetch.ts'

/** An article that an entry no longer links to, as the store then has it. */
export interface LetGo {
  id: ArticleId
  /** By another entry. */
  isPointedAt: boolean
  /** Articles that turned out to be this one. */
  aliases: ArticleId[]
}

/** The articles to delete, with all their data. */
export function goneWith({ id, isPointedAt, aliases }: LetGo): ArticleId[] {
  return isPointedAt ? [] : [...aliases, id]
}

/** When a feed's pages are no longer wanted, its entries drop their articles in this state; pages already read are kept. */
export const GIVEN_UP: ArticleState = 'waiting'

/** When a text is too old to keep; results derived from it stay. */
export const FORGOTTEN: ContentChange = { text: 'drop', page: 'drop', reindex: true, placeAgain: false }
