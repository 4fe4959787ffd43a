/** Preview of the feeds of an address, before subscribing. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import type { SharedParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

export function previewRoutes({ previewAddress }: SharedParts): OpenAPIHono {
  const app = validatedRoutes()
  app.openapi(OPERATIONS.previewFeeds, async (c) =>
    c.json(await previewAddress(c.req.valid('json').url, c.req.raw.signal), 200),
  )
  return app
}
