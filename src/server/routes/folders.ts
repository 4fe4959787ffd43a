/** What is wanted of the polls of all feeds in a folder. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import { goalReport } from '../../views/index.ts'
import { checkedRoutes } from '../checked.ts'
import type { ServerParts } from '../server-parts.ts'

export function folderRoutes(parts: ServerParts): OpenAPIHono {
  const { marketBook, crawler, limits, pollsPerDay } = parts
  const app = checkedRoutes()
  app.openapi(OPERATIONS.listFolders, async (c) => {
    const folders = await marketBook.folders()
    return c.json({ folders: [...folders].map(([folder, wants]) => ({ folder, wants })) }, 200)
  })

  app.openapi(OPERATIONS.getGoals, async (c) =>
    c.json(await goalReport(parts, { limits, budget: pollsPerDay ?? 'auto' }), 200),
  )

  app.openapi(OPERATIONS.wantOfFolder, async (c) => {
    const wants = c.req.valid('json')
    const { folder } = c.req.valid('param')
    await crawler.want(folder, wants)
    return c.json({ folder, wants }, 200)
  })
  return app
}
