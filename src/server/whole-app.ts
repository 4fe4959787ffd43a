/**
 * The whole app: what hubs send, then guards, then the API with one file for each resource, then the page's files. Everything that
 * is thrown inside ends at one error boundary, which answers with problem+json. It is loaded with the first request (server.ts).
 */
import { Hono, type MiddlewareHandler } from 'hono'
import { etag } from 'hono/etag'
import { apiDocsPage } from './api-docs-page.ts'
import { createAuthentication } from './authenticate.ts'
import { identifyCaller, requireScope } from './authorize.ts'
import { createBodyReader } from './body.ts'
import { rejectCrossSiteWrites } from './browser-security.ts'
import { logChanges } from './change-log.ts'
import { createAddressSubscriber } from './follow-addresses.ts'
import { openApiDocument } from './openapi.ts'
import { createPictures } from './pictures/pictures.ts'
import { createPreviewAddress } from './preview-address.ts'
import { answerError, answerProblem, type ErrorListeners, Problem } from './problem.ts'
import { rateLimit } from './rate-limit.ts'
import { readerRoutes } from './readers/readers.ts'
import { createAccessRechecks } from './recheck-access.ts'
import { budgetRoutes } from './routes/budget.ts'
import { dashboardRoutes } from './routes/dashboard.ts'
import { entryRoutes } from './routes/entries.ts'
import { exportRoutes } from './routes/exports.ts'
import { feedRoutes } from './routes/feeds.ts'
import { feedsOutRoutes } from './routes/feeds-out.ts'
import { fetcherRoutes } from './routes/fetchers.ts'
import { folderRoutes } from './routes/folders.ts'
import { groupRoutes } from './routes/groups.ts'
import { hubRoutes } from './routes/hubs.ts'
import { labRoutes } from './routes/lab.ts'
import { metricsRoutes } from './routes/metrics.ts'
import { opmlRoutes } from './routes/opml.ts'
import { pictureRoutes } from './routes/pictures.ts'
import { pollRoutes } from './routes/polls.ts'
import { previewRoutes } from './routes/preview.ts'
import { readStateRoutes } from './routes/read-state.ts'
import { savedFeedOutRoutes } from './routes/saved-feeds-out.ts'
import { searchRoutes } from './routes/searches.ts'
import { sessionRoutes } from './routes/session.ts'
import { setUpPage, setUpRoutes } from './routes/set-up.ts'
import { siteRoutes } from './routes/sites.ts'
import { sourceRoutes } from './routes/sources.ts'
import { statisticsRoutes } from './routes/statistics.ts'
import { statusRoutes } from './routes/status.ts'
import { streamRoutes } from './routes/stream.ts'
import { subscriptionRoutes } from './routes/subscriptions.ts'
import { userRoutes } from './routes/users.ts'
import { webhookRoutes } from './routes/webhooks.ts'
import { websubRoutes } from './routes/websub.ts'
import type { ServerParts } from './server-parts.ts'
import type { SetUp } from './set-up.ts'
import { toProblem } from './validation.ts'
import { webPageRoutes } from './web-page.ts'

/** What it shares with the health checks, which do not wait for it. */
interface Surroundings {
  setUp: SetUp
  entrance: MiddlewareHandler[]
  isLocal: MiddlewareHandler
  failures: ErrorListeners
}

/** One file each. */
const RESOURCES = [
  statusRoutes,
  feedRoutes,
  entryRoutes,
  groupRoutes,
  subscriptionRoutes,
  readStateRoutes,
  searchRoutes,
  savedFeedOutRoutes,
  webhookRoutes,
  statisticsRoutes,
  sourceRoutes,
  folderRoutes,
  budgetRoutes,
  pollRoutes,
  sessionRoutes,
  userRoutes,
  feedsOutRoutes,
  hubRoutes,
  previewRoutes,
  siteRoutes,
  dashboardRoutes,
  labRoutes,
  fetcherRoutes,
]

/** Answers without a tag, which would have to be made of all of it, and that are kept as they say themselves. */
const STREAMS = [exportRoutes, pictureRoutes]

export function createWholeApp(given: ServerParts, { setUp, entrance, isLocal, failures }: Surroundings): Hono {
  const { clock, listenWithoutLogin: withoutLogin = false } = given
  const isClosed = setUp.hasBegun
  const shared = {
    follow: createAddressSubscriber(given),
    previewAddress: createPreviewAddress(given),
    ...(given.net && { pictures: createPictures({ net: given.net, clock }) }),
  }
  const parts = { ...given, ...shared, isClosed, ...createAuthentication(given), readBody: createBodyReader(given) }
  const guard = createAccessRechecks(clock)
  const app = new Hono()
  app.onError((error, c) => {
    const problem = toProblem(error, c)
    if (given.isInProcess && !(problem instanceof Problem)) throw problem
    return answerError(problem, c, failures)
  })
  app.notFound((c) =>
    answerProblem(
      c,
      new Problem(404, `${c.req.method} ${c.req.path} does not exist`, 'see /api; the API is at /api/v1'),
    ),
  )

  app.use(...entrance)
  app.route('/websub', websubRoutes(parts))
  app.use(isLocal)
  app.route('/', readerRoutes(parts))
  app.use(rejectCrossSiteWrites)
  app.route('/', webPageRoutes(parts.pageFolder))
  app.route('/', setUpPage())
  let made: ReturnType<typeof openApiDocument> | undefined
  const description = () => (made ??= openApiDocument(parts.version)) // takes 50 ms, and few ask for it
  app.get('/api/openapi.json', (c) => c.json(description()))
  app.get('/api', (c) => c.html(apiDocsPage(description())))
  const { people, localKey, reportWrongToken } = parts
  app.use(
    identifyCaller({ people, clock, isOpen: withoutLogin, localKey, isClosed, onWrong: reportWrongToken }),
    requireScope,
    rateLimit(clock, parts.trustProxy),
    parts.readBody, // only after authentication: bodies of strangers are not read
  )
  app.use('/api/*', logChanges(parts.onChange ?? (() => {})), guard.recheckAfterWrite)
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

  return app
}
