/**
 * What stays of the secrets of a feed when its address is changed. A follower entered them for this address only: if another user changes
 * it, they are removed.
 */
import type { Context } from 'hono'
import type { FeedEdit } from '../../crawl/index.ts'
import { type Feed, type FetchSettings, fetchSettingsFor, withoutOriginSettings } from '../../model/index.ts'
import type { ReaderState } from '../../ports/index.ts'
import { callerOf } from '../authorize.ts'
import { isFollowedBy } from '../may-change-feed.ts'

export interface FeedMoves {
  /** The edit, which also removes the secrets that another user entered. */
  dropForeignSecrets(c: Context, feed: Feed, edit: FeedEdit): Promise<FeedEdit>
  /** The settings that remain at the new address of the edit. */
  fetchingAfterMove(c: Context, feed: Feed, edit: FeedEdit): Promise<FetchSettings | undefined>
}

export function createFeedMoves(readerState: Pick<ReaderState, 'subscriptionsTo'>): FeedMoves {
  async function isForeignMove(c: Context, feed: Feed, edit: FeedEdit): Promise<boolean> {
    const { user } = callerOf(c)
    const isMoved = edit.url !== undefined && edit.url !== feed.url
    return isMoved && user !== undefined && !(await isFollowedBy(readerState, user.id, feed.id))
  }

  return {
    async dropForeignSecrets(c, feed, edit) {
      if (!(await isForeignMove(c, feed, edit))) return edit
      const { fetching } = feed
      return { credentials: null, ...(fetching && { fetching: withoutOriginSettings(fetching) ?? null }), ...edit }
    },
    async fetchingAfterMove(c, feed, edit) {
      const { url, fetching } = feed
      if (!fetching || edit.url === undefined) return fetching
      const isForeign = await isForeignMove(c, feed, edit)
      return isForeign ? withoutOriginSettings(fetching) : fetchSettingsFor(fetching, url, edit.url)
    },
  }
}
