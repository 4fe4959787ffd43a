/** Hubs, and how well they serve us. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import { hubsOf } from '../../views/index.ts'
import { checkedRoutes } from '../checked.ts'
import type { ServerParts } from '../server-parts.ts'
import { visibleParts } from '../visible.ts'

export function hubRoutes(parts: ServerParts): OpenAPIHono {
  const app = checkedRoutes()
  app.openapi(OPERATIONS.listHubs, async (c) => {
    const { catalogue, clock } = await visibleParts(c, parts)
    return c.json({ hubs: await hubsOf(catalogue, clock.now()) }, 200)
  })
  return app
}
