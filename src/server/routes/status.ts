/** `/api/status`: the whole crawl at a glance. It costs the same however much is stored, so a page may ask often. */
import { Hono } from 'hono'
import type { ServerParts } from '../server-parts.ts'
import { statusShape } from '../shapes.ts'

const NEXT_FEEDS = 10
const MOST_HOSTS = 50

export function statusRoutes({ catalogue, clock, crawler, version }: ServerParts): Hono {
  const app = new Hono()
  app.get('/', async (c) => {
    const now = clock.now()
    const [counts, next, resting] = await Promise.all([
      catalogue.counts(),
      catalogue.feeds({ order: 'due', limit: NEXT_FEEDS }),
      catalogue.restingHosts(now, MOST_HOSTS),
    ])
    return c.json(statusShape({ version, now, counts, activity: crawler.activity(), next, resting }))
  })
  /** Apart, because it looks through the whole store. */
  app.get('/room', async (c) => c.json(await catalogue.diskUsage()))
  return app
}
