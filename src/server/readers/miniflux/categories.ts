/**
 * Categories of Miniflux's API are folders, with numbers derived from their names. We have no empty folders, so an empty category is kept in
 * memory for its user until a feed is put into it.
 */
import { Hono } from 'hono'
import { setBounded, truncateLabel, type UserId } from '../../../model/index.ts'
import { Problem } from '../../problem.ts'
import type { AuthenticatedParts } from '../../server-parts.ts'
import { folderNumber, NO_FOLDER } from '../folder-number.ts'
import type { ReaderAdapter } from '../reader-adapter.ts'
import { currentReader, requireWrite } from '../reader-auth.ts'
import { answerFeeds } from './answer-feeds.ts'
import { bodyOf, idIn, textIn } from './body.ts'
import type { EntryPages } from './entry-pages.ts'
import { categoryShape, UNSORTED } from './shapes.ts'

const MAX_EMPTY_CATEGORIES = 1000

export interface Categories {
  addEmpty(userId: UserId, folder: string): void
  /** Empty for the category of feeds without one. Throws a Problem if there is no such category. */
  folder(userId: UserId, number: number): Promise<string>
}

export function createCategories(adapter: ReaderAdapter): Categories {
  const empty = new Map<string, string>()
  return {
    addEmpty: (userId, folder) => setBounded(empty, `${userId} ${folderNumber(folder)}`, folder, MAX_EMPTY_CATEGORIES),
    async folder(userId, number) {
      const folder = (await adapter.folderWithNumber(userId, number)) ?? empty.get(`${userId} ${number}`)
      if (folder === undefined) throw new Problem(404, `there is no category ${number}`, 'see GET /v1/categories')
      return folder === UNSORTED ? '' : folder
    },
  }
}

interface CategoryParts extends Pick<AuthenticatedParts, 'readerState' | 'crawler'> {
  adapter: ReaderAdapter
  categories: Categories
  entryPages: EntryPages
}

export function minifluxCategoryRoutes({ adapter, categories, entryPages, readerState, crawler }: CategoryParts): Hono {
  const app = new Hono()

  app.get('/', async (c) => {
    const { userId } = currentReader(c)
    const { folders } = await readerState.readerCounts(userId)
    const isCounted = c.req.query('counts') === 'true'
    const shapes = folders.map(({ folder = '', feeds, unread }) => ({
      ...categoryShape(folder, userId),
      ...(isCounted && { feed_count: feeds, total_unread: unread }),
    }))
    const hasUnsorted = shapes.some(({ id }) => id === NO_FOLDER)
    const unsorted = { ...categoryShape('', userId), ...(isCounted && { feed_count: 0, total_unread: 0 }) }
    return c.json(hasUnsorted ? shapes : [unsorted, ...shapes])
  })

  app.post('/', async (c) => {
    const { userId } = requireWrite(c)
    const folder = truncateLabel(textIn(await bodyOf(c), 'title'))
    if (!folder) throw new Problem(400, 'the category has no title', 'send {"title": "News"}')
    categories.addEmpty(userId, folder)
    return c.json(categoryShape(folder, userId), 201)
  })

  app.put('/:id', async (c) => {
    const { userId } = requireWrite(c)
    const folder = await categories.folder(userId, idIn(c))
    const title = truncateLabel(textIn(await bodyOf(c), 'title'))
    if (!title || folder === '') throw new Problem(400, 'invalid title of the category', 'send {"title": "News"}')
    await crawler.renameFolder(userId, folder, title)
    return c.json(categoryShape(title, userId), 201)
  })

  app.delete('/:id', async (c) => {
    const { userId } = requireWrite(c)
    await crawler.renameFolder(userId, await categories.folder(userId, idIn(c)), null)
    return c.body(null, 204)
  })

  app.put('/:id/mark-all-as-read', async (c) => {
    const { userId } = requireWrite(c)
    await readerState.markAllRead(userId, { folder: await categories.folder(userId, idIn(c)) })
    return c.body(null, 204)
  })

  app.get('/:id/feeds', async (c) => {
    const { userId } = currentReader(c)
    return answerFeeds(c, adapter, userId, await categories.folder(userId, idIn(c)))
  })

  app.get('/:id/entries', async (c) =>
    entryPages.list(c, { folder: await categories.folder(currentReader(c).userId, idIn(c)) }),
  )
  return app
}
