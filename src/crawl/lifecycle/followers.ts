/**
 * Follows and unfollows feeds. One crawl serves all users: a user who adds an existing feed follows it, and a feed is removed when its last
 * follower leaves, unless freshet.toml lists it. While there is only one user, the crawl uses their titles and folders, because goals are
 * set per folder.
 */
import { type FeedId, truncateLabels, type UserId } from '../../model/index.ts'
import type {
  Catalogue,
  Clock,
  FeedRegistry,
  FollowTarget,
  NewSubscription,
  ReaderState,
  Users,
} from '../../ports/index.ts'
import type { Address, Crawler, SubscribeResult } from '../crawler.ts'

/** How many of the newest entries of an existing feed are unread for a new follower. */
export const MAX_INITIAL_UNREAD = 30

const FEEDS_PER_PAGE = 1000

export interface FollowerParts {
  readerState: ReaderState
  users: Users
  catalogue: Catalogue
  feedRegistry: FeedRegistry
  clock: Clock
}

export type FollowerCommands = Pick<Crawler, 'follow' | 'unsubscribe' | 'editSubscription' | 'renameFolder'>

/** The subscription to follow for an added address, with the title and folder given with it. Empty if the address was refused. */
export function newSubscriptionsOf(
  result: SubscribeResult,
  { title, folder }: Partial<Address> = {},
): NewSubscription[] {
  if (result.kind === 'refused') return []
  const about = { ...(title && { title }), ...(folder && { folder }) }
  return [result.kind === 'feed' ? { feedId: result.feedId, ...about } : { sourceId: result.sourceId, ...about }]
}

export function createFollowerCommands(
  { readerState, users, catalogue, feedRegistry, clock }: FollowerParts,
  edit: Crawler['edit'],
  afterRemoval: () => void,
): FollowerCommands {
  /** Removes a feed or source that nobody follows any more. */
  async function removeUnlessListed(target: FollowTarget): Promise<void> {
    if ('feedId' in target) {
      const [stored] = await catalogue.feedsById([target.feedId])
      if (stored && !stored.feed.listed) await feedRegistry.removeFeed(target.feedId)
      return
    }
    const [source] = await catalogue.sourcesById([target.sourceId])
    if (source?.state === 'looking' && !source.listed) await feedRegistry.removeSource(target.sourceId)
  }

  async function feedsInFolder(userId: UserId, folder: string): Promise<FeedId[]> {
    const ids: FeedId[] = []
    for (let after: FeedId | undefined; ; ) {
      const page = await readerState.subscriptionsOf(userId, {
        folder,
        limit: FEEDS_PER_PAGE,
        ...(after !== undefined && { after }),
      })
      for (const { feedId } of page) ids.push(feedId)
      if (page.length < FEEDS_PER_PAGE) return ids
      after = page.at(-1)?.feedId
    }
  }

  const isOnlyUser = async (userId: UserId) =>
    (await users.allUsers()).length <= 1 && (await users.firstUser()) === userId

  return {
    follow(userId, feedIds) {
      const targets = feedIds.map((feedId) => ({ feedId }))
      return readerState.follow(userId, targets, clock.now(), MAX_INITIAL_UNREAD)
    },

    async unsubscribe(userId, targets) {
      const results = await readerState.unfollow(userId, targets)
      for (const [i, { wasFollowed, otherFollowers }] of results.entries())
        if (wasFollowed && otherFollowers === 0) await removeUnlessListed(targets[i]!)
      afterRemoval()
      return results.map(({ wasFollowed }) => wasFollowed)
    },

    async editSubscription(userId: UserId, feedId: FeedId, requested) {
      const change = truncateLabels(requested)
      if (!(await readerState.changeSubscription(userId, feedId, change))) return false
      if (await isOnlyUser(userId)) {
        const { title, folder } = change
        await edit(feedId, { ...(title && { title }), ...(folder !== undefined && { folder: folder ?? '' }) })
      }
      return true
    },

    async renameFolder(userId, from, to) {
      const isOnly = await isOnlyUser(userId)
      const feedIds = isOnly ? await feedsInFolder(userId, from) : []
      const moved = await readerState.renameFolder(userId, from, to)
      const subscriptions = await readerState.subscriptionsTo(userId, feedIds)
      for (const [i, id] of feedIds.entries())
        await feedRegistry.changeFeed(id, { folder: subscriptions[i]?.folder ?? null })
      return moved
    },
  }
}
