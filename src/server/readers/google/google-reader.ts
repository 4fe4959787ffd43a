/**
 * The Google Reader API, as FreshRSS and others offer it: below `/api/greader.php`, where clients of FreshRSS look for it, and at the root.
 * Each resource has a file of its own.
 */
import { Hono } from 'hono'
import { answerProblem, Problem } from '../../problem.ts'
import type { AuthenticatedParts } from '../../server-parts.ts'
import type { ReaderAdapter } from '../reader-adapter.ts'
import { createReaderAuth, currentReader } from '../reader-auth.ts'
import { createActionTokens, googleCredential, googleLoginRoutes } from './login.ts'
import { googleStreamRoutes } from './streams.ts'
import { googleSubscriptionRoutes } from './subscriptions.ts'
import { googleTagRoutes } from './tags.ts'

export function googleReaderRoutes(parts: AuthenticatedParts, adapter: ReaderAdapter): Hono {
  const { users, readerState, clock, crawler, catalogue, readBody, onChange = () => {} } = parts
  const { authenticateUser, authenticateReader } = createReaderAuth(parts)
  const actionToken = createActionTokens()
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
  app.use('/reader/*', authenticateReader(googleCredential))

  app.get('/reader/api/0/token', (c) => c.text(actionToken(c)))
  app.get('/reader/api/0/user-info', (c) => {
    const { userId, name } = currentReader(c)
    return c.json({ userId: String(userId), userName: name, userProfileId: String(userId), userEmail: '' })
  })
  app.route(
    '/reader/api/0/subscription',
    googleSubscriptionRoutes({ adapter, catalogue, crawler, onChange, actionToken }),
  )
  app.route('/reader', googleStreamRoutes({ adapter, catalogue, readerState, clock }))
  app.route('/reader/api/0', googleTagRoutes({ adapter, catalogue, readerState, crawler, clock }))
  app.get('/reader/api/0/preference/list', (c) => c.json({ prefs: [{ id: 'lhn-prefs', value: '{}' }] }))
  app.get('/reader/api/0/preference/stream/list', (c) => c.json({ streamprefs: {} }))
  app.get('/reader/api/0/friend/list', (c) => c.json({ friends: [] }))
  return app
}
