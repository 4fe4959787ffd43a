/** Entries of Miniflux's API, and their read and starred state. */
import { Hono } from 'hono'
import type { EntryId, FeedId } from '../../../model/index.ts'
import { Problem } from '../../problem.ts'
import { formIn } from '../form.ts'
import type { ReaderAdapter } from '../reader-adapter.ts'
import { currentReader, requireWrite } from '../reader-auth.ts'
import { bodyOf, numberIn } from './body.ts'
import type { Categories } from './categories.ts'
import type { EntryPages } from './entry-pages.ts'

const MAX_IDS = 10_000

interface EntryParts {
  adapter: ReaderAdapter
  categories: Categories
  entryPages: EntryPages
}

export function minifluxEntryRoutes({ adapter, categories, entryPages }: EntryParts): Hono {
  const app = new Hono()

  app.get('/', async (c) => {
    const form = await formIn(c)
    const [feed, category] = [form.get('feed_id'), form.get('category_id')]
    return entryPages.list(c, {
      ...(feed !== undefined && { feedIds: [numberIn(feed) as FeedId] }),
      ...(category !== undefined && {
        folder: await categories.folder(currentReader(c).userId, numberIn(category)),
      }),
    })
  })

  app.put('/', async (c) => {
    const { userId } = requireWrite(c)
    const { entry_ids: entryIds, status } = await bodyOf(c)
    const ids = Array.isArray(entryIds)
      ? entryIds.filter((id): id is EntryId => Number.isSafeInteger(id) && id > 0)
      : []
    if (ids.length === 0 || ids.length !== (entryIds as unknown[]).length || ids.length > MAX_IDS)
      throw new Problem(400, 'invalid entry_ids', 'send a list of at most 10,000 numbers')
    if (status !== 'read' && status !== 'unread') throw new Problem(400, 'invalid status', 'send "read" or "unread"')
    await adapter.markEntries(userId, ids, status)
    return c.body(null, 204)
  })

  app.get('/:id', (c) => entryPages.show(c, 'id'))
  app.get('/:id/fetch-content', async (c) => c.json({ content: (await entryPages.item(c, 'id')).html }))
  app.on('PUT', ['/:id/bookmark', '/:id/star'], async (c) => {
    const { userId } = requireWrite(c)
    const { id, state } = await entryPages.item(c, 'id')
    await adapter.star(userId, [id], !state.starred)
    return c.body(null, 204)
  })
  return app
}
