/** `/feeds.opml`: every feed, for another reader or for safe keeping. */
import { setImmediate as letOthers } from 'node:timers/promises'
import { Hono } from 'hono'
import { createOpmlList } from '../../feeds/index.ts'
import type { ServerParts } from '../server-parts.ts'

export function opmlRoutes({ catalogue }: ServerParts): Hono {
  const app = new Hono()
  app.get('/', async (c) => {
    const list = createOpmlList('Feeds of Freshet')
    for await (const { feed } of catalogue.everyFeed()) list.add(feed)
    return c.body(ReadableStream.from(encoded(list.pieces())), 200, {
      'content-type': 'text/x-opml; charset=utf-8',
      'content-disposition': 'attachment; filename="feeds.opml"',
      'cache-control': 'no-store',
    })
  })
  return app
}

/** Others get their turn between the pieces. */
async function* encoded(pieces: Iterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for (const piece of pieces) {
    yield encoder.encode(piece)
    await letOthers()
  }
}
