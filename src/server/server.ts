/**
 * The server, put together: the door for hubs, then guards, then the API with one file a resource, then the page's files. Everything that
 * is thrown inside ends at one wall, which answers with problem+json.
 */
import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { boundedBodies } from './body.ts'
import { asProblem } from './checked.ts'
import { apiDescription } from './describe.ts'
import { onlyLocalNames, onlyOwnWrites, safeHeaders } from './guard.ts'
import { listen, type ServerSocket } from './listen.ts'
import { page } from './page.ts'
import { answerError, answerProblem, Problem } from './problem.ts'
import { entryRoutes } from './routes/entries.ts'
import { feedRoutes } from './routes/feeds.ts'
import { folderRoutes } from './routes/folders.ts'
import { groupRoutes } from './routes/groups.ts'
import { healthRoutes } from './routes/health.ts'
import { hubRoutes } from './routes/hubs.ts'
import { opmlRoutes } from './routes/opml.ts'
import { pollRoutes } from './routes/polls.ts'
import { sourceRoutes } from './routes/sources.ts'
import { statisticsRoutes } from './routes/statistics.ts'
import { statusRoutes } from './routes/status.ts'
import { websubRoutes } from './routes/websub.ts'
import type { ServerParts } from './server-parts.ts'

export interface Server {
  /** Answers requests without a socket: `app.request('/api/v1/status')`. */
  app: Hono
  /** Port 0 takes a free one. Rejects with a ServerError when it cannot listen. */
  listen(port: number): Promise<ServerSocket>
}

/** One file each. */
const RESOURCES = [
  statusRoutes,
  feedRoutes,
  entryRoutes,
  groupRoutes,
  statisticsRoutes,
  sourceRoutes,
  folderRoutes,
  pollRoutes,
  hubRoutes,
]

export function createServer(parts: ServerParts): Server {
  const { host, listenWithoutLogin: withoutLogin = false, clock } = parts
  const app = new Hono()
  app.onError((error, c) => answerError(asProblem(error, c), c, parts.onMistake ?? (() => {})))
  app.notFound((c) =>
    answerProblem(
      c,
      new Problem(
        404,
        `nothing is at ${c.req.method} ${c.req.path}`,
        '/api says what there is; the API begins at /api/v1',
      ),
    ),
  )

  app.use(safeHeaders)
  app.route('/websub', websubRoutes(parts))
  app.use(onlyLocalNames(host, withoutLogin), onlyOwnWrites, boundedBodies)
  app.use('/api/*', etag(), async (c, next) => {
    await next()
    c.res.headers.set('cache-control', 'private, no-cache')
  })

  app.route('/healthz', healthRoutes(parts))
  app.route('/feeds.opml', opmlRoutes(parts))
  for (const routes of RESOURCES) app.route('/', routes(parts))
  const description = apiDescription(parts.version)
  app.get('/api/openapi.json', (c) => c.json(description))
  app.route('/', page(parts.webDir))

  return { app, listen: (port) => listen({ fetch: app.fetch, host, port, withoutLogin, clock }) }
}
