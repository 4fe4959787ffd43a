/** `/feeds.opml`: every feed in sight; `/subscriptions.opml`: the caller's own, with their titles. For another reader, or as a backup. */

import { type Context, Hono } from 'hono'
import { createOpmlList } from '../../feeds/index.ts'
import { yieldToEventLoop } from '../../runtime/index.ts'
import { subscriptionPages } from '../../views/index.ts'
import { userIdOf } from '../authorize.ts'
import type { ServerParts } from '../server-parts.ts'
import { visibleParts } from '../visible.ts'

export function opmlRoutes(parts: ServerParts): Hono {
  const { readership } = parts
  const app = new Hono()
  app.get('/feeds.opml', async (c) => {
    const list = createOpmlList('Feeds of Freshet')
    const { catalogue } = await visibleParts(c, parts)
    for await (const { feed } of catalogue.everyFeed()) list.add(feed)
    return answer(c, list.pieces(), 'feeds')
  })

  app.get('/subscriptions.opml', async (c) => {
    const list = createOpmlList('Subscriptions')
    const reader = await userIdOf(c)
    const { catalogue } = await visibleParts(c, parts)
    for await (const readings of subscriptionPages(readership, reader)) {
      const feeds = await catalogue.feedsById(readings.map(({ feedId }) => feedId))
      for (const [i, { title, folder }] of readings.entries()) {
        const { folder: _, ...feed } = feeds[i]?.feed ?? {}
        if ('url' in feed) list.add({ ...feed, ...(title && { title }), ...(folder && { folder }) })
      }
    }
    return answer(c, list.pieces(), 'subscriptions')
  })
  return app
}

function answer(c: Context, pieces: Iterable<string>, name: string) {
  return c.body(ReadableStream.from(encoded(pieces)), 200, {
    'content-type': 'text/x-opml; charset=utf-8',
    'content-disposition': `attachment; filename="${name}.opml"`,
    'cache-control': 'no-store',
  })
}

/** Others get their turn between the pieces. */
async function* encoded(pieces: Iterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for (const piece of pieces) {
    yield encoder.encode(piece)
    await yieldToEventLoop()
  }
}
