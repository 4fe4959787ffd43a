/** Categories of Miniflux's API are folders. */
import { type Context, Hono } from 'hono'
import { truncateLabel, type UserId } from '../../../model/index.ts'
import { Problem } from '../../problem.ts'
import type { AuthenticatedParts } from '../../server-parts.ts'
import { NO_FOLDER } from '../folders.ts'
import type { ReaderAdapter } from '../reader-adapter.ts'
import { currentReader, requireWrite } from '../reader-auth.ts'
import { answerFeeds } from './answer-feeds.ts'
import { bodyOf, idIn, textIn } from './body.ts'
import type { EntryPages } from './entry-pages.ts'
import { categoryShape, UNSORTED } from './shapes.ts'

interface CategoryParts extends Pick<AuthenticatedParts, 'readerState'> {
  adapter: ReaderAdapter
  entryPages: EntryPages
}

export function minifluxCategoryRoutes({ adapter, entryPages, readerState }: CategoryParts): Hono {
  const { folders } = adapter
  const app = new Hono()

  app.get('/', async (c) => {
    const { userId } = currentReader(c)
    const isCounted = /^(1|t|true)$/i.test(c.req.query('counts') ?? '')
    const shapes = (await folders.list(userId)).map(({ number, name, feeds, unread }) => ({
      ...categoryShape(name, number, userId),
      ...(isCounted && { feed_count: feeds, total_unread: unread }),
    }))
    return c.json(shapes)
  })

  app.post('/', async (c) => {
    const { userId } = requireWrite(c)
    const name = await titleIn(c, userId)
    if (name === undefined) throw new Problem(400, 'the category has no title', 'send {"title": "News"}')
    return c.json(categoryShape(name, await folders.add(userId, name), userId), 201)
  })

  app.put('/:id', async (c) => {
    const { userId } = requireWrite(c)
    const number = idIn(c)
    const name = await folderIn(c, userId)
    const title = await titleIn(c, userId, number)
    if (title !== undefined && number === NO_FOLDER && title !== UNSORTED)
      throw new Problem(400, `${UNSORTED} are the feeds without a category`, 'it has no other title')
    if (title !== undefined && title !== name) await folders.rename(userId, name, title)
    return c.json(categoryShape(title ?? name, number, userId), 201)
  })

  app.delete('/:id', async (c) => {
    const { userId } = requireWrite(c)
    const name = await folderIn(c, userId)
    if (name === '') throw new Problem(400, `${UNSORTED} are the feeds without a category`, 'it cannot be removed')
    await folders.rename(userId, name, null)
    return c.body(null, 204)
  })

  app.put('/:id/mark-all-as-read', async (c) => {
    const { userId } = requireWrite(c)
    await readerState.markAllRead(userId, await folders.scopeOf(userId, await folderIn(c, userId)))
    return c.body(null, 204)
  })

  app.put('/:id/refresh', async (c) => {
    await folderIn(c, requireWrite(c).userId) // as for all feeds: they are polled when news is expected
    return c.body(null, 204)
  })

  app.get('/:id/feeds', async (c) => {
    const { userId } = currentReader(c)
    return answerFeeds(c, adapter, userId, await folderIn(c, userId))
  })

  app.get('/:id/entries', (c) => entryPages.list(c, { category: idIn(c) }))
  app.get('/:id/entries/:entry', async (c) => {
    const folder = await folderIn(c, currentReader(c).userId)
    return entryPages.show(c, 'entry', (feed) => feed.folder === folder)
  })

  /** The name of the folder in the path. */
  async function folderIn(c: Context, userId: UserId): Promise<string> {
    const number = idIn(c)
    const name = await folders.withNumber(userId, number)
    if (name === undefined) throw new Problem(404, `there is no category ${number}`, 'see GET /v1/categories')
    return name
  }

  /** Undefined if the body has none. Miniflux has no two categories with the same title. */
  async function titleIn(c: Context, userId: UserId, own?: number): Promise<string | undefined> {
    const body = await bodyOf(c)
    if (body.title === undefined || body.title === null) return undefined
    const title = truncateLabel(textIn(body, 'title'))
    if (!title) throw new Problem(400, 'the category has no title', 'send {"title": "News"}')
    const isTaken = (await folders.list(userId)).some(
      ({ number, name }) => number !== own && (name || UNSORTED).toLowerCase() === title.toLowerCase(),
    )
    if (isTaken) throw new Problem(400, 'this category already exists', 'choose another title')
    return title
  }
  return app
}
