/** Lists of feeds as a response of Miniflux's API. */
import type { Context } from 'hono'
import type { UserId } from '../../../model/index.ts'
import type { ReaderAdapter } from '../reader-adapter.ts'
import { minifluxFeedShape } from './shapes.ts'

/** All feeds that the user follows, or those in a folder. */
export async function answerFeeds(
  c: Context,
  adapter: ReaderAdapter,
  userId: UserId,
  folder?: string,
): Promise<Response> {
  const feeds = await adapter.subscriptionsJson(userId, (feed) => minifluxFeedShape(feed, userId), { folder })
  return c.body(feeds, 200, { 'content-type': 'application/json' })
}
