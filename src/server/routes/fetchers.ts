/** Processes of the fleet. Without a fleet, this process is the only fetcher. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import type { SeenMember } from '../../ports/index.ts'
import { fleetMembers } from '../../views/index.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

export function fetcherRoutes({ fleetMembers: listMembers, crawler, clock, version, slots }: ServerParts): OpenAPIHono {
  const app = validatedRoutes()

  function thisProcess(): SeenMember[] {
    const { startedAt, inFlight, totals } = crawler.activity()
    const completedTasks = totals.polls + totals.articles + totals.articleFailures
    const activeTasks = inFlight.length
    const name = 'this process'
    const seen = { seenAt: clock.now(), aheadMs: 0 }
    return [
      {
        role: 'fetcher',
        name,
        version,
        startedAt,
        activeTasks,
        completedTasks,
        ...seen,
        ...(slots && { slots }),
      },
    ]
  }

  app.openapi(OPERATIONS.listFetchers, async (c) => c.json(fleetMembers(listMembers?.() ?? thisProcess()), 200))
  return app
}
