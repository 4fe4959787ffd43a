/** The news, newest first; what full text search finds; and all that is known of one entry. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import { type EntryId, type FeedId, placeInTime } from '../../model/index.ts'
import {
  articleOfEntry,
  copiesOf,
  findEntries,
  groupsOfEntry,
  type Narrowed,
  namedEntries,
  wholeEntry,
} from '../../views/index.ts'
import { checkedRoutes } from '../checked.ts'
import { cursorOf, cutAt, keysIn } from '../cursor.ts'
import { notThere, Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'

export function entryRoutes(parts: ServerParts): OpenAPIHono {
  const { catalogue } = parts
  const app = checkedRoutes()

  app.openapi(OPERATIONS.listEntries, async (c) => {
    const { feed, since, unique, q, cursor, limit = 50 } = c.req.valid('query')
    const wanted: Narrowed = {
      ...(feed !== undefined && { feedId: feed as FeedId }),
      ...(since !== undefined && { since }),
      ...(unique !== undefined && { unique }),
      limit: limit + 1,
    }
    if (q === undefined) {
      const [at, id] = keysIn<[number, number]>('entries', cursor) ?? []
      const after = at !== undefined && id !== undefined ? { after: { at, id: id as EntryId } } : {}
      const entries = await catalogue.entries({ ...wanted, ...after })
      const { shown, next } = cutAt(entries, limit, (last) => {
        const place = placeInTime(last)
        return cursorOf('entries', place.at, place.id)
      })
      return c.json({ entries: await namedEntries(shown, parts), ...(next && { next }) }, 200)
    }
    const [after] = keysIn<[number]>('found', cursor) ?? []
    const entries = await findEntries(q, parts, { ...wanted, ...(after !== undefined && { after: after as EntryId }) })
    const { shown, next } = cutAt(entries, limit, ({ id }) => cursorOf('found', id))
    return c.json({ entries: await namedEntries(shown, parts), ...(next && { next }) }, 200)
  })

  app.openapi(OPERATIONS.getEntry, async (c) => {
    const id = c.req.valid('param').id as EntryId
    const entry = await wholeEntry(id, parts)
    if (!entry) throw notThere('entry', id)
    return c.json(entry, 200)
  })

  app.openapi(OPERATIONS.getArticle, async (c) => {
    const id = c.req.valid('param').id as EntryId
    const [entry] = await catalogue.entriesById([id])
    if (!entry) throw notThere('entry', id)
    const article = await articleOfEntry(catalogue, id)
    if (!article) {
      const hint = 'pages are fetched where a feed shows no whole texts; PATCH its feed with {"articles": "always"}'
      throw new Problem(404, `the page of entry ${id} was not fetched`, hint)
    }
    return c.json(article, 200)
  })

  app.openapi(OPERATIONS.getCopies, async (c) => {
    const id = c.req.valid('param').id as EntryId
    const lineage = await copiesOf(id, parts)
    if (!lineage) throw notThere('entry', id)
    return c.json(lineage, 200)
  })

  app.openapi(OPERATIONS.getGroupsOfEntry, async (c) => {
    const id = c.req.valid('param').id as EntryId
    const groups = await groupsOfEntry(id, parts)
    if (!groups) throw notThere('entry', id)
    return c.json(groups, 200)
  })
  return app
}
