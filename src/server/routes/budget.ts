/** The budget of polls per day: readable by all users, set by admins. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { type BudgetShape, OPERATIONS } from '../../api/index.ts'
import { type Instant, SECOND } from '../../model/index.ts'
import { budgetReport } from '../../views/index.ts'
import { Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

/** The report changes slowly. */
const REPORT_CACHE_MS = 10 * SECOND

export function budgetRoutes(parts: ServerParts): OpenAPIHono {
  const { pollMarket, crawler, clock, pollsPerDay: configured, budgetFrom = 'configuration' } = parts
  const app = validatedRoutes()
  let cached: { at: Instant; report: ReturnType<typeof budgetReport> } | undefined

  async function report(pollsPerDay: number | 'auto'): ReturnType<typeof budgetReport> {
    const now = clock.now()
    if (!cached || now - cached.at > REPORT_CACHE_MS || cached.at > now) {
      cached = { at: now, report: budgetReport(parts, { now, pollsPerDay }) }
      cached.report.catch(() => {
        cached = undefined
      })
    }
    return cached.report
  }

  async function budget(): Promise<BudgetShape> {
    if (configured !== undefined) return { pollsPerDay: configured, fixedBy: budgetFrom, ...(await report(configured)) }
    const named = (await pollMarket.pollSettings()).pollsPerDay
    return {
      pollsPerDay: named ?? 'auto',
      ...(named !== undefined && { named: true as const }),
      ...(await report(named ?? 'auto')),
    }
  }

  app.openapi(OPERATIONS.getBudget, async (c) => c.json(await budget(), 200))

  app.openapi(OPERATIONS.setBudget, async (c) => {
    if (configured !== undefined)
      throw new Problem(
        409,
        `the budget is set at startup (${budgetFrom})`,
        'remove it there, restart, and set it here',
      )
    await crawler.setBudget(c.req.valid('json').pollsPerDay ?? undefined)
    cached = undefined
    return c.json(await budget(), 200)
  })
  return app
}
