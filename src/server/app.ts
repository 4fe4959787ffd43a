/**
 * The complete app: WebSub callbacks, protocols of feed readers, the page's files, and the API behind authentication, with one file for
 * each resource. One error handler answers all errors with problem+json. Loaded with the first request (see server.ts).
 */
import { Hono, type MiddlewareHandler } from 'hono'
import { etag } from 'hono/etag'
import { newSecret } from '../credentials/index.ts'
import type { Net } from '../ports/index.ts'
import { createAddressSubscriber } from './address-subscriber.ts'
import { apiDocsPage } from './api-docs-page.ts'
import { createAuthentication } from './authenticate.ts'
import { identifyCaller, requireScope } from './authorize.ts'
import { rejectCrossSiteWrites } from './browser-security.ts'
import { logChanges } from './change-log.ts'
import { createClientForUser } from './client-for-user.ts'
import { compressResponses } from './compress.ts'
import { createImageProxy } from './image-proxy/image-proxy.ts'
import { createInteractionRecorder } from './interaction-recorder.ts'
import { openApiDocument } from './openapi.ts'
import { createPreviewAddress } from './preview-address.ts'
import { answerError, answerProblem, type ErrorListeners, Problem } from './problem.ts'
import { rateLimit } from './rate-limit.ts'
import { createBodyReader } from './read-body.ts'
import { readerRoutes } from './readers/readers.ts'
import { createAccessRechecks } from './recheck-access.ts'
import { createRecordings } from './recordings/recordings.ts'
import { createStatedChapters } from './recordings/stated-chapters.ts'
import { accountRoutes } from './routes/account.ts'
import { budgetRoutes } from './routes/budget.ts'
import { dashboardRoutes } from './routes/dashboard.ts'
import { destinationRoutes } from './routes/destinations.ts'
import { digestRoutes } from './routes/digests.ts'
import { entryRoutes } from './routes/entries.ts'
import { exportRoutes } from './routes/exports.ts'
import { feedRoutes } from './routes/feeds.ts'
import { feedsOutRoutes } from './routes/feeds-out.ts'
import { fetcherRoutes } from './routes/fetchers.ts'
import { folderRoutes } from './routes/folders.ts'
import { forYouRoutes } from './routes/for-you.ts'
import { groupRoutes } from './routes/groups.ts'
import { hubRoutes } from './routes/hubs.ts'
import { labRoutes } from './routes/lab.ts'
import { labelRoutes } from './routes/labels.ts'
import { mailLinkRoutes } from './routes/mail-links.ts'
import { metricsRoutes } from './routes/metrics.ts'
import { notificationRoutes } from './routes/notifications.ts'
import { opmlRoutes } from './routes/opml.ts'
import { passkeyRoutes } from './routes/passkeys.ts'
import { pictureRoutes } from './routes/pictures.ts'
import { playbackRoutes } from './routes/playback.ts'
import { pollRoutes } from './routes/polls.ts'
import { previewRoutes } from './routes/preview.ts'
import { readStateRoutes } from './routes/read-state.ts'
import { recordingRoutes } from './routes/recordings.ts'
import { ruleRoutes } from './routes/rules.ts'
import { savedFeedOutRoutes } from './routes/saved-feeds-out.ts'
import { searchRoutes } from './routes/searches.ts'
import { secondFactorRoutes } from './routes/second-factor.ts'
import { sessionRoutes } from './routes/session.ts'
import { userSessionRoutes } from './routes/sessions.ts'
import { setUpPage, setUpRoutes } from './routes/set-up.ts'
import { signInRoutes } from './routes/sign-in.ts'
import { siteRoutes } from './routes/sites.ts'
import { sourceRoutes } from './routes/sources.ts'
import { statisticsRoutes } from './routes/statistics.ts'
import { statusRoutes } from './routes/status.ts'
import { streamRoutes } from './routes/stream.ts'
import { subscriptionRoutes } from './routes/subscriptions.ts'
import { suggestionRoutes } from './routes/suggestions.ts'
import { userRoutes } from './routes/users.ts'
import { webhookRoutes } from './routes/webhooks.ts'
import { websubRoutes } from './routes/websub.ts'
import type { ServerParts } from './server-parts.ts'
import type { SetUp } from './set-up.ts'
import { createPasskeys } from './sign-in/passkeys.ts'
import { createFindProxyUser } from './sign-in/proxy-user.ts'
import { createSecondFactors } from './sign-in/second-factor.ts'
import { toProblem } from './validation.ts'
import { webPageRoutes } from './web-page.ts'

