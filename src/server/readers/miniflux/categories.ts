/**
 * Categories of Miniflux's API are folders, with numbers derived from their names. We have no empty folders, so an empty category is kept in
 * memory for its user until a feed is put into it.
 */
import { Hono } from 'hono'
import { type PersonId, setBounded, shortLabel } from '../../../model/index.ts'
import { Problem } from '../../problem.ts'
import type { AuthenticatedParts } from '../../server-parts.ts'
import { folderNumber, NO_FOLDER } from '../folder-number.ts'
import type { ReaderAdapter } from '../reader-adapter.ts'
import { currentReader, requireWrite } from '../reader-auth.ts'
import { bodyOf, idIn, textIn } from './body.ts'
import type { EntryPages } from './entry-pages.ts'
import { categoryShape, minifluxFeedShape, UNSORTED } from './shapes.ts'

const MAX_EMPTY_CATEGORIES = 1000

export interface Categories {
  addEmpty(personId: PersonId, folder: string): void
  /** Empty for the category of feeds without one. Throws a Problem if there is no such category. */
  folder(personId: PersonId, number: number): Promise<string>
}

export function createCategories(adapter: ReaderAdapter): Categories {
  const empty = new Map<string, string>()
  return {
    addEmpty: (personId, folder) =>
      setBounded(empty, `${personId} ${folderNumber(folder)}`, folder, MAX_EMPTY_CATEGORIES),
    async folder(personId, number) {
      const folder = (await adapter.folderWithNumber(personId, number)) ?? empty.get(`${personId} ${number}`)
      if (folder === undefined) throw new Problem(404, `there is no category ${number}`, 'see GET /v1/categories')
      return folder === UNSORTED ? '' : folder
    },
  }
}

interface CategoryParts extends Pick<AuthenticatedParts, 'readership'> {
  adapter: ReaderAdapter
  categories: Categories
  entryPages: EntryPages
}

export function minifluxCategoryRoutes({ adapter, categories, entryPages, readership }: CategoryParts): Hono {
  const app = new Hono()

  app.get('/', async (c) => {
    const { personId } = currentReader(c)
    const { folders } = await readership.standing(personId)
    const isCounted = c.req.query('counts') === 'true'
    const shapes = folders.map(({ folder = '', feeds, unread }) => ({
      ...categoryShape(folder, personId),
      ...(isCounted && { feed_count: feeds, total_unread: unread }),
    }))
    const hasUnsorted = shapes.some(({ id }) => id === NO_FOLDER)
    const unsorted = { ...categoryShape('', personId), ...(isCounted && { feed_count: 0, total_unread: 0 }) }
    return c.json(hasUnsorted ? shapes : [unsorted, ...shapes])
  })

  app.post('/', async (c) => {
    const { personId } = requireWrite(c)
    const folder = shortLabel(textIn(await bodyOf(c), 'title'))
    if (!folder) throw new Problem(400, 'the category has no title', 'send {"title": "News"}')
    categories.addEmpty(personId, folder)
    return c.json(categoryShape(folder, personId), 201)
  })

  app.put('/:id', async (c) => {
    const { personId } = requireWrite(c)
    const folder = await categories.folder(personId, idIn(c))
    const title = shortLabel(textIn(await bodyOf(c), 'title'))
    if (!title || folder === '') throw new Problem(400, 'invalid title of the category', 'send {"title": "News"}')
    await readership.renameFolder(personId, folder, title)
    return c.json(categoryShape(title, personId), 201)
  })

  app.delete('/:id', async (c) => {
    const { personId } = requireWrite(c)
    await readership.renameFolder(personId, await categories.folder(personId, idIn(c)), null)
    return c.body(null, 204)
  })

  app.put('/:id/mark-all-as-read', async (c) => {
    const { personId } = requireWrite(c)
    await readership.markAllRead(personId, { folder: await categories.folder(personId, idIn(c)) })
    return c.body(null, 204)
  })

  app.get('/:id/feeds', async (c) => {
    const { personId } = currentReader(c)
    const feeds = await adapter.subscriptions(personId, await categories.folder(personId, idIn(c)))
    return c.json(feeds.map((feed) => minifluxFeedShape(feed, personId)))
  })

  app.get('/:id/entries', async (c) =>
    entryPages.list(c, { folder: await categories.folder(currentReader(c).personId, idIn(c)) }),
  )
  return app
}
