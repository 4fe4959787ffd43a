/** `/feeds.opml`: all visible feeds; `/subscriptions.opml`: the caller's subscriptions, with their own titles. */

import { type Context, Hono } from 'hono'
import { createOpmlWriter } from '../../feeds/index.ts'
import { yieldToEventLoop } from '../../runtime/index.ts'
import { followedFeedPages } from '../../views/index.ts'
import { userIdOf } from '../authorize.ts'
import { visibleParts } from '../request-visibility.ts'
import type { ServerParts } from '../server-parts.ts'

export function opmlRoutes(parts: ServerParts): Hono {
  const { readerState } = parts
  const app = new Hono()
  app.get('/feeds.opml', async (c) => {
    const list = createOpmlWriter('Feeds of Freshet')
    const { catalogue } = await visibleParts(c, parts)
    for await (const { feed } of catalogue.everyFeed()) list.add(feed)
    return answer(c, list.pieces(), 'feeds')
  })

  app.get('/subscriptions.opml', async (c) => {
    const list = createOpmlWriter('Subscriptions')
    const reader = await userIdOf(c)
    for await (const feeds of followedFeedPages(readerState, reader))
      for (const feed of feeds) list.add({ ...feed, title: feed.shownTitle })
    return answer(c, list.pieces(), 'subscriptions')
  })
  return app
}

function answer(c: Context, chunks: Iterable<string>, name: string) {
  return c.body(ReadableStream.from(encodeChunks(chunks)), 200, {
    'content-type': 'text/x-opml; charset=utf-8',
    'content-disposition': `attachment; filename="${name}.opml"`,
    'cache-control': 'no-store',
  })
}

/** Yields to the event loop between chunks. */
async function* encodeChunks(chunks: Iterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for (const chunk of chunks) {
    yield encoder.encode(chunk)
    await yieldToEventLoop()
  }
}
