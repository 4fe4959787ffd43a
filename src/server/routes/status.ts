/** Get the status of the crawl, and the hosts that it leaves alone. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import { hostShape, statusOfCrawl } from '../../views/index.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'
import { visibilityOf, visibleParts } from '../visible.ts'

export function statusRoutes(parts: ServerParts): OpenAPIHono {
  const app = validatedRoutes()
  app.openapi(OPERATIONS.getStatus, async (c) => {
    const { reach } = await visibilityOf(c, parts)
    const status = await statusOfCrawl(await visibleParts(c, parts))
    // What is fetched, and what was being done when something failed, names addresses of others.
    const activity = reach === 'everything' ? status.activity : { ...status.activity, tasks: [], mistakes: [] }
    return c.json({ ...status, activity }, 200)
  })
  app.openapi(OPERATIONS.getDiskUsage, async (c) => c.json(await parts.catalogue.diskUsage(), 200))
  app.openapi(OPERATIONS.listHosts, async (c) => {
    const { limit = 50 } = c.req.valid('query')
    const { catalogue, clock } = await visibleParts(c, parts)
    const { hosts, all } = await catalogue.restingHosts(clock.now(), limit)
    return c.json({ hosts: hosts.map(hostShape), count: all }, 200)
  })
  return app
}
