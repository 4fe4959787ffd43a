/** `/api/status`: the whole crawl at a glance. */
import { Hono } from 'hono'
import { statusOfCrawl } from '../../views/index.ts'
import type { ServerParts } from '../server-parts.ts'

export function statusRoutes(parts: ServerParts): Hono {
  const app = new Hono()
  app.get('/', async (c) => c.json(await statusOfCrawl(parts)))
  /** Apart, because it looks through the whole store. */
  app.get('/room', async (c) => c.json(await parts.catalogue.diskUsage()))
  return app
}
