/**
 * Three protocols of feed readers, over the same stores as our API: Google Reader, Fever and Miniflux, at the paths where clients look for
 * them. For all of them, bodies are read after authentication, requests are limited in rate, pages of other sites are refused, and nothing is
 * cached.
 */
import { Hono, type MiddlewareHandler } from 'hono'
import type { AuthenticatedParts } from '../server-parts.ts'
import { feverRoutes } from './fever.ts'
import { googleReaderRoutes } from './google/google-reader.ts'
import { iconAddressRoutes } from './icon-addresses.ts'
import { minifluxRoutes } from './miniflux/miniflux.ts'
import { createReaderAdapter } from './reader-adapter.ts'
import { rejectCrossSiteRequests } from './reader-auth.ts'

const PATHS = [
  '/accounts/*',
  '/reader/*',
  '/api/greader.php/*',
  '/fever/*',
  '/fever',
  '/api/fever.php',
  '/api/fever.php/*',
  '/v1/*',
]

export function readerRoutes(parts: AuthenticatedParts): Hono {
  const app = new Hono()
  for (const path of PATHS) app.use(path, noStore, rejectCrossSiteRequests)
  const adapter = createReaderAdapter(parts)
  const google = googleReaderRoutes(parts, adapter)
  const fever = feverRoutes(parts, adapter)
  app.route('/', google)
  app.route('/api/greader.php', google)
  app.route('/fever', fever)
  app.route('/api/fever.php', fever)
  app.route('/v1', minifluxRoutes(parts, adapter))
  app.route('/', iconAddressRoutes(parts, adapter))
  app.get('/version', (c) => c.text(parts.version)) // clients of Miniflux check that it exists
  app.get('/healthcheck', (c) => c.text('OK'))
  return app
}

const noStore: MiddlewareHandler = async (c, next) => {
  await next()
  c.res.headers.set('cache-control', 'no-store')
}
