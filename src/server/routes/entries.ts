/** `/api/entries`: the news, newest first; or, with `q`, what full text search finds, best first. */
import { Hono } from 'hono'
import type { Entry, EntryId, FeedId } from '../../model/index.ts'
import { date, idNumber, readId, readQuery, wholeNumber, words } from '../parameters.ts'
import { notThere, Problem } from '../problem.ts'
import type { ServerParts } from '../server.ts'
import { entryShape, wholeEntryShape } from '../shapes.ts'

/** A search that is narrowed to a feed or a date looks at this many hits of the whole index. */
const MOST_HITS = 1000

interface Wanted {
  feed?: number
  since?: number
  limit: number
}

export function entryRoutes({ store, search }: ServerParts): Hono {
  const app = new Hono()

  async function find(query: string, { feed, since, limit }: Wanted): Promise<Entry[]> {
    const narrowed = feed !== undefined || since !== undefined
    const hits = await search.find(query, narrowed ? MOST_HITS : limit)
    const entries = await store.entriesById(hits.map(({ id }) => id))
    return entries
      .filter((entry) => entry !== undefined)
      .filter((entry) => feed === undefined || entry.feedId === feed)
      .filter((entry) => since === undefined || Math.min(entry.publishedAt ?? entry.seenAt, entry.seenAt) >= since)
      .slice(0, limit)
  }

  async function list({ feed, since, limit }: Wanted, after: number | undefined): Promise<Entry[]> {
    const [last] = after === undefined ? [] : await store.entriesById([after as EntryId])
    if (after !== undefined && !last) {
      throw new Problem(400, `after=${after} is an entry that is no longer there`, 'begin again without it')
    }
    return store.entries({
      ...(feed !== undefined && { feedId: feed as FeedId }),
      ...(since !== undefined && { since }),
      ...(last && { after: last }),
      limit,
    })
  }

  async function feedTitles(entries: Entry[]): Promise<Map<FeedId, string>> {
    const ids = [...new Set(entries.map(({ feedId }) => feedId))]
    const feeds = await store.feedsById(ids)
    return new Map(feeds.flatMap((scheduled) => (scheduled ? [[scheduled.feed.id, scheduled.feed.title]] : [])))
  }

  app.get('/', async (c) => {
    const {
      limit = 50,
      after,
      q,
      ...filters
    } = readQuery(c, {
      feed: idNumber,
      since: date,
      limit: wholeNumber(1, 1000),
      after: idNumber,
      q: words,
    })
    if (q !== undefined && after !== undefined) {
      throw new Problem(400, 'q and after do not go together', 'what a search finds is not paged; raise the limit')
    }
    const wanted = { ...filters, limit: limit + 1 }
    const entries = q === undefined ? await list(wanted, after) : await find(q, wanted)
    const shown = entries.slice(0, limit)
    const titles = await feedTitles(shown)
    return c.json({
      entries: shown.map((entry) => entryShape(entry, titles.get(entry.feedId))),
      more: entries.length > limit,
    })
  })

  app.get('/:id', async (c) => {
    const id = readId(c) as EntryId
    const [entry] = await store.entriesById([id])
    if (!entry) throw notThere('entry', id)
    const titles = await feedTitles([entry])
    return c.json(wholeEntryShape(entry, titles.get(entry.feedId), await store.versions(id)))
  })
  return app
}
