/** The status of the crawl, disk usage, and hosts that back off. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import { hostShape, statusOfCrawl } from '../../views/index.ts'
import { visibilityOf, visibleParts } from '../request-visibility.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

export function statusRoutes(parts: ServerParts): OpenAPIHono {
  const app = validatedRoutes()
  app.openapi(OPERATIONS.getStatus, async (c) => {
    const { reach } = await visibilityOf(c, parts)
    const status = await statusOfCrawl(await visibleParts(c, parts))
    // Tasks and errors contain addresses of feeds that the caller may not see.
    const activity = reach === 'everything' ? status.activity : { ...status.activity, tasks: [], internalErrors: [] }
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
