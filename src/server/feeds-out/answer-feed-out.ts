/** Responses with an outgoing feed in the format of its extension, with ETag and Last-Modified. */
import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { type FeedOutQuery, type OutgoingFeed, outgoingFeed } from '../../views/index.ts'
import { notFound, Problem } from '../problem.ts'
import { publicBase, publicRequestUrl } from '../public-address.ts'
import type { ServerParts } from '../server-parts.ts'
import { FEED_TYPES, type FeedOutFormat, writeFeedOut } from './write-feed-out.ts'

/** Splits a file name into its key and format. */
export function formatIn(name: string): { key: string; format: FeedOutFormat } {
  const [, key, format] = /^(.+)\.(rss|atom|json)$/.exec(name) ?? []
  if (key && format) return { key, format: format as FeedOutFormat }
  throw new Problem(404, 'feeds are available as .rss, .atom or .json', 'try /feeds/all.rss')
}

export async function answerWithFeed(
  c: Context,
  query: FeedOutQuery,
  format: FeedOutFormat,
  parts: ServerParts,
  hub?: ServerParts['hub'],
) {
  const found = await outgoingFeed({ ...query, includeNoArchive: parts.includeNoArchive ?? false }, parts)
  if (!found) throw notFound('feed', query.feedId ?? 0)
  if ('fault' in found) throw new Problem(400, found.fault, found.hint)
  return answerWithItems(c, found, format, parts, hub)
}

/** With a hub, the feed's self link is the public address that the hub knows. */
export async function answerWithItems(
  c: Context,
  found: OutgoingFeed,
  format: FeedOutFormat,
  parts: ServerParts,
  hub?: ServerParts['hub'],
) {
  const selfUrl = hub ? hub.publicUrl.replace(/\/+$/, '') + new URL(c.req.url).pathname : publicRequestUrl(c, parts)
  const places = { selfUrl, homeUrl: `${publicBase(c, parts)}/`, ...(hub && { hubUrl: hub.url }) }
  if (hub) c.header('link', `<${hub.url}>; rel="hub", <${selfUrl}>; rel="self"`)
  const body = await writeFeedOut(found, format, places)
  return answerWithValidators(c, body, { type: FEED_TYPES[format], changedAt: found.changedAt })
}

/** RFC 9110, 13.2.2: If-None-Match takes precedence over If-Modified-Since. */
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
