/** The feeds that a user follows: all, or those in a folder. */
import type { FeedId, FollowedFeedWithReaders, SubscriptionWithUnread, UserId } from '../model/index.ts'
import type { ReaderState, Roles, SubscriptionQuery } from '../ports/index.ts'

/** Subscriptions that are read at once: larger pages outlive the young generation of the heap. */
const PAGE = 250

/** All subscriptions of a user, or those in a folder, in pages ordered by feed id. */
export function subscriptionPages(
  readerState: Pick<ReaderState, 'subscriptionsOf'>,
  userId: UserId,
  folder?: string,
): AsyncGenerator<SubscriptionWithUnread[]> {
  return pages((page) => readerState.subscriptionsOf(userId, page), folder === undefined ? {} : { folder })
}

/** The same with their feeds. */
export function followedFeedPages(
  readerState: Pick<ReaderState, 'followedFeeds'>,
  userId: UserId,
  query: Partial<SubscriptionQuery> = {},
): AsyncGenerator<FollowedFeedWithReaders[]> {
  return pages((page) => readerState.followedFeeds(userId, page), query)
}

async function* pages<Item extends { feedId: FeedId }>(
  read: (query: SubscriptionQuery) => Promise<Item[]>,
  { after, limit = Number.POSITIVE_INFINITY, ...filter }: Partial<SubscriptionQuery>,
): AsyncGenerator<Item[]> {
  for (let [last, left] = [after, limit]; left > 0; ) {
    const most = Math.min(left, PAGE)
    const page = await read({ ...filter, ...(last !== undefined && { after: last }), limit: most })
    yield page
    if (page.length < most) return
    last = page.at(-1)!.feedId
    left -= page.length
  }
}

export async function followedFeedIds(readerState: ReaderState, userId: UserId, folder?: string): Promise<FeedId[]> {
  const ids: FeedId[] = []
  for await (const page of subscriptionPages(readerState, userId, folder))
    for (const { feedId } of page) ids.push(feedId)
  return ids
}

/** A feed, a folder, or the feed if it is in the folder; undefined if neither is given. */
export async function selectFeeds(
  { feedId, folder }: { feedId?: FeedId | undefined; folder?: string | undefined },
  from: Pick<Roles, 'catalogue' | 'readerState'>,
  reader: UserId | undefined,
): Promise<FeedId[] | undefined> {
  const inFolder = folder === undefined ? undefined : await feedsInFolder(folder, from, reader)
  return feedId === undefined ? inFolder : [feedId].filter((id) => inFolder?.includes(id) ?? true)
}

/** A reader's folder, else the crawl's. */
export async function feedsInFolder(
  folder: string,
  { catalogue, readerState }: Pick<Roles, 'catalogue' | 'readerState'>,
  reader: UserId | undefined,
): Promise<FeedId[]> {
  return reader === undefined ? catalogue.feedIds({ folder }) : followedFeedIds(readerState, reader, folder)
}
