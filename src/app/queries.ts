/** Queries of the command line, through the API client of a local store or a remote server. Fetches all pages of a list. */
import type {
  EntryShape,
  FeedDetailsShape,
  FeedShape,
  GroupShape,
  HitsShape,
  HourShape,
  RankedEntryShape,
} from '../api/index.ts'
import { ifThere } from '../client/index.ts'
import { writeOpml } from '../feeds/index.ts'
import type { GroupLevel, Instant } from '../model/index.ts'
import { enclosingFolders } from '../scheduling/index.ts'
import type { ExportKind } from '../views/index.ts'
import { InputError } from './addresses.ts'
import type { Config } from './config.ts'
import { mapErrors } from './map-errors.ts'
import { type OpenedClient, openClient } from './open-client.ts'
import { type ReadableArticle, readableArticle, readableEntry, type StoredReadableArticle } from './readable-article.ts'

interface FeedQuery {
  text?: string
  folder?: string
  category?: string
  name?: string
  failing?: true
  state?: 'paused'
  order: 'id' | 'due'
  limit: number
}

interface EntryQuery {
  /** Full text search. */
  q?: string
  sort?: 'relevance' | 'date'
  feedId?: number
  folder?: string
  category?: string
  language?: string
  since?: Instant
  until?: Instant
  unique: GroupLevel | 'none'
  unread?: true
  starred?: true
  limit: number
}

interface GroupQuery {
  level: GroupLevel
  order: 'recent' | 'large'
  since: Instant
  minSize: number
  limit: number
}

interface ExportQuery {
  feedId?: number
  since?: Instant
  unique?: GroupLevel
}

interface HourQuery {
  feedId?: number
  /** The category of the feed. */
  category?: string
  folder?: string
  since?: Instant
}

export type Queries = ReturnType<typeof createQueries>

export async function openQueries(config: Config): Promise<Queries> {
  const opened = await openClient(config, 'read')
  return mapErrors(createQueries(opened), opened.explain)
}

/** The maximum page size of the API. */
const PAGE_SIZE = 500
const MIN_GROUP_SIZE = 2

