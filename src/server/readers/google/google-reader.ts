/**
 * The Google Reader API, as FreshRSS and others offer it: below `/api/greader.php`, where clients of FreshRSS look for it, and at the root.
 * Each resource has a file of its own.
 */
import { type Context, Hono } from 'hono'
import { callerOf } from '../../authorize.ts'
import { answerProblem, Problem } from '../../problem.ts'
import type { AddressParts } from '../../public-address.ts'
import { MAX_ANONYMOUS_BYTES } from '../../read-body.ts'
import type { AuthenticatedParts } from '../../server-parts.ts'
import { bodyFormIn } from '../form.ts'
import { type ReaderAdapter, seconds } from '../reader-adapter.ts'
import { createReaderAuth, currentReader } from '../reader-auth.ts'
import { createActionTokens } from './action-tokens.ts'
import { googleCredential, googleLoginRoutes } from './login.ts'
import { googleStreamRoutes } from './streams.ts'
import { googleSubscriptionRoutes } from './subscriptions.ts'
import { googleTagRoutes } from './tags.ts'

export function googleReaderRoutes(parts: AuthenticatedParts, adapter: ReaderAdapter): Hono {
  const { users, readerState, clock, crawler, catalogue, readBody, onChange = () => {} } = parts
  const { isOptional, authenticateUser, authenticateReader } = createReaderAuth(parts)
  const actionTokens = createActionTokens({ users, clock })
  const addresses: AddressParts = {
    ...(parts.publicUrl && { publicUrl: parts.publicUrl }),
    ...(parts.trustProxy && { trustProxy: parts.trustProxy }),
  }
  const app = new Hono()
  app.onError((error, c) => {
    if (error instanceof Problem && error.status < 500) return answerProblem(c, error)
    throw error
  })

  app.route('/', googleLoginRoutes({ users, clock, readBody, authenticateUser }))
  app.use('/reader/*', async (c, next) => {
    await next()
    if (c.res.status === 401) c.res.headers.set('google-bad-token', 'true')
  })
  // An action token is in the body, of which a few kilobytes are read before authentication.
  const mayAuthenticateByBody = async (c: Context) =>
    c.req.method === 'POST' &&
    c.req.header('authorization') === undefined &&
    Number(c.req.header('content-length') ?? Number.POSITIVE_INFINITY) <= MAX_ANONYMOUS_BYTES &&
    !(await isOptional())
  app.use('/reader/*', async (c, next) => ((await mayAuthenticateByBody(c)) ? readBody(c, next) : next()))
  app.use(
    '/reader/*',
    authenticateReader(async (c) => {
      const credential = googleCredential(c)
      if (credential || !(await mayAuthenticateByBody(c))) return credential
      const secret = (await bodyFormIn(c)).get('T')
      return secret ? { secret, kinds: [], verify: actionTokens.verify } : undefined
    }),
  )

  app.get('/reader/api/0/token', async (c) => c.text(await actionTokens.issue(c)))
  app.get('/reader/api/0/user-info', (c) => {
    const { userId, name } = currentReader(c)
    const { user } = callerOf(c)
    return c.json({
      userId: String(userId),
      userName: name,
      userProfileId: String(userId),
      userEmail: '',
      signupTimeSec: seconds(user?.addedAt ?? 0),
    })
  })
  app.route(
    '/reader/api/0/subscription',
    googleSubscriptionRoutes({ adapter, catalogue, crawler, users, onChange, actionTokens, ...addresses }),
  )
  app.route('/reader', googleStreamRoutes({ adapter, catalogue, readerState, clock, ...addresses }))
  app.route('/reader/api/0', googleTagRoutes({ adapter, catalogue, readerState }))
  app.get('/reader/api/0/preference/list', (c) => c.json({ prefs: [{ id: 'lhn-prefs', value: '{}' }] }))
  app.get('/reader/api/0/preference/stream/list', (c) => c.json({ streamprefs: {} }))
  app.get('/reader/api/0/friend/list', (c) => c.json({ friends: [] }))
  return app
}
