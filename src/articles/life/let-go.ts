/** How articles go: with the last entry that points at them, or, by their age, without their texts. */
import type { ArticleId, ArticleState } from '../../model/index.ts'
import type { ContentChange } from './after-fetch.ts'

/** An article that an entry has let go of, as the store has it then. */
export interface LetGo {
  id: ArticleId
  /** By an entry. */
  isPointedAt: boolean
  /** Those that turned out to be this one. */
  aliases: ArticleId[]
}

/** Who is dropped, with all that is kept of them. */
export function goneWith({ id, isPointedAt, aliases }: LetGo): ArticleId[] {
  return isPointedAt ? [] : [...aliases, id]
}

/** The entries of a feed whose pages nobody wants any more let go of articles in this state: what was read stays. */
export const GIVEN_UP: ArticleState = 'waiting'

/** When a text is too old to be kept; what was found by it stays. */
export const FORGOTTEN: ContentChange = { text: 'drop', page: 'drop', reindex: true, placeAgain: false }
