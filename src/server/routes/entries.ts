/** Lists of entries, full-text search, and details of one entry. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import { type EntryId, type FeedId, type GroupLevel, sortPosition, type UserId } from '../../model/index.ts'
import type { ReadStateFilter } from '../../ports/index.ts'
import {
  articleOfEntry,
  completionsOf,
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
import { userIdOf } from '../authorize.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { notFound, Problem } from '../problem.ts'
import { createTokenBuckets } from '../rate-limit.ts'
import { viewerIdOf, visibleParts } from '../request-visibility.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

/** Pages that a user may have fetched at once; opened teasers count, too. */
const PAGES_PER_MINUTE = 20
const PAGE_BURST = 60

export function entryRoutes(parts: ServerParts): OpenAPIHono {
  const app = validatedRoutes()
  const takeToken = createTokenBuckets({ perSecond: PAGES_PER_MINUTE / 60, burst: PAGE_BURST })

  app.openapi(OPERATIONS.listEntries, async (c) => {
    const {
      q,
      cursor,
      sort,
      order = 'newest',
      typing: isTyping = false,
      limit = 50,
      excerpts = false,
      ...params
    } = c.req.valid('query')
    const [reader, visible] = [await viewerIdOf(c), await visibleParts(c, parts)]
    const shownTo = { ...(reader !== undefined && { reader }), withExcerpts: excerpts }
    const narrowed = await narrowedBy(params, visible, reader)
    const state = stateFilter(params)
    if (q === undefined) {
      if (sort === 'relevance') throw new Problem(400, 'sort=relevance needs q', 'leave out sort, or add q')
      const list = order === 'newest' ? 'entries' : 'entries-oldest'
      const listQuery = { ...narrowed, limit: limit + 1, ...(order === 'oldest' && { oldestFirst: true }) }
      const [at, id] = decodeCursor<[number, number]>(list, cursor) ?? []
      const after = at !== undefined && id !== undefined ? { after: { at, id: id as EntryId } } : {}
      if (state && reader === undefined) throw new Problem(400, ...NO_USER_STATE)
      const { entries, nextAfter } =
        state && reader !== undefined
          ? await visible.readerState.entriesFor(reader, { ...listQuery, ...after, ...state })
          : await visible.catalogue.listEntries({ ...listQuery, ...after })
      const shown = entries.slice(0, limit)
      const last = entries.length > limit ? sortPosition(shown.at(-1)!) : nextAfter
      const next = last && encodeCursor(list, last.at, last.id)
      return c.json({ entries: await entriesWithTitles(shown, visible, shownTo), ...(next && { next }) }, 200)
    }
    if (order === 'oldest')
      throw new Problem(400, 'a search cannot be sorted oldest first', 'leave out order; sort=date is newest first')
    const searchOrder = sort ?? 'relevance'
    const [after] = decodeCursor<[number]>(searchOrder, cursor) ?? []
    const readerOption = reader !== undefined && { reader }
    const from = {
      order: searchOrder,
      ...readerOption,
      now: parts.clock.now(),
      ...(after !== undefined && { after: after as EntryId }),
    }
    const found = await findEntries(queryWithState(q, params), visible, {
      ...narrowed,
      ...from,
      limit,
      isTyping,
      isCounted: !isTyping,
    })
    if ('fault' in found) throw new Problem(400, found.fault, found.hint)
    const { entries, words, hasMore, hits } = found
    const next = hasMore ? encodeCursor(searchOrder, entries.at(-1)!.id) : undefined
    const shapes = await foundEntriesWithTitles(entries, words, visible, shownTo)
    const completions = isTyping
      ? completionsOf(
          q,
          shapes.map(({ title, found }) => `${title}\n${found?.text ?? ''}`),
        )
      : undefined
    return c.json({ entries: shapes, hits, ...(completions && { completions }), ...(next && { next }) }, 200)
  })

  app.openapi(OPERATIONS.getEntry, async (c) => {
    const id = c.req.valid('param').id as EntryId
    const entry = await entryDetails(id, await visibleParts(c, parts), await viewerIdOf(c))
    if (!entry) throw notFound('entry', id)
    return c.json(entry, 200)
  })

  app.openapi(OPERATIONS.getArticle, async (c) => {
    const id = c.req.valid('param').id as EntryId
    const visible = await visibleParts(c, parts)
    const [entry] = await visible.catalogue.entriesById([id])
    if (!entry) throw notFound('entry', id)
    const article = await articleOfEntry(visible, entry, { reader: await viewerIdOf(c) })
    if (!article) {
      const hint =
        'articles are fetched if a feed has no full texts; to always fetch them, PATCH its feed with {"articles": "always"}'
      throw new Problem(404, `the article of entry ${id} was not fetched`, hint)
    }
    return c.json(article.shape, 200)
  })

  app.openapi(OPERATIONS.fetchArticle, async (c) => {
    const id = c.req.valid('param').id as EntryId
    const visible = await visibleParts(c, parts)
    const [entry] = await visible.catalogue.entriesById([id])
    if (!entry) throw notFound('entry', id)
    const waitSeconds = takeToken(String(await userIdOf(c)), parts.clock.now())
    if (waitSeconds > 0)
      throw new Problem(
        429,
        'too many pages were requested',
        `the limit is ${PAGES_PER_MINUTE} per minute`,
        waitSeconds,
      )
    const result = await parts.crawler.requestArticle(id)
    if (!result) throw notFound('entry', id)
    if (result.kind === 'no-link')
      throw new Problem(409, 'the entry has no page', 'its feed gives no web address for it')
    if (result.kind === 'stored') return c.json({ state: 'read' as const }, 202)
    const { dueAt, why } = result
    return c.json({ state: 'queued' as const, dueAt: new Date(dueAt).toISOString(), ...(why && { why }) }, 202)
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

const NO_USER_STATE = ['a corpus token has no user data', 'leave out mine, unread, starred, label and muted'] as const

interface EntryListParams {
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
  label?: string | undefined
  muted?: 'true' | undefined
}

/** Adds the state filters to the search query. */
function queryWithState(q: string, { mine, unread, starred, label, muted }: EntryListParams): string {
  const terms = [
    mine && 'is:mine',
    starred && 'is:starred',
    unread !== undefined && (unread ? 'is:unread' : 'is:read'),
    label !== undefined && `label:"${label.replaceAll('"', ' ')}"`,
    muted && 'is:muted',
  ]
  return [...terms.filter(Boolean), q].join(' ')
}

/** Undefined if the list does not depend on the user. */
function stateFilter({ mine, unread, starred, label, muted }: EntryListParams): ReadStateFilter | undefined {
  if (!mine && unread === undefined && !starred && label === undefined && !muted) return undefined
  return {
    ...(unread !== undefined && { read: !unread }),
    ...(starred && { starred }),
    ...(label !== undefined && { label }),
    ...(muted && { muted: true }),
  }
}

async function narrowedBy(
  params: EntryListParams,
  parts: ServerParts,
  reader: UserId | undefined,
): Promise<Omit<EntryFilter, 'limit'>> {
  const { feed, folder, category, language, since, until, unique = 'none' } = params
  const feedIds = await selectFeeds({ feedId: feed as FeedId | undefined, folder }, parts, reader)
  return {
    ...omitUndefined({ feedIds, category: category?.toLowerCase(), language: language?.toLowerCase(), since, until }),
    ...(unique !== 'none' && { unique }),
  }
}
