/**
 * The server. A small app answers health checks; the complete app (app.ts) is loaded with the first other request. Its schemas would take a
 * third of the startup time of a crawl, and memory that a crawler without users does not need.
 */
import { Hono } from 'hono'
import { rejectForeignHosts, securityHeaders } from './base-middleware.ts'
import { listen, type ServerSocket } from './listen.ts'
import { resolveListenAddress } from './listen-address.ts'
import { answerError, type ErrorListeners } from './problem.ts'
import { requestIds } from './request-id.ts'
import { HEALTH_PATHS, healthRoutes } from './routes/health.ts'
import type { ServerParts } from './server-parts.ts'
import { createSetUp } from './set-up.ts'
import { signsInElsewhere } from './sign-in/settings.ts'
import { createOutageReports, warnAboutProxies } from './warnings.ts'

export interface Server {
  /** Answers requests without a socket: `app.request('/api/v1/status')`. */
  app: { request(url: string | URL | Request, init?: RequestInit, environment?: object): Promise<Response> }
  /** The complete app with its routes. */
  load(): Promise<Hono>
  /** Port 0 chooses a free port. Rejects with a ServerError if it cannot listen. */
  listen(port: number): Promise<ServerSocket>
}

export function createServer(given: ServerParts): Server {
  const closing = new AbortController()
  const { host, listenWithoutLogin = false, clock, users, onInternalError = () => {}, onWarning = () => {} } = given
  const parts = { ...given, closing: closing.signal }
  const setUp = createSetUp(clock)
  const requiresAccount = () => setUp.hasStarted() || signsInElsewhere(given.signIn)
  const middleware = {
    setUp,
    requiresAccount,
    baseMiddleware: [requestIds, securityHeaders(given), warnAboutProxies(given.trustProxy, onWarning)],
    rejectForeignHosts: rejectForeignHosts(host, listenWithoutLogin, users, requiresAccount),
    errorListeners: { onInternalError, onOutage: createOutageReports(clock, onWarning) } satisfies ErrorListeners,
  }
  const health = new Hono()
  health.onError((error, c) => answerError(error, c, middleware.errorListeners))
  health.use(...middleware.baseMiddleware, middleware.rejectForeignHosts)
  health.route('/', healthRoutes(parts))

  let fullApp: Promise<Hono> | undefined
  function load(): Promise<Hono> {
    fullApp ??= import('./app.ts').then(({ createApp }) => createApp(parts, middleware))
    return fullApp
  }

  async function appFor(url: string, method = 'GET'): Promise<Hono> {
    const isHealth = HEALTH_PATHS.includes(new URL(url, 'http://localhost').pathname)
    return isHealth && (method === 'GET' || method === 'HEAD') ? health : load()
  }

  return {
    app: {
      async request(url, init, environment) {
        const [requestUrl, method] = url instanceof Request ? [url.url, url.method] : [String(url), init?.method]
        return (await appFor(requestUrl, method)).request(url, init, environment)
      },
    },
    load,
    async listen(port) {
      const { address, isReachable } = await resolveListenAddress(host)
      const needsSetUp = isReachable && !listenWithoutLogin && (await users.allUsers()).length === 0
      const secret = needsSetUp ? setUp.start() : undefined // before the first request
      const fetch = async (request: Request, environment: object) =>
        (await appFor(request.url, request.method)).fetch(request, environment)
      const { url, close } = await listen({ fetch, host, address, port, clock })
      return {
        url,
        ...(secret && { setUpUrl: `${url}/setup#${secret}` }),
        close() {
          closing.abort()
          return close()
        },
      }
    },
  }
}
