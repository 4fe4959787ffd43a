/** Polling goals of folders, and forecasts of goals. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { type GoalsShape, OPERATIONS } from '../../api/index.ts'
import type { FeedId } from '../../model/index.ts'
import { budgetInForce, goalReport } from '../../views/index.ts'
import { notFound, Problem } from '../problem.ts'
import { visibilityOf, visibleParts } from '../request-visibility.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

export function folderRoutes(parts: ServerParts): OpenAPIHono {
  const { pollMarket, crawler, clock, limits, pollsPerDay } = parts
  const app = validatedRoutes()
  async function visibleFeedIds(c: Context, ids: FeedId[]): Promise<Set<FeedId>> {
    const { catalogue } = await visibleParts(c, parts)
    return new Set((await catalogue.feedsById(ids)).flatMap((scheduled) => scheduled?.feed.id ?? []))
  }

  /** Rows of visible feeds; rows of folders are for admins. */
  async function restrictReport(c: Context, report: GoalsShape): Promise<GoalsShape> {
    if ((await visibilityOf(c, parts)).reach === 'everything') return report
    const ids = report.lines.flatMap(({ of }) => ('feedId' in of ? [of.feedId as FeedId] : []))
    const visible = await visibleFeedIds(c, ids)
    return { ...report, lines: report.lines.filter(({ of }) => 'feedId' in of && visible.has(of.feedId as FeedId)) }
  }

  app.openapi(OPERATIONS.listFolders, async (c) => {
    const folders = (await pollMarket.pollSettings()).folderGoals
    return c.json({ folders: [...folders].map(([folder, wants]) => ({ folder, wants })) }, 200)
  })

  app.openapi(OPERATIONS.getGoals, async (c) => {
    const { folder, feed, goalMs } = c.req.valid('query')
    const settings = { limits, budget: await budgetInForce(pollMarket, pollsPerDay), now: clock.now() }
    if (goalMs === undefined) return c.json(await restrictReport(c, await goalReport(parts, settings)), 200)
    if ((folder === undefined) === (feed === undefined))
      throw new Problem(400, 'a goal is for a feed or for a folder', 'send one of feed and folder with goalMs')
    if (feed !== undefined && (await visibleFeedIds(c, [feed as FeedId])).size === 0) throw notFound('feed', feed)
    const of = feed === undefined ? { folder: folder ?? '' } : { feedId: feed }
    return c.json(await restrictReport(c, await goalReport(parts, settings, { ...of, goalMs })), 200)
  })

  app.openapi(OPERATIONS.setFolderGoals, async (c) => {
    const wants = c.req.valid('json')
    const { folder } = c.req.valid('param')
    await crawler.setFolderPreferences(folder, wants)
    return c.json({ folder, wants }, 200)
  })
  return app
}
