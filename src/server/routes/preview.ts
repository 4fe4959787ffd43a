/** What an address leads to, before somebody decides: every candidate with its entries, its pace, and why it ranks there. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import { checkedRoutes } from '../checked.ts'
import type { MadeParts } from '../server-parts.ts'

export function previewRoutes({ look }: MadeParts): OpenAPIHono {
  const app = checkedRoutes()
  app.openapi(OPERATIONS.previewFeeds, async (c) => c.json(await look(c.req.valid('json').url, c.req.raw.signal), 200))
  return app
}
