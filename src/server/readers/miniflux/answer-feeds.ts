/** Lists of feeds as a response of Miniflux's API. */
import type { Context } from 'hono'
import type { FollowedFeed, UserId } from '../../../model/index.ts'
import type { ReaderAdapter } from '../reader-adapter.ts'
import { minifluxFeedShape } from './shapes.ts'

/** All feeds that the user follows, or those in exactly this folder. */
export async function answerFeeds(
  c: Context,
  adapter: ReaderAdapter,
  userId: UserId,
  folder?: string,
): Promise<Response> {
  const context = { userId, numberOf: await adapter.folders.numbersOf(userId) }
  const shapeOf = (feed: FollowedFeed) =>
    folder === undefined || (feed.folder ?? '') === folder ? minifluxFeedShape(feed, context) : undefined
  return c.body(await adapter.subscriptionsJson(userId, shapeOf, { folder }), 200, {
    'content-type': 'application/json',
  })
}
