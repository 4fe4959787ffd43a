/**
 * The readers people have: three protocols that their programs speak, each from its own file, over the same roles as our API. Here they get
 * their places, where clients look for them, and what holds for all: bodies are read once it is known who sends them, nobody asks too often,
 * no page of another site asks at all.
 */
import { Hono } from 'hono'
import type { ProvenParts } from '../server-parts.ts'
import { feverRoutes } from './fever.ts'
import { googleReaderRoutes } from './google-reader.ts'
import { minifluxRoutes } from './miniflux.ts'
import { noForeignPages } from './reader-auth.ts'

const PLACES = [
  '/accounts/*',
  '/reader/*',
  '/api/greader.php/*',
  '/fever/*',
  '/fever',
  '/api/fever.php',
  '/api/fever.php/*',
  '/v1/*',
]

export function readerRoutes(parts: ProvenParts): Hono {
  const app = new Hono()
  for (const place of PLACES) app.use(place, noForeignPages)
  const google = googleReaderRoutes(parts)
  const fever = feverRoutes(parts)
  app.route('/', google)
  app.route('/api/greader.php', google)
  app.route('/fever', fever)
  app.route('/api/fever.php', fever)
  app.route('/v1', minifluxRoutes(parts))
  app.get('/version', (c) => c.text(parts.version)) // clients of Miniflux look whether it is there
  app.get('/healthcheck', (c) => c.text('OK'))
  return app
}
