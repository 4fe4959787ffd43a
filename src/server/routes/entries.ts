/** The news, newest first; what full text search finds; and all that is known of one entry. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import { type EntryId, type FeedId, type GroupLevel, type PersonId, placeInTime } from '../../model/index.ts'
import type { MarkedAs } from '../../ports/index.ts'
import {
  articleOfEntry,
  type EntryFilter,
  entriesWithTitles,
  entryDetails,
  findEntries,
  foundEntriesWithTitles,
  groupsOfEntry,
  lineageOfEntry,
  omitUndefined,
  selectFeeds,
} from '../../views/index.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { notFound, Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'
import { viewerIdOf, visibleParts } from '../visible.ts'

export function entryRoutes(parts: ServerParts): OpenAPIHono {
  const app = validatedRoutes()

  app.openapi(OPERATIONS.listEntries, async (c) => {
    const { q, cursor, sort, limit = 50, ...asked } = c.req.valid('query')
    const [reader, seen] = [await viewerIdOf(c), await visibleParts(c, parts)]
    const narrowed = await narrowedBy(asked, seen, reader)
    const marked = markedBy(asked)
    if (q === undefined) {
      if (sort === 'relevance') throw new Problem(400, 'sort=relevance needs q', 'leave out sort, or add q')
      const wanted = { ...narrowed, limit: limit + 1 }
      const [at, id] = decodeCursor<[number, number]>('entries', cursor) ?? []
      const after = at !== undefined && id !== undefined ? { after: { at, id: id as EntryId } } : {}
      if (marked && reader === undefined) throw new Problem(400, ...NOBODYS)
      const { entries, goesOnAfter } =
        marked && reader !== undefined
          ? await seen.readership.entriesFor(reader, { ...wanted, ...after, ...marked })
          : await seen.catalogue.listEntries({ ...wanted, ...after })
      const shown = entries.slice(0, limit)
      const last = entries.length > limit ? placeInTime(shown.at(-1)!) : goesOnAfter
      const next = last && encodeCursor('entries', last.at, last.id)
      return c.json({ entries: await entriesWithTitles(shown, seen, reader), ...(next && { next }) }, 200)
    }
    const order = sort ?? 'relevance'
    const [after] = decodeCursor<[number]>(order, cursor) ?? []
    const whose = reader !== undefined && { reader }
    const from = { order, ...whose, now: parts.clock.now(), ...(after !== undefined && { after: after as EntryId }) }
    const found = await findEntries(markedQuery(q, asked), seen, { ...narrowed, ...from, limit, isCounted: true })
    if ('fault' in found) throw new Problem(400, found.fault, found.hint)
    const { entries, words, goesOn, hits } = found
    const next = goesOn ? encodeCursor(order, entries.at(-1)!.id) : undefined
    return c.json(
      { entries: await foundEntriesWithTitles(entries, words, seen, reader), hits, ...(next && { next }) },
      200,
    )
  })

  app.openapi(OPERATIONS.getEntry, async (c) => {
    const id = c.req.valid('param').id as EntryId
    const entry = await entryDetails(id, await visibleParts(c, parts), await viewerIdOf(c))
    if (!entry) throw notFound('entry', id)
    return c.json(entry, 200)
  })

  app.openapi(OPERATIONS.getArticle, async (c) => {
    const id = c.req.valid('param').id as EntryId
    const { catalogue, articleCatalogue } = await visibleParts(c, parts)
    const [entry] = await catalogue.entriesById([id])
    if (!entry) throw notFound('entry', id)
    const article = await articleOfEntry(articleCatalogue, id)
    if (!article) {
      const hint = 'pages are fetched where a feed shows no whole texts; PATCH its feed with {"articles": "always"}'
      throw new Problem(404, `the page of entry ${id} was not fetched`, hint)
    }
    return c.json(article, 200)
  })

  app.openapi(OPERATIONS.getCopies, async (c) => {
    const id = c.req.valid('param').id as EntryId
    const lineage = await lineageOfEntry(id, await visibleParts(c, parts))
    if (!lineage) throw notFound('entry', id)
    return c.json(lineage, 200)
  })

  app.openapi(OPERATIONS.getGroupsOfEntry, async (c) => {
    const id = c.req.valid('param').id as EntryId
    const groups = await groupsOfEntry(id, await visibleParts(c, parts))
    if (!groups) throw notFound('entry', id)
    return c.json(groups, 200)
  })
  return app
}

const NOBODYS = ['a corpus token has nothing of its own', 'leave mine, unread and starred out'] as const

interface Asked {
  feed?: number | undefined
  folder?: string | undefined
  category?: string | undefined
  language?: string | undefined
  since?: number | undefined
  until?: number | undefined
  unique?: 'none' | GroupLevel | undefined
  mine?: boolean | undefined
  unread?: boolean | undefined
  starred?: boolean | undefined
}

/** A search for what is marked so, too. */
function markedQuery(q: string, { mine, unread, starred }: Asked): string {
  const terms = [mine && 'is:mine', starred && 'is:starred', unread !== undefined && (unread ? 'is:unread' : 'is:read')]
  return [...terms.filter(Boolean), q].join(' ')
}

/** Undefined where it is all the same what he follows. */
function markedBy({ mine, unread, starred }: Asked): MarkedAs | undefined {
  if (!mine && unread === undefined && !starred) return undefined
  return { ...(unread !== undefined && { read: !unread }), ...(starred && { starred }) }
}

async function narrowedBy(
  asked: Asked,
  parts: ServerParts,
  reader: PersonId | undefined,
): Promise<Omit<EntryFilter, 'limit'>> {
  const { feed, folder, category, language, since, until, unique = 'none' } = asked
  const feedIds = await selectFeeds({ feedId: feed as FeedId | undefined, folder }, parts, reader)
  return {
    ...omitUndefined({ feedIds, category: category?.toLowerCase(), language: language?.toLowerCase(), since, until }),
    ...(unique !== 'none' && { unique }),
  }
}
