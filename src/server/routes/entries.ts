/** `/api/entries`: the news, newest first; or, with `q`, what full text search finds, best first. */
import { Hono } from 'hono'
import type { Entry, EntryId, FeedId } from '../../model/index.ts'
import {
  articleOfEntry,
  copiesOf,
  findEntries,
  groupsOfEntry,
  type Narrowed,
  namedEntries,
  wholeEntry,
} from '../../views/index.ts'
import { date, idNumber, oneOf, readId, readQuery, wholeNumber, words } from '../parameters.ts'
import { notThere, Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'

export function entryRoutes(parts: ServerParts): Hono {
  const { catalogue } = parts
  const app = new Hono()

  /** The last entry of the answer before. */
  async function lastOf(after: number | undefined): Promise<Entry | undefined> {
    if (after === undefined) return undefined
    const [last] = await catalogue.entriesById([after as EntryId])
    if (last) return last
    throw new Problem(400, `after=${after} is an entry that is no longer there`, 'begin again without it')
  }

  app.get('/', async (c) => {
    const {
      limit = 50,
      after,
      q,
      feed,
      since,
      unique,
    } = readQuery(c, {
      feed: idNumber,
      since: date,
      unique: oneOf('copy', 'story'),
      limit: wholeNumber(1, 1000),
      after: idNumber,
      q: words,
    })
    const wanted: Narrowed = {
      ...(feed !== undefined && { feedId: feed as FeedId }),
      ...(since !== undefined && { since }),
      ...(unique !== undefined && { unique }),
      limit: limit + 1,
    }
    const last = await lastOf(after)
    const entries =
      q === undefined
        ? await catalogue.entries({ ...wanted, ...(last && { after: last }) })
        : await findEntries(q, parts, { ...wanted, ...(last && { after: last.id }) })
    return c.json({ entries: await namedEntries(entries.slice(0, limit), parts), more: entries.length > limit })
  })

  app.get('/:id', async (c) => {
    const id = readId(c) as EntryId
    const entry = await wholeEntry(id, parts)
    if (!entry) throw notThere('entry', id)
    return c.json(entry)
  })

  app.get('/:id/article', async (c) => {
    const id = readId(c) as EntryId
    const [entry] = await catalogue.entriesById([id])
    if (!entry) throw notThere('entry', id)
    const article = await articleOfEntry(catalogue, id)
    if (!article) {
      const hint = 'pages are fetched where a feed shows no whole texts; PATCH its feed with {"articles": "always"}'
      throw new Problem(404, `the page of entry ${id} was not fetched`, hint)
    }
    return c.json(article)
  })

  app.get('/:id/copies', async (c) => {
    const id = readId(c) as EntryId
    const lineage = await copiesOf(id, parts)
    if (!lineage) throw notThere('entry', id)
    return c.json(lineage)
  })

  app.get('/:id/groups', async (c) => {
    const id = readId(c) as EntryId
    const groups = await groupsOfEntry(id, parts)
    if (!groups) throw notThere('entry', id)
    return c.json(groups)
  })
  return app
}
