/** How many polls there may be a day: shown to all, named by who may do everything. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { type BudgetShape, OPERATIONS } from '../../api/index.ts'
import { type Instant, SECOND } from '../../model/index.ts'
import { budgetReport } from '../../views/index.ts'
import { Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

/** It moves slowly. */
const REPORT_KEPT_MS = 10 * SECOND

export function budgetRoutes(parts: ServerParts): OpenAPIHono {
  const { marketBook, crawler, clock, pollsPerDay: configured, budgetFrom = 'configuration' } = parts
  const app = validatedRoutes()
  let kept: { at: Instant; report: ReturnType<typeof budgetReport> } | undefined

  async function report(pollsPerDay: number | 'auto'): ReturnType<typeof budgetReport> {
    const now = clock.now()
    if (!kept || now - kept.at > REPORT_KEPT_MS || kept.at > now) {
      kept = { at: now, report: budgetReport(parts, { now, pollsPerDay }) }
      kept.report.catch(() => {
        kept = undefined
      })
    }
    return kept.report
  }

  async function budget(): Promise<BudgetShape> {
    if (configured !== undefined) return { pollsPerDay: configured, fixedBy: budgetFrom, ...(await report(configured)) }
    const named = await marketBook.namedBudget()
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
    await crawler.nameBudget(c.req.valid('json').pollsPerDay ?? undefined)
    kept = undefined
    return c.json(await budget(), 200)
  })
  return app
}
