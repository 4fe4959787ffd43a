/** `/feeds/NAME.rss`, `.atom`, `.json`: what other feed readers subscribe to. What is asked for is a `FeedOutQuery`, here made of a query. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import type { FeedId } from '../../model/index.ts'
import { type FeedOutQuery, omitUndefined } from '../../views/index.ts'
import { answerWithFeed, formatIn } from '../feeds-out/answer-feed-out.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'
import { viewerIdOf, visibleParts } from '../visible.ts'

export function feedsOutRoutes(parts: ServerParts): OpenAPIHono {
  const app = validatedRoutes()
  app.openapi(OPERATIONS.getFeedOut, async (c) => {
    const reader = await viewerIdOf(c)
    const { format } = formatIn(c.req.valid('param').name)
    const { feed, q, folder, category, unique, text = 'full', limit = 50 } = c.req.valid('query')
    const narrowed = omitUndefined({ reader, q, feedId: feed as FeedId | undefined, folder, category, unique })
    const wanted: FeedOutQuery = { ...narrowed, text, limit }
    return answerWithFeed(c, wanted, format, await visibleParts(c, parts))
  })
  return app
}
