/** Entries of Miniflux's API, and their read and starred state. */
import { Hono } from 'hono'
import type { EntryId } from '../../../model/index.ts'
import { Problem } from '../../problem.ts'
import type { ReaderAdapter } from '../reader-adapter.ts'
import { requireWrite } from '../reader-auth.ts'
import { bodyOf } from './body.ts'
import type { EntryPages } from './entry-pages.ts'
import { readingMinutes } from './shapes.ts'

const MAX_IDS = 10_000

interface EntryParts {
  adapter: ReaderAdapter
  entryPages: EntryPages
}

export function minifluxEntryRoutes({ adapter, entryPages }: EntryParts): Hono {
  const app = new Hono()

  app.get('/', (c) => entryPages.list(c))
  app.get('/ids', (c) => entryPages.listIds(c))

  app.put('/', async (c) => {
    const { userId } = requireWrite(c)
    const { entry_ids: entryIds, status = '', starred = null } = await bodyOf(c)
    const ids = Array.isArray(entryIds)
      ? entryIds.filter((id): id is EntryId => Number.isSafeInteger(id) && id > 0)
      : []
    if (ids.length === 0 || ids.length !== (entryIds as unknown[]).length || ids.length > MAX_IDS)
      throw new Problem(400, 'invalid entry_ids', 'send a list of at most 10,000 numbers')
    const isStatus = status === 'read' || status === 'unread'
    if (!isStatus && status !== '') throw new Problem(400, 'invalid status', 'send "read" or "unread"')
    if (!isStatus && typeof starred !== 'boolean') throw new Problem(400, 'nothing to change', 'send status or starred')
    if (isStatus) await adapter.markEntries(userId, ids, status)
    if (typeof starred === 'boolean') await adapter.star(userId, ids, starred)
    return c.body(null, 204)
  })

  app.get('/:id', (c) => entryPages.show(c, 'id'))
  app.get('/:id/fetch-content', async (c) => {
    const { html } = await entryPages.item(c, 'id')
    return c.json({ content: html, reading_time: readingMinutes(html) })
  })
  app.on('PUT', ['/:id/bookmark', '/:id/star'], async (c) => {
    const { userId } = requireWrite(c)
    const { id, state } = await entryPages.item(c, 'id')
    await adapter.star(userId, [id], !state.starred)
    return c.body(null, 204)
  })
  app.post('/:id/save', async (c) => {
    requireWrite(c)
    await entryPages.item(c, 'id')
    throw new Problem(400, 'there is no service to save entries to', 'star them instead')
  })
  app.put('/:id', async (c) => {
    requireWrite(c)
    await entryPages.item(c, 'id')
    throw new Problem(400, 'entries cannot be edited', 'all users of this server share them')
  })
  return app
}
