/** `/feeds/NAME.rss`, `.atom`, `.json`: what other feed readers subscribe to. What is asked for is a `FeedOut`, here made of a query. */
import { createHash } from 'node:crypto'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { OPERATIONS } from '../../api/index.ts'
import type { FeedId } from '../../model/index.ts'
import { type FeedOut, outgoingFeed } from '../../views/index.ts'
import { checkedRoutes } from '../checked.ts'
import { FEED_TYPES, type FeedOutFormat, writeFeedOut } from '../feeds-out/write-feed-out.ts'
import { notThere, Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'

export function feedsOutRoutes(parts: ServerParts): OpenAPIHono {
  const app = checkedRoutes()
  app.openapi(OPERATIONS.getFeedOut, async (c) => {
    const format = formatOf(c.req.valid('param').name)
    const { feed, q, folder, category, unique, text = 'full', limit = 50 } = c.req.valid('query')
    const wanted: FeedOut = {
      ...(q !== undefined && { q }),
      ...(feed !== undefined && { feedId: feed as FeedId }),
      ...(folder !== undefined && { folder }),
      ...(category !== undefined && { category }),
      ...(unique && { unique }),
      text,
      limit,
    }
    const found = await outgoingFeed(wanted, parts)
    if (!found) throw notThere('feed', feed ?? 0)
    if ('fault' in found) throw new Problem(400, found.fault, found.hint)
    const { href: selfUrl, origin } = new URL(c.req.url)
    return answerWithValidators(c, await writeFeedOut(found, format, { selfUrl, homeUrl: `${origin}/` }), {
      type: FEED_TYPES[format],
      changedAt: found.changedAt,
    })
  })
  return app
}

function formatOf(name: string): FeedOutFormat {
  const [, format] = /^.+\.(rss|atom|json)$/.exec(name) ?? []
  if (format) return format as FeedOutFormat
  throw new Problem(404, 'feeds are given out as .rss, .atom or .json', 'try /feeds/all.rss')
}

/** RFC 9110, 13.2.2: where there is an entity tag, the date says nothing. */
function answerWithValidators(c: Context, body: string, { type, changedAt }: { type: string; changedAt: number }) {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  const headers = {
    etag,
    'cache-control': 'private, no-cache',
    ...(changedAt > 0 && { 'last-modified': new Date(changedAt).toUTCString() }),
  }
  const tags = c.req.header('if-none-match')
  const since = Date.parse(c.req.header('if-modified-since') ?? '')
  const isKnown = tags
    ? tags.trim() === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
    : changedAt > 0 && Math.floor(changedAt / 1000) * 1000 <= since
  if (isKnown) return c.body(null, 304, headers)
  return c.body(body, 200, { ...headers, 'content-type': `${type}; charset=utf-8` })
}
