/**
 * The server, put together: the door for hubs, then guards, then the API with one file a resource, then the page's files. Everything that
 * is thrown inside ends at one wall, which answers `{ error, hint }`.
 */
import { Hono } from 'hono'
import { refuseLargeBodies } from './body.ts'
import { onlyLocalNames, onlyOwnWrites, safeHeaders } from './guard.ts'
import { listen, type ServerSocket } from './listen.ts'
import { page } from './page.ts'
import { answerError } from './problem.ts'
import { entryRoutes } from './routes/entries.ts'
import { feedRoutes } from './routes/feeds.ts'
import { folderRoutes } from './routes/folders.ts'
import { groupRoutes } from './routes/groups.ts'
import { healthRoutes } from './routes/health.ts'
import { opmlRoutes } from './routes/opml.ts'
import { pollRoutes } from './routes/polls.ts'
import { sourceRoutes } from './routes/sources.ts'
import { statisticsRoutes } from './routes/statistics.ts'
import { statusRoutes } from './routes/status.ts'
import { websubRoutes } from './routes/websub.ts'
import type { ServerParts } from './server-parts.ts'

export interface Server {
  /** Answers requests without a socket: `app.request('/api/status')`. */
  app: Hono
  /** Port 0 takes a free one. Rejects with a ServerError when it cannot listen. */
  listen(port: number): Promise<ServerSocket>
}

export function createServer(parts: ServerParts): Server {
  const { host, listenWithoutLogin: withoutLogin = false, clock } = parts
  const app = new Hono()
  app.onError((error, c) => answerError(error, c, parts.onMistake ?? (() => {})))
  app.notFound((c) =>
    c.json({ error: `nothing is at ${c.req.method} ${c.req.path}`, hint: 'the API begins at /api/status' }, 404),
  )

  app.use(safeHeaders)
  app.route('/websub', websubRoutes(parts))
  app.use(onlyLocalNames(host, withoutLogin), onlyOwnWrites, refuseLargeBodies)
  app.use('/api/*', async (c, next) => {
    await next()
    c.res.headers.set('cache-control', 'no-store')
  })

  app.route('/healthz', healthRoutes(parts))
  app.route('/api/status', statusRoutes(parts))
  app.route('/api/feeds', feedRoutes(parts))
  app.route('/api/entries', entryRoutes(parts))
  app.route('/api/groups', groupRoutes(parts))
  app.route('/api/statistics', statisticsRoutes(parts))
  app.route('/api/sources', sourceRoutes(parts))
  app.route('/api/folders', folderRoutes(parts))
  app.route('/api/polls', pollRoutes(parts))
  app.route('/feeds.opml', opmlRoutes(parts))
  app.route('/', page(parts.webDir))

  return { app, listen: (port) => listen({ fetch: app.fetch, host, port, withoutLogin, clock }) }
}
