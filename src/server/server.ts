/**
 * The server. Health checks are answered by a small app; everything else by the whole one (whole-app.ts), which is loaded with the first
 * request for it: with its schemas it takes a third of the time until a crawl runs, and memory that a crawler nobody looks at can do without.
 */
import { Hono } from 'hono'
import { rejectForeignHosts, securityHeaders } from './entrance.ts'
import { listen, type ServerSocket } from './listen.ts'
import { resolveListenAddress } from './listen-address.ts'
import { answerError, type ErrorListeners } from './problem.ts'
import { requestIds } from './request-id.ts'
import { HEALTH_PATHS, healthRoutes } from './routes/health.ts'
import type { ServerParts } from './server-parts.ts'
import { createSetUp } from './set-up.ts'
import { createOutageReports, warnAboutProxies } from './warnings.ts'

export interface Server {
  /** Answers requests without a socket: `app.request('/api/v1/status')`. */
  app: { request(url: string | URL | Request, init?: RequestInit, environment?: object): Promise<Response> }
  /** The whole app, with its routes. */
  load(): Promise<Hono>
  /** Port 0 takes a free one. Rejects with a ServerError when it cannot listen. */
  listen(port: number): Promise<ServerSocket>
}

export function createServer(given: ServerParts): Server {
  const closing = new AbortController()
  const { host, listenWithoutLogin = false, clock, people, onMistake = () => {}, onWarning = () => {} } = given
  const parts = { ...given, closing: closing.signal }
  const setUp = createSetUp(clock)
  const surroundings = {
    setUp,
    entrance: [requestIds, securityHeaders, warnAboutProxies(given.trustProxy, onWarning)],
    isLocal: rejectForeignHosts(host, listenWithoutLogin, people, setUp.hasBegun),
    failures: { onMistake, onOutage: createOutageReports(clock, onWarning) } satisfies ErrorListeners,
  }
  const health = new Hono()
  health.onError((error, c) => answerError(error, c, surroundings.failures))
  health.use(...surroundings.entrance, surroundings.isLocal)
  health.route('/', healthRoutes(parts))

  let whole: Promise<Hono> | undefined
  function load(): Promise<Hono> {
    whole ??= import('./whole-app.ts').then(({ createWholeApp }) => createWholeApp(parts, surroundings))
    return whole
  }

  async function appFor(url: string, method = 'GET'): Promise<Hono> {
    const isHealth = HEALTH_PATHS.includes(new URL(url, 'http://localhost').pathname)
    return isHealth && (method === 'GET' || method === 'HEAD') ? health : load()
  }

  return {
    app: {
      async request(url, init, environment) {
        const [asked, method] = url instanceof Request ? [url.url, url.method] : [String(url), init?.method]
        return (await appFor(asked, method)).request(url, init, environment)
      },
    },
    load,
    async listen(port) {
      const { address, isReachable } = await resolveListenAddress(host)
      const isFresh = isReachable && !listenWithoutLogin && (await people.people()).length === 0
      const secret = isFresh ? setUp.begin() : undefined // before anybody can ask
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
