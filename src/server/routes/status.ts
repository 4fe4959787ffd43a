/** The whole crawl at a glance, and the hosts that it leaves alone. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import { hostShape, statusOfCrawl } from '../../views/index.ts'
import { checkedRoutes } from '../checked.ts'
import type { ServerParts } from '../server-parts.ts'

export function statusRoutes(parts: ServerParts): OpenAPIHono {
  const { catalogue, clock } = parts
  const app = checkedRoutes()
  app.openapi(OPERATIONS.getStatus, async (c) => c.json(await statusOfCrawl(parts), 200))
  app.openapi(OPERATIONS.getDiskUsage, async (c) => c.json(await catalogue.diskUsage(), 200))
  app.openapi(OPERATIONS.listHosts, async (c) => {
    const { limit = 50 } = c.req.valid('query')
    const { hosts, all } = await catalogue.restingHosts(clock.now(), limit)
    return c.json({ hosts: hosts.map(hostShape), count: all }, 200)
  })
  return app
}
