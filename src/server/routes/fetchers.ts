/** Those who go out to the web. Where everything is one process, that is this one. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import type { SeenMember } from '../../ports/index.ts'
import { fleetMembers } from '../../views/index.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

export function fetcherRoutes({ members, crawler, clock, version, hands }: ServerParts): OpenAPIHono {
  const app = validatedRoutes()

  function ourselves(): SeenMember[] {
    const { startedAt, underWay, totals } = crawler.activity()
    const performed = totals.polls + totals.articles + totals.articleFailures
    const load = underWay.length
    const name = 'this process'
    const seen = { seenAt: clock.now(), aheadMs: 0 }
    return [{ role: 'fetcher', name, version, startedAt, load, performed, ...seen, ...(hands && { hands }) }]
  }

  app.openapi(OPERATIONS.listFetchers, async (c) => c.json(fleetMembers(members?.() ?? ourselves()), 200))
  return app
}
