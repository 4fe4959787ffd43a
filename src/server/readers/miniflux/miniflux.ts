/**
 * Miniflux's API, version 1, at `/v1`, as its clients use it. Each resource has a file of its own. What Miniflux can do beyond a reader's
 * needs is left out.
 */
import { type Context, Hono } from 'hono'
import type { EntryId } from '../../../model/index.ts'
import { Problem } from '../../problem.ts'
import { parseOpmlAddresses } from '../../routes/addresses.ts'
import type { AuthenticatedParts } from '../../server-parts.ts'
import type { ReaderAdapter } from '../reader-adapter.ts'
import {
  basicCredential,
  changeMadeBy,
  createReaderAuth,
  currentReader,
  type PresentedLogin,
  requireWrite,
} from '../reader-auth.ts'
import { bodyOf, idIn, textIn } from './body.ts'
import { minifluxCategoryRoutes } from './categories.ts'
import { minifluxEntryRoutes } from './entries.ts'
import { createEntryPages } from './entry-pages.ts'
import { minifluxFeedRoutes } from './feeds.ts'
import { enclosureShapes, entryOfEnclosure, minifluxUserShape } from './shapes.ts'
import { minifluxUserRoutes } from './users.ts'

/** Of Miniflux; clients look at it to know what they may ask for. */
const VERSION = '2.2.0'

export function minifluxRoutes(parts: AuthenticatedParts, adapter: ReaderAdapter): Hono {
  const {
    readerState,
    catalogue,
    crawler,
    clock,
    pictures,
    previewAddress: look,
    addressSubscriber,
    onChange = () => {},
  } = parts
  const entryPages = createEntryPages({ adapter, readerState, catalogue, clock })
  const app = new Hono()
  app.onError((error, c) => {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    const { status, message, hint, retryAfterSeconds } = error
    if (retryAfterSeconds !== undefined) c.header('retry-after', String(Math.ceil(retryAfterSeconds)))
    return c.json({ error_message: `${message}: ${hint}` }, status)
  })
  app.use('/*', createReaderAuth(parts).authenticateReader(readCredential))

  app.get('/me', (c) => {
    const { userId, name, scope } = currentReader(c)
    return c.json(minifluxUserShape({ id: userId, name, scope }))
  })
  app.get('/version', (c) =>
    c.json({ version: VERSION, commit: '', build_date: '', go_version: '', compiler: '', arch: '', os: '' }),
  )
  app.get('/integrations/status', (c) => c.json({ has_integrations: false }))
  app.on(['PUT', 'DELETE'], '/flush-history', (c) => {
    requireWrite(c) // read entries are kept as long as the server keeps entries
    return c.body(null, 202)
  })

  app.route('/categories', minifluxCategoryRoutes({ adapter, entryPages, readerState }))
  app.route('/', minifluxFeedRoutes({ adapter, entryPages, readerState, catalogue, crawler, pictures, onChange }))
  app.route('/entries', minifluxEntryRoutes({ adapter, entryPages }))

  app.get('/enclosures/:id', async (c) => {
    const { userId } = currentReader(c)
    const id = idIn(c)
    const [item] = await adapter.loadItems(userId, [entryOfEnclosure(id) as EntryId])
    const enclosure = item && enclosureShapes(item, userId).find((one) => one.id === id)
    if (!enclosure) throw new Problem(404, 'there is no such enclosure', 'see those of an entry')
    return c.json(enclosure)
  })

  app.route('/', minifluxUserRoutes({ users: parts.users, clock, readerState, onChange }))

  app.get('/export', async (c) =>
    c.body(await adapter.opml(currentReader(c).userId), 200, { 'content-type': 'text/xml; charset=utf-8' }),
  )

  app.post('/discover', async (c) => {
    requireWrite(c) // it sends requests to other sites
    const { candidates } = await look(textIn(await bodyOf(c), 'url'), c.req.raw.signal)
    if (candidates.length === 0) throw new Problem(404, 'no feed was found there', 'check the address')
    return c.json(candidates.map(({ url, title = url, format }) => ({ url, title, type: typeOf(format) })))
  })

  app.post('/import', async (c) => {
    const reader = requireWrite(c)
    const { addresses } = await parseOpmlAddresses(await c.req.text())
    const results = await addressSubscriber.add(addresses, { userId: reader.userId, signal: c.req.raw.signal })
    const refused = results.find((one) => one.kind === 'refused')
    onChange(changeMadeBy(reader, 'miniflux.import'))
    const message = refused ? `Some feeds were not imported: ${refused.reason}` : 'Feeds imported successfully'
    return c.json({ message }, 201)
  })

  app.all('/*', (c) => {
    throw new Problem(404, `${c.req.method} ${c.req.path} does not exist`, 'see docs/readers.md')
  })
  return app
}

function readCredential(c: Context): PresentedLogin | undefined {
  const token = c.req.header('x-auth-token')
  if (token) return { secret: token.slice(0, 500), kinds: ['token'] }
  const [, bearer] = /^Bearer ([\w.~+/=-]{1,500})$/i.exec(c.req.header('authorization') ?? '') ?? []
  return bearer === undefined ? basicCredential(c) : { secret: bearer, kinds: ['token'] }
}

/** Miniflux has three feed types. */
function typeOf(format: string): string {
  return format === 'atom' || format === 'json' ? format : 'rss'
}
