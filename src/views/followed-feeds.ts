/** The feeds that a user follows: all, or those in a folder. */
import type { FeedId, SubscriptionWithUnread, UserId } from '../model/index.ts'
import type { ReaderState, Roles } from '../ports/index.ts'

/** Subscriptions that are read at once, with their feeds: larger pages outlive the young generation of the heap. */
const PAGE = 250

/** All subscriptions of a user in pages, ordered by feed id. */
export async function* subscriptionPages(
  readerState: Pick<ReaderState, 'subscriptionsOf'>,
  userId: UserId,
  folder?: string,
): AsyncGenerator<SubscriptionWithUnread[]> {
  for (let after: FeedId | undefined; ; ) {
    const query = { limit: PAGE, ...(folder !== undefined && { folder }), ...(after !== undefined && { after }) }
    const page = await readerState.subscriptionsOf(userId, query)
    yield page
    after = page.at(-1)?.feedId
    if (page.length < PAGE) return
  }
}

export async function followedFeeds(readerState: ReaderState, userId: UserId, folder?: string): Promise<FeedId[]> {
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
  return reader === undefined ? catalogue.feedIds({ folder }) : followedFeeds(readerState, reader, folder)
}
