/** Known hosts, arrival delays and settings, for the dashboard. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { type DelaysShape, OPERATIONS } from '../../api/index.ts'
import { type Instant, MINUTE } from '../../model/index.ts'
import { knownHostShape, publicationDelays } from '../../views/index.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

/** Delays change slowly, and several users may request them at once. */
const DELAYS_CACHE_MS = MINUTE

export function dashboardRoutes(parts: ServerParts): OpenAPIHono {
  const { dashboard, clock } = parts
  const app = validatedRoutes()
  let delays: { at: Instant; answer: Promise<DelaysShape> } | undefined

  app.openapi(OPERATIONS.listKnownHosts, async (c) => {
    const { text = '', limit = 100 } = c.req.valid('query')
    const hosts = (await (dashboard?.hosts() ?? [])).filter(({ root }) => root.includes(text.toLowerCase()))
    const shown = hosts.sort((a, b) => b.notBeforeAt - a.notBeforeAt || a.root.localeCompare(b.root)).slice(0, limit)
    return c.json({ hosts: shown.map((host) => knownHostShape(host, clock.now())), count: hosts.length }, 200)
  })

  app.openapi(OPERATIONS.getDelays, async (c) => {
    if (!delays || clock.now() - delays.at > DELAYS_CACHE_MS || delays.at > clock.now()) {
      delays = { at: clock.now(), answer: publicationDelays(clock.now(), parts) }
      delays.answer.catch(() => {
        delays = undefined
      })
    }
    return c.json(await delays.answer, 200)
  })

  app.openapi(OPERATIONS.listSettings, (c) => c.json({ settings: dashboard?.settings() ?? [] }, 200))
  return app
}
