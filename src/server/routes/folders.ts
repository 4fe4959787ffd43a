/** What is wanted of the polls of all feeds in a folder. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import { budgetInForce, goalReport } from '../../views/index.ts'
import { checkedRoutes } from '../checked.ts'
import { Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'

export function folderRoutes(parts: ServerParts): OpenAPIHono {
  const { marketBook, crawler, clock, limits, pollsPerDay } = parts
  const app = checkedRoutes()
  app.openapi(OPERATIONS.listFolders, async (c) => {
    const folders = await marketBook.folders()
    return c.json({ folders: [...folders].map(([folder, wants]) => ({ folder, wants })) }, 200)
  })

  app.openapi(OPERATIONS.getGoals, async (c) => {
    const { folder, feed, goalMs } = c.req.valid('query')
    const settings = { limits, budget: await budgetInForce(marketBook, pollsPerDay), now: clock.now() }
    if (goalMs === undefined) return c.json(await goalReport(parts, settings), 200)
    if ((folder === undefined) === (feed === undefined))
      throw new Problem(400, 'a goal is for a feed or for a folder', 'send one of feed and folder with goalMs')
    const of = feed === undefined ? { folder: folder ?? '' } : { feedId: feed }
    return c.json(await goalReport(parts, settings, { ...of, goalMs }), 200)
  })

  app.openapi(OPERATIONS.wantOfFolder, async (c) => {
    const wants = c.req.valid('json')
    const { folder } = c.req.valid('param')
    await crawler.want(folder, wants)
    return c.json({ folder, wants }, 200)
  })
  return app
}
