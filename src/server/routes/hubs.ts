/** Hubs, and how well they serve us. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import { hubReport } from '../../views/index.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'
import { visibleParts } from '../visible.ts'

export function hubRoutes(parts: ServerParts): OpenAPIHono {
  const app = validatedRoutes()
  app.openapi(OPERATIONS.listHubs, async (c) => {
    const { catalogue, clock } = await visibleParts(c, parts)
    return c.json({ hubs: await hubReport(catalogue, clock.now()) }, 200)
  })
  return app
}
