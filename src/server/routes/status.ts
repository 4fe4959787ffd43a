/** `/api/status`: the whole crawl at a glance. It costs the same however much is stored, so a page may ask often. */
import { Hono } from 'hono'
import type { ServerParts } from '../server.ts'
import { statusShape } from '../shapes.ts'

const NEXT_FEEDS = 10

export function statusRoutes({ store, clock, crawler, version }: ServerParts): Hono {
  const app = new Hono()
  app.get('/', async (c) => {
    const [counts, next, hosts] = await Promise.all([
      store.counts(),
      store.feeds({ order: 'due', limit: NEXT_FEEDS }),
      store.hosts(),
    ])
    return c.json(statusShape({ version, now: clock.now(), counts, activity: crawler.activity(), next, hosts }))
  })
  /** Apart, because it looks through the whole store. */
  app.get('/room', async (c) => c.json(await store.room()))
  return app
}
