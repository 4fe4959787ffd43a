/** Hubs and their reliability. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import { hubReport } from '../../views/index.ts'
import { visibleParts } from '../request-visibility.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

export function hubRoutes(parts: ServerParts): OpenAPIHono {
  const app = validatedRoutes()
  app.openapi(OPERATIONS.listHubs, async (c) => {
    const { catalogue, clock } = await visibleParts(c, parts)
    return c.json({ hubs: await hubReport(catalogue, clock.now()) }, 200)
  })
  return app
}
