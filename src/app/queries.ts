/** What the command line looks up, asked through the API client: of a local store, or of a remote server. Lists are complete, however many pages they have. */
import type { EntryShape, FeedDetailsShape, FeedShape, GroupShape, HitsShape, HourShape } from '../api/index.ts'
import { ifThere } from '../client/index.ts'
import { writeOpml } from '../feeds/index.ts'
import type { GroupLevel, Instant } from '../model/index.ts'
import { foldersRound } from '../scheduling/index.ts'
import type { Exported } from '../views/index.ts'
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
  troubled?: true
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
  leastSize: number
  limit: number
}

interface ExportQuery {
  feedId?: number
  since?: Instant
  unique?: GroupLevel
}

interface HourQuery {
  feedId?: number
  /** Of feeds. */
  category?: string
  folder?: string
  since?: Instant
}

export type Queries = ReturnType<typeof createQueries>

export async function openQueries(config: Config): Promise<Queries> {
  const opened = await openClient(config, 'read')
  return mapErrors(createQueries(opened), opened.explain)
}

/** The most that the API gives in one page of any list. */
const PAGE = 500
const SMALLEST_GROUP = 2

function createQueries({ client, place, runningCrawl, close }: OpenedClient) {
  const exports = {
    feeds: () => client.exportFeeds(),
    entries: (asked: ExportQuery) => client.exportEntries({ query: { ...narrowed(asked), unique: asked.unique } }),
    articles: (asked: ExportQuery) => client.exportArticles({ query: narrowed(asked) }),
    polls: (asked: ExportQuery) => client.exportPolls({ query: narrowed(asked) }),
  } satisfies Record<Exported, (asked: ExportQuery) => AsyncIterable<string>>

  const everyFeed = () => parsed<FeedShape>(client.exportFeeds())

  /** Whoever mistypes a folder should not take it for an empty one. */
  async function assertFolder(folder: string): Promise<void> {
    const { subscriptions } = await client.listSubscriptions({ query: { folder, limit: 1 } })
    if (subscriptions.length === 0)
      throw new InputError(`there is no folder "${folder}"`, 'freshet feeds --json shows the folder of each feed')
  }

  return {
    /** What is asked: the path of a store, or the URL of a server. */
    place,
    feeds: ({ limit, ...asked }: FeedQuery): Promise<FeedShape[]> =>
      pages(limit, async (cursor, most) => {
        const { feeds: rows, next } = await client.listFeeds({ query: { ...asked, cursor, limit: most } })
        return { rows, next }
      }),
    feedWith: async (id: number) => (await ifThere(client.getFeed({ params: { id } })))?.feed,
    feedAt: async (address: string) => (await client.listFeeds({ query: { address } })).feeds[0],
    /** `most`: polls and entries. */
    async feedDetails(id: number, most: number): Promise<FeedDetailsShape | undefined> {
      const whole = await ifThere(client.getFeed({ params: { id } }))
      return whole && { ...whole, polls: whole.polls.slice(0, most), entries: whole.entries.slice(0, most) }
    },
    rounds: (id: number, limit: number) => ifThere(client.getRounds({ params: { id }, query: { limit } })),
    /** `hits`: with a search. */
    async entries({ limit, ...asked }: EntryQuery): Promise<{ entries: EntryShape[]; hits?: HitsShape }> {
      let hits: HitsShape | undefined
      const entries = await pages(limit, async (cursor, most) => {
        const page = await client.listEntries({ query: { ...entryQuery(asked), cursor, limit: most } })
        if (page.hits) hits = { ...hits, ...page.hits } // only the first page has the total, the last one all that is folded
        return { rows: page.entries, next: page.next }
      })
      if (entries.length === 0 && asked.folder !== undefined) await assertFolder(asked.folder)
      return { entries, ...(hits && { hits }) }
    },
    entryDetails: (id: number) => ifThere(client.getEntry({ params: { id } })),
    groupsOfEntry: (id: number) => ifThere(client.getGroupsOfEntry({ params: { id } })),
    copiesOf: (id: number) => ifThere(client.getCopies({ params: { id } })),
    groups: ({ limit, since, leastSize, ...asked }: GroupQuery): Promise<GroupShape[]> =>
      pages(limit, async (cursor, most) => {
        const query = {
          ...asked,
          since: dateText(since),
          least: Math.max(leastSize, SMALLEST_GROUP),
          cursor,
          limit: most,
        }
        const { groups: rows, next } = await client.listGroups({ query })
        return { rows, next }
      }),
    group: (id: number) => ifThere(client.getGroup({ params: { id } })),
    /** `limit`: of each list. `activity`: of the running crawl, if one answers. */
    async status(limit: number) {
      const [status, room, { feeds: troubled }, { sources: looking }, crawl] = await Promise.all([
        client.getStatus(),
        client.getDiskUsage(),
        client.listFeeds({ query: { troubled: true, limit } }),
        client.listSources({ query: { state: 'looking', limit } }),
        runningCrawl(),
      ])
      const { counts, next, resting, restingCount, library } = status
      const running = crawl === client ? status : await crawl?.getStatus().catch(() => undefined)
      return {
        counts,
        room,
        next: next.slice(0, limit),
        troubled,
        looking,
        resting: resting.slice(0, limit),
        restingCount,
        ...(library && { library }),
        ...(running && { activity: running.activity }),
      }
    },
    counts: async () => (await client.getStatus()).counts,
    statistics: (since: Instant) => client.getStatistics({ query: { since: dateText(since) } }),
    hubs: async () => (await client.listHubs()).hubs,
    goals: () => client.getGoals(),
    /** Folders that contain feeds or have a goal, and the folders around them. */
    async folders(): Promise<string[]> {
      const folders = new Set((await client.listFolders()).folders.map(({ folder }) => folder))
      for await (const { folder } of everyFeed()) if (folder) folders.add(folder)
      return [...new Set([...folders].flatMap(foldersRound))].sort()
    },
    /** One JSON object per line. */
    lines: (what: Exported, asked: ExportQuery): AsyncIterable<string> => exports[what](asked),
    hours: ({ category, folder, ...asked }: HourQuery) =>
      parsed<HourShape>(client.exportHours({ query: { ...narrowed(asked), category, folder } })),
    async opml(): Promise<string> {
      const feeds = []
      for await (const { url, title, siteUrl, folder } of everyFeed())
        feeds.push({ url, title, ...(siteUrl && { siteUrl }), ...(folder && { folder }) })
      return writeOpml({ title: 'Feeds of Freshet', feeds })
    },
    async readableEntry(id: number): Promise<ReadableArticle | undefined> {
      const entry = await ifThere(client.getEntry({ params: { id } }))
      return entry && readableEntry(entry)
    },
    async *readables(what: 'articles' | 'entries', asked: ExportQuery): AsyncGenerator<StoredReadableArticle> {
      const { unique } = asked
      const query = narrowed(asked)
      if (what === 'entries')
        for await (const entry of parsed<Parameters<typeof readableEntry>[0]>(
          client.exportEntries({ query: { ...query, unique, with: 'article' } }),
        ))
          yield { ...readableEntry(entry), id: `e${entry.id}` }
      else
        for await (const article of parsed<Parameters<typeof readableArticle>[0]>(
          client.exportArticles({ query: { ...query, with: 'entry' } }),
        )) {
          const readable = readableArticle(article)
          if (readable) yield { ...readable, id: article.id }
        }
    },
    close,
  }
}

async function* parsed<Line>(lines: AsyncIterable<string>): AsyncGenerator<Line> {
  for await (const line of lines) yield JSON.parse(line)
}

/** Asks for page after page until there are as many as are wanted, or no more. */
async function pages<Row>(
  limit: number,
  ask: (cursor: string | undefined, most: number) => Promise<{ rows: Row[]; next?: string | undefined }>,
): Promise<Row[]> {
  const all: Row[] = []
  let cursor: string | undefined
  while (all.length < limit) {
    const { rows, next } = await ask(cursor, Math.min(PAGE, limit - all.length))
    for (const row of rows) all.push(row)
    if (next === undefined) break
    cursor = next
  }
  return all
}

function entryQuery({ feedId, since, until, q, sort, ...asked }: Omit<EntryQuery, 'limit'>) {
  return {
    ...asked,
    ...(q !== undefined && { q, sort }),
    feed: feedId,
    since: dateText(since),
    until: dateText(until),
  }
}

function narrowed({ feedId, since }: ExportQuery) {
  return { feed: feedId, since: dateText(since) }
}

function dateText(at: Instant | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString()
}
