/** `/api/feeds`: the feeds, and what people may do to them. Reading asks the store; whatever changes something asks the crawl. */
import { type Context, Hono } from 'hono'
import type { FeedId, ScheduledFeed } from '../../model/index.ts'
import { pushedFeeds, takenInWords, wholeFeed } from '../../views/index.ts'
import { readJsonObject } from '../body.ts'
import { oneOf, readId, readQuery, trueOrFalse, wholeNumber, words } from '../parameters.ts'
import { notThere, Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'
import { addressesInBody, EXPECTED_ADDRESSES } from './addresses.ts'
import { EXPECTED_EDIT, readEdit } from './edits.ts'

/** Of the last polls, and of the newest entries. */
const SHOWN = 20

export function feedRoutes(parts: ServerParts): Hono {
  const { catalogue, crawler } = parts
  const app = new Hono()

  async function feedOf(c: Context): Promise<ScheduledFeed> {
    const id = readId(c) as FeedId
    const [scheduled] = await catalogue.feedsById([id])
    if (!scheduled) throw notThere('feed', id)
    return scheduled
  }

  app.get('/', async (c) => {
    const {
      order = 'id',
      limit = 50,
      ...filters
    } = readQuery(c, {
      state: oneOf('active', 'paused', 'gone'),
      folder: words,
      troubled: trueOrFalse,
      text: words,
      order: oneOf('id', 'due'),
      offset: wholeNumber(0, 100_000_000),
      limit: wholeNumber(1, 1000),
    })
    const feeds = await catalogue.feeds({ ...filters, order, limit: limit + 1 })
    return c.json({ feeds: await pushedFeeds(feeds.slice(0, limit), parts), more: feeds.length > limit })
  })

  app.get('/:id', async (c) => c.json(await wholeFeed(await feedOf(c), parts, { most: SHOWN, withCopies: false })))

  app.post('/', async (c) => {
    const { addresses, skipped } = await addressesInBody(await readJsonObject(c, EXPECTED_ADDRESSES))
    return c.json({ results: await crawler.subscribe(addresses), skipped })
  })

  app.patch('/:id', async (c) => {
    const { state, edit } = readEdit(await readJsonObject(c, EXPECTED_EDIT))
    const { feed } = await feedOf(c)
    const edited = Object.keys(edit).length > 0 ? await crawler.edit(feed.id, edit) : true
    if (typeof edited === 'object') throw new Problem(409, ...takenInWords(edited))
    if (!edited) throw notThere('feed', feed.id)
    if (state) await (state === 'paused' ? crawler.pause(feed.id) : crawler.resume(feed.id))
    return c.json((await pushedFeeds([await feedOf(c)], parts))[0])
  })

  app.delete('/:id', async (c) => {
    const id = readId(c) as FeedId
    if (!(await crawler.remove(id))) throw notThere('feed', id)
    return c.body(null, 204)
  })

  app.post('/:id/poll', async (c) => {
    const id = readId(c) as FeedId
    const answer = await crawler.pollNow(id)
    if (!answer) throw notThere('feed', id)
    return c.json({ ...answer, dueAt: new Date(answer.dueAt).toISOString() }, 202)
  })
  return app
}
