/** The report of one site. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import { siteReport } from '../../views/index.ts'
import { Problem } from '../problem.ts'
import { visibleParts } from '../request-visibility.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

export function siteRoutes(parts: ServerParts): OpenAPIHono {
  const app = validatedRoutes()
  app.openapi(OPERATIONS.getSite, async (c) => {
    const host = c.req.valid('param').host.toLowerCase()
    const visible = await visibleParts(c, parts)
    const site = await siteReport(host, visible, (origins) => parts.dashboard?.robots(origins) ?? Promise.resolve([]))
    if (!site) throw new Problem(404, `there is no feed of ${host.slice(0, 100)}`, 'only sites with feeds are known')
    return c.json(site, 200)
  })
  return app
}
