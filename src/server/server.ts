/**
 * The server, put together: the door for hubs, then guards, then the API with one file a resource, then the page's files. Everything that
 * is thrown inside ends at one wall, which answers with problem+json.
 */
import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { createBodyReader } from './body.ts'
import { tellChanges } from './changes.ts'
import { asProblem } from './checked.ts'
import { apiDescription } from './describe.ts'
import { descriptionPage } from './describe-page.ts'
import { createFollowAddresses } from './follow-addresses.ts'
import { onlyLocalNames, onlyOwnWrites, safeHeaders } from './guard.ts'
import { listen, type ServerSocket } from './listen.ts'
import { createLook } from './looks.ts'
import { listeningAddress } from './loopback.ts'
import { page } from './page.ts'
import { createPictures } from './pictures/pictures.ts'
import { answerError, answerProblem, Problem } from './problem.ts'
import { createProving } from './prove.ts'
import { boundedRate } from './rate.ts'
import { readerRoutes } from './readers/readers.ts'
import { requestIds } from './request-id.ts'
import { budgetRoutes } from './routes/budget.ts'
import { engineRoutes } from './routes/engine.ts'
import { entryRoutes } from './routes/entries.ts'
import { exportRoutes } from './routes/exports.ts'
import { feedRoutes } from './routes/feeds.ts'
import { feedsOutRoutes } from './routes/feeds-out.ts'
import { folderRoutes } from './routes/folders.ts'
import { groupRoutes } from './routes/groups.ts'
import { healthRoutes } from './routes/health.ts'
import { hubRoutes } from './routes/hubs.ts'
import { labRoutes } from './routes/lab.ts'
import { metricsRoutes } from './routes/metrics.ts'
import { opmlRoutes } from './routes/opml.ts'
import { ownFeedRoutes } from './routes/own-feeds.ts'
import { peopleRoutes } from './routes/people.ts'
import { pictureRoutes } from './routes/pictures.ts'
import { pollRoutes } from './routes/polls.ts'
import { previewRoutes } from './routes/preview.ts'
import { readingRoutes } from './routes/reading.ts'
import { searchRoutes } from './routes/searches.ts'
import { sessionRoutes } from './routes/session.ts'
import { setUpPage, setUpRoutes } from './routes/set-up.ts'
import { siteRoutes } from './routes/sites.ts'
import { sourceRoutes } from './routes/sources.ts'
import { statisticsRoutes } from './routes/statistics.ts'
import { statusRoutes } from './routes/status.ts'
import { streamRoutes } from './routes/stream.ts'
import { subscriptionRoutes } from './routes/subscriptions.ts'
import { terminalRoutes } from './routes/terminals.ts'
import { webhookRoutes } from './routes/webhooks.ts'
import { websubRoutes } from './routes/websub.ts'
import type { ServerParts } from './server-parts.ts'
import { createSetUp } from './set-up.ts'
import { createStandingGuard } from './standing-guard.ts'
import { createOutageReports, warnOfProxies } from './warnings.ts'
import { onlyAllowed, whoAsks } from './who.ts'

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
  subscriptionRoutes,
  readingRoutes,
  searchRoutes,
  ownFeedRoutes,
  webhookRoutes,
  statisticsRoutes,
  sourceRoutes,
  folderRoutes,
  budgetRoutes,
  pollRoutes,
  sessionRoutes,
  peopleRoutes,
  feedsOutRoutes,
  hubRoutes,
  previewRoutes,
  siteRoutes,
  engineRoutes,
  labRoutes,
  terminalRoutes,
]

/** Answers without a tag, which would have to be made of all of it, and that are kept as they say themselves. */
const STREAMS = [exportRoutes, pictureRoutes]

export function createServer(given: ServerParts): Server {
  const closing = new AbortController()
  const { host, listenWithoutLogin: withoutLogin = false, clock } = given
  const setUp = createSetUp(clock)
  const isClosed = setUp.hasBegun
  const shared = {
    follow: createFollowAddresses(given),
    look: createLook({ ...given, closing: closing.signal }),
    ...(given.net && { pictures: createPictures({ net: given.net, clock }) }),
  }
  const parts = {
    ...given,
    ...shared,
    closing: closing.signal,
    isClosed,
    ...createProving(given),
    readBody: createBodyReader(given),
  }
  const guard = createStandingGuard(clock)
  const app = new Hono()
  const { onMistake = () => {}, onWarning = () => {} } = parts
  const onOutage = createOutageReports(clock, onWarning)
  app.onError((error, c) => {
    const problem = asProblem(error, c)
    if (given.isInProcess && !(problem instanceof Problem)) throw problem
    return answerError(problem, c, { onMistake, onOutage })
  })
  app.notFound((c) =>
    answerProblem(
      c,
      new Problem(404, `${c.req.method} ${c.req.path} does not exist`, 'see /api; the API is at /api/v1'),
    ),
  )

  app.use(requestIds, safeHeaders, warnOfProxies(parts.trustProxy, onWarning))
  app.route('/websub', websubRoutes(parts))
  app.use(onlyLocalNames(host, withoutLogin, parts.people, isClosed))
  app.route('/', readerRoutes(parts))
  app.use(onlyOwnWrites)
  app.route('/', healthRoutes(parts))
  app.route('/', page(parts.pageFolder))
  app.route('/', setUpPage())
  let made: ReturnType<typeof apiDescription> | undefined
  const description = () => (made ??= apiDescription(parts.version)) // takes 50 ms, and few ask for it
  app.get('/api/openapi.json', (c) => c.json(description()))
  app.get('/api', (c) => c.html(descriptionPage(description())))
  const { people, localKey, reportWrongToken } = parts
  app.use(
    whoAsks({ people, clock, isOpen: withoutLogin, localKey, isClosed, onWrong: reportWrongToken }),
    onlyAllowed,
    boundedRate(clock, parts.trustProxy),
    parts.readBody, // only after authentication: bodies of strangers are not read
  )
  app.use('/api/*', tellChanges(parts.onChange ?? (() => {})), guard.watch)
  app.route('/', streamRoutes(parts, guard))
  for (const routes of STREAMS) app.route('/', routes(parts))
  if (!given.isInProcess)
    app.use('/api/*', etag(), async (c, next) => {
      await next()
      c.res.headers.set('cache-control', 'private, no-cache')
    })

  app.route('/metrics', metricsRoutes(parts))
  app.route('/', opmlRoutes(parts))
  for (const routes of RESOURCES) app.route('/', routes(parts))
  app.route('/', setUpRoutes(parts, setUp))

  return {
    app,
    async listen(port) {
      const { address, isReachable } = await listeningAddress(host)
      const isFresh = isReachable && !withoutLogin && (await people.people()).length === 0
      const secret = isFresh ? setUp.begin() : undefined // before anybody can ask
      const { url, close } = await listen({ fetch: app.fetch, host, address, port, clock })
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
