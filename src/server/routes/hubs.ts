/** Hubs, and how well they serve us. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import { hubsOf } from '../../views/index.ts'
import { checkedRoutes } from '../checked.ts'
import type { ServerParts } from '../server-parts.ts'

export function hubRoutes({ catalogue, clock }: ServerParts): OpenAPIHono {
  const app = checkedRoutes()
  app.openapi(OPERATIONS.listHubs, async (c) => c.json({ hubs: await hubsOf(catalogue, clock.now()) }, 200))
  return app
}
