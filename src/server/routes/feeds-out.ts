/** `/feeds/NAME.rss`, `.atom`, `.json`: outgoing feeds defined by the parameters of the request. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import type { FeedId } from '../../model/index.ts'
import { type FeedOutQuery, omitUndefined } from '../../views/index.ts'
import { answerWithFeed, formatIn } from '../feeds-out/answer-feed-out.ts'
import { viewerIdOf, visibleParts } from '../request-visibility.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

export function feedsOutRoutes(parts: ServerParts): OpenAPIHono {
  const app = validatedRoutes()
  app.openapi(OPERATIONS.getFeedOut, async (c) => {
    const reader = await viewerIdOf(c)
    const { format } = formatIn(c.req.valid('param').name)
    const { feed, q, folder, category, unique, text = 'full', limit = 50 } = c.req.valid('query')
    const narrowed = omitUndefined({ reader, q, feedId: feed as FeedId | undefined, folder, category, unique })
    const query: FeedOutQuery = { ...narrowed, text, limit }
    return answerWithFeed(c, query, format, await visibleParts(c, parts))
  })
  return app
}