/** Middleware and state shared with the health checks. */
interface SharedMiddleware {
  setUp: SetUp
  requiresAccount: () => boolean
  baseMiddleware: MiddlewareHandler[]
  rejectForeignHosts: MiddlewareHandler
  errorListeners: ErrorListeners
}

/** The routes of each resource. */
const RESOURCES = [
  statusRoutes,
  feedRoutes,
  entryRoutes,
  groupRoutes,
  subscriptionRoutes,
  suggestionRoutes,
  readStateRoutes,
  playbackRoutes,
  forYouRoutes,
  labelRoutes,
  ruleRoutes,
  notificationRoutes,
  digestRoutes,
  searchRoutes,
  savedFeedOutRoutes,
  webhookRoutes,
  destinationRoutes,
  statisticsRoutes,
  sourceRoutes,
  folderRoutes,
  budgetRoutes,
  pollRoutes,
  sessionRoutes,
  userSessionRoutes,
  signInRoutes,
  accountRoutes,
  secondFactorRoutes,
  passkeyRoutes,
  userRoutes,
  feedsOutRoutes,
  hubRoutes,
  previewRoutes,
  siteRoutes,
  dashboardRoutes,
  labRoutes,
  fetcherRoutes,
]

/** Responses without an ETag, which would need the complete body, and with their own cache headers. */
const STREAMS = [exportRoutes, pictureRoutes, recordingRoutes]

export function createApp(
  options: ServerParts,
  { setUp, requiresAccount, baseMiddleware, rejectForeignHosts, errorListeners }: SharedMiddleware,
): Hono {
  const { clock, listenWithoutLogin: withoutLogin = false } = options
  const localKey = options.localKey ?? newSecret()
  const app = new Hono()
  const shared = {
    clientFor: createClientForUser({ users: options.users, localKey, request: (url, init) => app.request(url, init) }),
    addressSubscriber: createAddressSubscriber(options),
    previewAddress: createPreviewAddress(options),
    interactions: createInteractionRecorder(options),
    ...(options.net && servicesOver(options.net, options)),
  }
  const secondFactors = createSecondFactors(options)
  const parts = {
    ...options,
    ...shared,
    requiresAccount,
    secondFactors,
    passkeys: createPasskeys(options),
    ...createAuthentication({ ...options, secondFactors }),
    readBody: createBodyReader(options),
  }
  const rechecks = createAccessRechecks(clock)
  app.onError((error, c) => {
    const problem = toProblem(error, c)
    if (options.isInProcess && !(problem instanceof Problem)) throw problem
    return answerError(problem, c, errorListeners)
  })
  app.notFound((c) =>
    answerProblem(
      c,
      new Problem(404, `${c.req.method} ${c.req.path} does not exist`, 'see /api; the API is at /api/v1'),
    ),
  )

  app.use(...baseMiddleware)
  app.route('/websub', websubRoutes(parts))
  app.use(rejectForeignHosts)
  if (!options.isInProcess) app.use(compressResponses)
  app.route('/', readerRoutes(parts))
  app.route('/', mailLinkRoutes(parts)) // mail services unsubscribe with a form, from elsewhere
  app.use(rejectCrossSiteWrites)
  app.route('/', webPageRoutes(parts.getPageFolder))
  app.route('/', setUpPage())
  let openApi: ReturnType<typeof openApiDocument> | undefined
  const description = () => (openApi ??= openApiDocument(parts.version)) // takes 50 ms, and is rarely requested
  app.get('/api/openapi.json', (c) => c.json(description()))
  app.get('/api', (c) => c.html(apiDocsPage(description())))
  const { users, reportInvalidToken } = parts
  app.use(
    identifyCaller({
      users,
      clock,
      isLoginDisabled: withoutLogin,
      localKey,
      requiresAccount,
      onInvalidCredential: reportInvalidToken,
      findProxyUser: createFindProxyUser(parts),
    }),
    requireScope,
    rateLimit(clock, parts.trustProxy),
    parts.readBody, // after authentication, so unauthenticated bodies are not read
  )
  app.use('/api/*', logChanges(parts.onChange ?? (() => {})), rechecks.recheckAfterWrite)
  app.route('/', streamRoutes(parts, rechecks))
  for (const routes of STREAMS) app.route('/', routes(parts))
  if (!options.isInProcess)
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

/** What is fetched from publishers while users read. */
function servicesOver(net: Net, { clock, proxyMedia }: ServerParts) {
  return {
    pictures: createImageProxy({ net, clock }),
    statedChapters: createStatedChapters({ net, clock }),
    ...(proxyMedia && { recordings: createRecordings({ net, clock }) }),
  }
}
