/** Decides which feeds one caller can see. */
import type { FeedId, FeedScope } from '../model/index.ts'
import type { Roles, Search } from '../ports/index.ts'

export type VisibleParts = Pick<Roles, 'catalogue' | 'articleCatalogue' | 'groupCatalogue' | 'readerState'> & {
  search: Search
}

export interface FeedVisibility {
  scope: FeedScope
  /** The visible ones of these feeds. */
  filterVisible(ids: readonly (FeedId | undefined)[]): Promise<ReadonlySet<FeedId>>
  isVisible(id: FeedId | undefined): Promise<boolean>
  /** All visible or all hidden feeds, oldest first. */
  feedPages(which?: 'seen' | 'hidden'): AsyncGenerator<FeedId[]>
}

const PAGE = 5000
/** Feeds per query. */
const CHUNK = 1000

export function createFeedVisibility(
  { readerState }: Pick<VisibleParts, 'readerState'>,
  scope: FeedScope,
): FeedVisibility {
  async function visibleAmong(ids: readonly (FeedId | undefined)[]): Promise<ReadonlySet<FeedId>> {
    const all = [...new Set(ids.filter((id) => id !== undefined))]
    const visible = new Set<FeedId>()
    for (let i = 0; i < all.length; i += CHUNK) {
      for (const id of await readerState.feedsWithin(scope, { among: all.slice(i, i + CHUNK) })) visible.add(id)
    }
    return visible
  }
  return {
    scope,
    filterVisible: visibleAmong,
    isVisible: async (id) => id !== undefined && (await visibleAmong([id])).has(id),
    async *feedPages(which = 'seen') {
      for (let after = 0 as FeedId; ; ) {
        const page = await readerState.feedsWithin(scope, { hidden: which === 'hidden', after, limit: PAGE })
        yield page
        if (page.length < PAGE) return
        after = page.at(-1)!
      }
    },
  }
}
