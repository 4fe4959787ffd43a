/** The news, newest first; what full text search finds; and all that is known of one entry. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import { type EntryId, type FeedId, type GroupLevel, placeInTime } from '../../model/index.ts'
import {
  articleOfEntry,
  copiesOf,
  findEntries,
  groupsOfEntry,
  type Narrowed,
  namedEntries,
  namedFinds,
  wholeEntry,
} from '../../views/index.ts'
import { checkedRoutes } from '../checked.ts'
import { cursorOf, cutAt, keysIn } from '../cursor.ts'
import { notThere, Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'

export function entryRoutes(parts: ServerParts): OpenAPIHono {
  const { catalogue, articleCatalogue } = parts
  const app = checkedRoutes()

  app.openapi(OPERATIONS.listEntries, async (c) => {
    const { q, cursor, sort, limit = 50, ...asked } = c.req.valid('query')
    const wanted = { ...(await narrowedBy(asked, q !== undefined, parts)), limit: limit + 1 }
    if (q === undefined) {
      if (sort === 'relevance') throw new Problem(400, 'without q nothing is relevant', 'leave sort out, or add q')
      const [at, id] = keysIn<[number, number]>('entries', cursor) ?? []
      const after = at !== undefined && id !== undefined ? { after: { at, id: id as EntryId } } : {}
      const { entries, goesOnAfter } = await catalogue.listEntries({ ...wanted, ...after })
      const shown = entries.slice(0, limit)
      const last = entries.length > limit ? placeInTime(shown.at(-1)!) : goesOnAfter
      const next = last && cursorOf('entries', last.at, last.id)
      return c.json({ entries: await namedEntries(shown, parts), ...(next && { next }) }, 200)
    }
    const order = sort ?? 'relevance'
    const [after] = keysIn<[number]>(order, cursor) ?? []
    const from = { order, now: parts.clock.now(), ...(after !== undefined && { after: after as EntryId }) }
    const found = await findEntries(q, parts, { ...wanted, ...from })
    if ('fault' in found) throw new Problem(400, found.fault, found.hint)
    const { shown, next } = cutAt(found.entries, limit, ({ id }) => cursorOf(order, id))
    return c.json({ entries: await namedFinds(shown, found.words, parts), ...(next && { next }) }, 200)
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
    const article = await articleOfEntry(articleCatalogue, id)
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

interface Asked {
  feed?: number | undefined
  folder?: string | undefined
  category?: string | undefined
  language?: string | undefined
  since?: number | undefined
  until?: number | undefined
  unique?: 'none' | GroupLevel | undefined
}

/** Of what a search finds, each story is shown once unless told. */
async function narrowedBy(
  asked: Asked,
  isSearch: boolean,
  { catalogue }: ServerParts,
): Promise<Omit<Narrowed, 'limit'>> {
  const { feed, folder, category, language, since, until, unique = isSearch ? 'story' : 'none' } = asked
  const inFolder = folder === undefined ? undefined : await catalogue.feedIds({ folder })
  const feedIds = feed === undefined ? inFolder : [feed as FeedId].filter((id) => inFolder?.includes(id) ?? true)
  return {
    ...(feedIds && { feedIds }),
    ...(category !== undefined && { category: category.toLowerCase() }),
    ...(language !== undefined && { language: language.toLowerCase() }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(unique !== 'none' && { unique }),
  }
}
