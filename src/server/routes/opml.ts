/** `/feeds.opml`: every feed, for another reader or for safe keeping. */
import { Hono } from 'hono'
import { writeOpml } from '../../feeds/index.ts'
import type { ServerParts } from '../server.ts'

export function opmlRoutes({ store }: ServerParts): Hono {
  const app = new Hono()
  app.get('/', async (c) => {
    const feeds = []
    for await (const { feed } of store.everyFeed()) feeds.push(feed)
    return c.body(writeOpml({ title: 'Feeds of Freshet', feeds }), 200, {
      'content-type': 'text/x-opml; charset=utf-8',
      'content-disposition': 'attachment; filename="feeds.opml"',
      'cache-control': 'no-store',
    })
  })
  return app
}
