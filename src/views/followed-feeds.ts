/** The feeds that a user follows: all, or those in a folder. */
import type { FeedId, FollowedFeed, SubscriptionWithUnread, UserId } from '../model/index.ts'
import type { ReaderState, Roles, SubscriptionQuery } from '../ports/index.ts'

/** Subscriptions that are read at once: larger pages outlive the young generation of the heap. */
const PAGE = 250

/** All subscriptions of a user, or those in a folder, in pages ordered by feed id. */
export function subscriptionPages(
  readerState: Pick<ReaderState, 'subscriptionsOf'>,
  userId: UserId,
  folder?: string,
): AsyncGenerator<SubscriptionWithUnread[]> {
  return pages((query) => readerState.subscriptionsOf(userId, query), folder)
}

/** The same with their feeds. */
export function followedFeedPages(
  readerState: Pick<ReaderState, 'followedFeeds'>,
  userId: UserId,
  folder?: string,
): AsyncGenerator<FollowedFeed[]> {
  return pages((query) => readerState.followedFeeds(userId, query), folder)
}

async function* pages<Item extends { feedId: FeedId }>(
  read: (query: SubscriptionQuery) => Promise<Item[]>,
  folder: string | undefined,
): AsyncGenerator<Item[]> {
  for (let after: FeedId | undefined; ; ) {
    const page = await read({
      limit: PAGE,
      ...(folder !== undefined && { folder }),
      ...(after !== undefined && { after }),
    })
    yield page
    after = page.at(-1)?.feedId
    if (page.length < PAGE) return
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