function createQueries({ client, location, runningCrawl, close }: OpenedClient) {
  const exports = {
    feeds: () => client.exportFeeds(),
    entries: (filter: ExportQuery) => client.exportEntries({ query: { ...toFilter(filter), unique: filter.unique } }),
    articles: (filter: ExportQuery) => client.exportArticles({ query: toFilter(filter) }),
    polls: (filter: ExportQuery) => client.exportPolls({ query: toFilter(filter) }),
  } satisfies Record<ExportKind, (filter: ExportQuery) => AsyncIterable<string>>

  const everyFeed = () => parseLines<FeedShape>(client.exportFeeds())

  /** Distinguishes an unknown folder from an empty one. */
  async function assertFolder(folder: string): Promise<void> {
    const { subscriptions } = await client.listSubscriptions({ query: { folder, limit: 1 } })
    if (subscriptions.length === 0)
      throw new InputError(`there is no folder "${folder}"`, 'freshet feeds --json shows the folder of each feed')
  }

  return {
    /** The path of the store, or the URL of the server. */
    location,
    feeds: ({ limit, ...filter }: FeedQuery): Promise<FeedShape[]> =>
      collectPages(limit, async (cursor, pageSize) => {
        const { feeds: rows, next } = await client.listFeeds({ query: { ...filter, cursor, limit: pageSize } })
        return { rows, next }
      }),
    feedWith: async (id: number) => (await ifThere(client.getFeed({ params: { id } })))?.feed,
    feedAt: async (address: string) => (await client.listFeeds({ query: { address } })).feeds[0],
    /** `most`: the maximum number of polls and of entries. */
    async feedDetails(id: number, pageSize: number): Promise<FeedDetailsShape | undefined> {
      const whole = await ifThere(client.getFeed({ params: { id } }))
      return whole && { ...whole, polls: whole.polls.slice(0, pageSize), entries: whole.entries.slice(0, pageSize) }
    },
    rounds: (id: number, limit: number) => ifThere(client.getRounds({ params: { id }, query: { limit } })),
    /** `hits` is present with a search. */
    async entries({ limit, ...filter }: EntryQuery): Promise<{ entries: EntryShape[]; hits?: HitsShape }> {
      let hits: HitsShape | undefined
      const entries = await collectPages(limit, async (cursor, pageSize) => {
        const page = await client.listEntries({ query: { ...entryQuery(filter), cursor, limit: pageSize } })
        if (page.hits) hits = { ...hits, ...page.hits } // only the first page has the total, and only the last one the full number of folded entries
        return { rows: page.entries, next: page.next }
      })
      if (entries.length === 0 && filter.folder !== undefined) await assertFolder(filter.folder)
      return { entries, ...(hits && { hits }) }
    },
    /** Unread entries, those first that the user probably wants to read. */
    forYou: async ({
      limit,
      since,
      until,
    }: Pick<EntryQuery, 'limit' | 'since' | 'until'>): Promise<RankedEntryShape[]> =>
      (await client.getForYou({ query: { limit, since: toIsoDate(since), until: toIsoDate(until) } })).entries,
    rankingComparison: () => client.compareOwnRanking(),
    suggestions: () => client.getSuggestions(),
    digestPreview: async () => (await client.previewDigest()).digest,
    entryDetails: (id: number) => ifThere(client.getEntry({ params: { id } })),
    groupsOfEntry: (id: number) => ifThere(client.getGroupsOfEntry({ params: { id } })),
    copiesOf: (id: number) => ifThere(client.getCopies({ params: { id } })),
    groups: ({ limit, since, minSize, ...filter }: GroupQuery): Promise<GroupShape[]> =>
      collectPages(limit, async (cursor, pageSize) => {
        const query = {
          ...filter,
          since: toIsoDate(since),
          least: Math.max(minSize, MIN_GROUP_SIZE),
          cursor,
          limit: pageSize,
        }
        const { groups: rows, next } = await client.listGroups({ query })
        return { rows, next }
      }),
    group: (id: number) => ifThere(client.getGroup({ params: { id } })),
    /** `limit`: of each list. `activity`: of the running crawl, if it responds. */
    async status(limit: number) {
      const [status, diskUsage, { feeds: failing }, { sources: looking }, crawl] = await Promise.all([
        client.getStatus(),
        client.getDiskUsage(),
        client.listFeeds({ query: { failing: true, limit } }),
        client.listSources({ query: { state: 'looking', limit } }),
        runningCrawl(),
      ])
      const { counts, next, backingOff, backingOffCount, contentStore } = status
      const running = crawl === client ? status : await crawl?.getStatus().catch(() => undefined)
      return {
        counts,
        diskUsage,
        next: next.slice(0, limit),
        failing,
        looking,
        backingOff: backingOff.slice(0, limit),
        backingOffCount,
        ...(contentStore && { contentStore }),
        ...(running && { activity: running.activity }),
      }
    },
    counts: async () => (await client.getStatus()).counts,
    statistics: (since: Instant) => client.getStatistics({ query: { since: toIsoDate(since) } }),
    hubs: async () => (await client.listHubs()).hubs,
    goals: () => client.getGoals(),
    /** Folders that contain feeds or have a goal, and the folders around them. */
    async folders(): Promise<string[]> {
      const folders = new Set((await client.listFolders()).folders.map(({ folder }) => folder))
      for await (const { folder } of everyFeed()) if (folder) folders.add(folder)
      return [...new Set([...folders].flatMap(enclosingFolders))].sort()
    },
    /** One JSON object per line. */
    lines: (name: ExportKind, filter: ExportQuery): AsyncIterable<string> => exports[name](filter),
    hours: ({ category, folder, ...filter }: HourQuery) =>
      parseLines<HourShape>(client.exportHours({ query: { ...toFilter(filter), category, folder } })),
    async opml(): Promise<string> {
      const feeds = []
      for await (const { url, title, siteUrl, folder } of everyFeed())
        feeds.push({ url, title, ...(siteUrl && { siteUrl }), ...(folder && { folder }) })
      return writeOpml({ title: 'Feeds of Freshet', feeds })
    },
    async readableEntry(id: number, from?: 'feed' | 'page'): Promise<ReadableArticle | undefined> {
      const entry = await ifThere(client.getEntry({ params: { id } }))
      return entry && readableEntry(entry, from)
    },
    async *readables(name: 'articles' | 'entries', filter: ExportQuery): AsyncGenerator<StoredReadableArticle> {
      const { unique } = filter
      const query = toFilter(filter)
      if (name === 'entries')
        for await (const entry of parseLines<Parameters<typeof readableEntry>[0]>(
          client.exportEntries({ query: { ...query, unique, with: 'article' } }),
        ))
          yield { ...readableEntry(entry), id: `e${entry.id}` }
      else
        for await (const article of parseLines<Parameters<typeof readableArticle>[0]>(
          client.exportArticles({ query: { ...query, with: 'entry' } }),
        )) {
          const readable = readableArticle(article)
          if (readable) yield { ...readable, id: article.id }
        }
    },
    close,
  }
}

async function* parseLines<Line>(lines: AsyncIterable<string>): AsyncGenerator<Line> {
  for await (const line of lines) yield JSON.parse(line)
}

/** Requests pages until the limit is reached or there are no more. */
async function collectPages<Row>(
  limit: number,
  ask: (cursor: string | undefined, pageSize: number) => Promise<{ rows: Row[]; next?: string | undefined }>,
): Promise<Row[]> {
  const all: Row[] = []
  let cursor: string | undefined
  while (all.length < limit) {
    const { rows, next } = await ask(cursor, Math.min(PAGE_SIZE, limit - all.length))
    for (const row of rows) all.push(row)
    if (next === undefined) break
    cursor = next
  }
  return all
}

function entryQuery({ feedId, since, until, q, sort, ...filter }: Omit<EntryQuery, 'limit'>) {
  return {
    ...filter,
    ...(q !== undefined && { q, sort }),
    feed: feedId,
    since: toIsoDate(since),
    until: toIsoDate(until),
  }
}

function toFilter({ feedId, since }: ExportQuery) {
  return { feed: feedId, since: toIsoDate(since) }
}

function toIsoDate(at: Instant | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString()
}
