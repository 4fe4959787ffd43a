/** Lists of feeds as a response of Miniflux's API. Clients ask for all feeds at once: each is written while only its page is in memory. */
import type { Context } from 'hono'
import type { UserId } from '../../../model/index.ts'
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
  const feeds = await adapter.mapSubscriptions(
    userId,
    (feed) => (folder === undefined || feed.folder === folder ? JSON.stringify(minifluxFeedShape(feed, context)) : ''),
    folder,
  )
  return c.body(`[${feeds.filter(Boolean).join(',')}]`, 200, { 'content-type': 'application/json' })
}
