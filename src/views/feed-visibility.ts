/** What one caller can see: which feeds are within their scope. */
import type { FeedId, FeedScope } from '../model/index.ts'
import type { Roles, Search } from '../ports/index.ts'

export type VisibleParts = Pick<Roles, 'catalogue' | 'articleCatalogue' | 'groupCatalogue' | 'readership'> & {
  search: Search
}

/** What a caller can see. */
export interface FeedVisibility {
  scope: FeedScope
  /** Which of these are in sight. */
  filterVisible(ids: readonly (FeedId | undefined)[]): Promise<ReadonlySet<FeedId>>
  isVisible(id: FeedId | undefined): Promise<boolean>
  /** All feeds in sight, or out of it; oldest first. */
  feedPages(is?: 'seen' | 'hidden'): AsyncGenerator<FeedId[]>
}

const PAGE = 5000
/** Feeds that are asked about at once. */
const TOGETHER = 1000

export function createFeedVisibility(
  { readership }: Pick<VisibleParts, 'readership'>,
  scope: FeedScope,
): FeedVisibility {
  async function among(ids: readonly (FeedId | undefined)[]): Promise<ReadonlySet<FeedId>> {
    const all = [...new Set(ids.filter((id) => id !== undefined))]
    const seen = new Set<FeedId>()
    for (let i = 0; i < all.length; i += TOGETHER) {
      for (const id of await readership.feedsWithin(scope, { among: all.slice(i, i + TOGETHER) })) seen.add(id)
    }
    return seen
  }
  return {
    scope,
    filterVisible: among,
    isVisible: async (id) => id !== undefined && (await among([id])).has(id),
    async *feedPages(is = 'seen') {
      for (let after = 0 as FeedId; ; ) {
        const page = await readership.feedsWithin(scope, { hidden: is === 'hidden', after, limit: PAGE })
        yield page
        if (page.length < PAGE) return
        after = page.at(-1)!
      }
    },
  }
}
