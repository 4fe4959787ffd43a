/** What the command line asks, asked of a server elsewhere through its API. */
import type { ArticleShape, FeedShape, HitsShape, WholeEntryShape } from '../api/index.ts'
import { ifThere } from '../client/index.ts'
import { writeOpml } from '../feeds/index.ts'
import type { Instant } from '../model/index.ts'
import type { Exported } from '../views/index.ts'
import { InputError } from './addresses.ts'
import { withThoseRound } from './goals.ts'
import type { EntriesAsked, LinesAsked, Questions } from './questions.ts'
import { PAYWALL, type ReadableArticle, type StoredReadableArticle } from './readable-article.ts'
import type { FarServer } from './server-client.ts'

/** Of one page of a list; the API gives no more. */
const PAGE = 500

export function farAnswers({ url, client }: FarServer): Questions {
  const exports = {
    feeds: () => client.exportFeeds(),
    entries: (asked: LinesAsked) => client.exportEntries({ query: { ...narrowed(asked), unique: asked.unique } }),
    articles: (asked: LinesAsked) => client.exportArticles({ query: narrowed(asked) }),
    polls: (asked: LinesAsked) => client.exportPolls({ query: narrowed(asked) }),
  } satisfies Record<Exported, (asked: LinesAsked) => AsyncIterable<string>>

  async function* everyFeed(): AsyncGenerator<FeedShape> {
    for await (const line of client.exportFeeds()) yield JSON.parse(line)
  }

  return {
    place: url,
    isFar: true,
    feeds: ({ limit, ...asked }) =>
      pages(limit, async (cursor, most) => {
        const { feeds: rows, next } = await client.listFeeds({ query: { ...asked, cursor, limit: most } })
        return { rows, next }
      }),
    feedWith: async (id) => (await ifThere(client.getFeed({ params: { id } })))?.feed,
    feedAt: async (address) => (await client.listFeeds({ query: { address } })).feeds[0],
    async wholeFeed(id, most) {
      const whole = await ifThere(client.getFeed({ params: { id } }))
      return whole && { ...whole, polls: whole.polls.slice(0, most), entries: whole.entries.slice(0, most) }
    },
    rounds: (id, limit) => ifThere(client.getRounds({ params: { id }, query: { limit } })),
    async entries({ limit, ...asked }) {
      let hits: HitsShape | undefined
      const entries = await pages(limit, async (cursor, most) => {
        const page = await client.listEntries({ query: { ...entryQuery(asked), cursor, limit: most } })
        if (page.hits) hits = { ...hits, ...page.hits } // only the first page has the total, the last one all that is folded
        return { rows: page.entries, next: page.next }
      })
      return { entries, ...(hits && { hits }) }
    },
    wholeEntry: (id) => ifThere(client.getEntry({ params: { id } })),
    groupsOfEntry: (id) => ifThere(client.getGroupsOfEntry({ params: { id } })),
    copiesOf: (id) => ifThere(client.getCopies({ params: { id } })),
    groups: ({ limit, since, leastSize, ...asked }) =>
      pages(limit, async (cursor, most) => {
        const query = { ...asked, since: dateText(since), least: leastSize, cursor, limit: most }
        const { groups: rows, next } = await client.listGroups({ query })
        return { rows, next }
      }),
    group: (id) => ifThere(client.getGroup({ params: { id } })),
    async standing(most) {
      const [{ version: _, now: __, budget: ___, ...status }, room, { feeds: troubled }, { sources: looking }] =
        await Promise.all([
          client.getStatus(),
          client.getDiskUsage(),
          client.listFeeds({ query: { troubled: true, limit: most } }),
          client.listSources({ query: { state: 'looking', limit: most } }),
        ])
      const { next, resting } = status
      return { ...status, next: next.slice(0, most), resting: resting.slice(0, most), room, troubled, looking }
    },
    counts: async () => (await client.getStatus()).counts,
    statistics: (since) => client.getStatistics({ query: { since: dateText(since) } }),
    hubs: async () => (await client.listHubs()).hubs,
    goals: () => client.getGoals(),
    async folders() {
      const folders = (await client.listFolders()).folders.map(({ folder }) => folder)
      for await (const { folder } of everyFeed()) if (folder) folders.push(folder)
      return withThoseRound(folders)
    },
    lines: (what, asked) => exports[what](asked),
    async *hours({ category, folder, ...asked }) {
      for await (const line of client.exportHours({ query: { ...narrowed(asked), category, folder } }))
        yield JSON.parse(line)
    },
    async opml(withPasswords) {
      if (withPasswords)
        throw new InputError('a server tells nobody the passwords of feeds', 'ask on the machine that it runs on')
      const feeds = []
      for await (const { url: feedUrl, title, siteUrl, folder } of everyFeed())
        feeds.push({ url: feedUrl, title, ...(siteUrl && { siteUrl }), ...(folder && { folder }) })
      return writeOpml({ title: 'Feeds of Freshet', feeds })
    },
    async readableEntry(id) {
      const entry = await ifThere(client.getEntry({ params: { id } }))
      return entry && readableFromShape(entry)
    },
    async *readables(what, asked): AsyncGenerator<StoredReadableArticle> {
      if (what === 'entries')
        for await (const line of exports.entries(asked)) {
          const entry: WholeEntryShape = JSON.parse(line)
          yield { ...readableFromShape(entry), id: `e${entry.id}` }
        }
      else
        for await (const line of exports.articles(asked)) {
          const article: ArticleShape = JSON.parse(line)
          if (article.html !== undefined) yield { ...readablePage(article, article.html), id: article.id }
        }
    },
    close: async () => {},
  }
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

function entryQuery({ feedId, since, until, q, sort, ...asked }: Omit<EntriesAsked, 'limit'>) {
  return {
    ...asked,
    ...(q !== undefined && { q, sort }),
    feed: feedId,
    since: dateText(since),
    until: dateText(until),
  }
}

function narrowed({ feedId, since }: LinesAsked) {
  return { feed: feedId, since: dateText(since) }
}

function dateText(at: Instant | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString()
}

/** The page that it points at, if the server has it and may show it, else what its feed says. */
function readableFromShape(entry: WholeEntryShape): ReadableArticle {
  const { title, url, author, publishedAt, dateOnly, feedTitle, language, category, tags, media, article } = entry
  const own: ReadableArticle = {
    title,
    ...(url && { url }),
    ...(author && { authors: [author] }),
    ...(publishedAt !== undefined && { at: Date.parse(publishedAt) }),
    ...(dateOnly && { dateOnly }),
    ...(feedTitle && { source: feedTitle }),
    language,
    category,
    ...(tags && { keywords: tags }),
    ...(media && { media: media as NonNullable<ReadableArticle['media']> }),
    html: entry.content ?? entry.summary ?? '',
  }
  if (article?.state !== 'read' || article.html === undefined) return own
  const page = readablePage(article, article.html)
  return { ...own, ...page, title: page.title || own.title }
}

function readablePage(article: ArticleShape, html: string): ReadableArticle {
  const { pageUrl, title, authors, publishedAt, dateOnly, siteName, language, category } = article
  const { keywords, description, words, paywall } = article
  return {
    title: title ?? '',
    url: pageUrl,
    ...(authors && { authors }),
    ...(publishedAt !== undefined && { at: Date.parse(publishedAt) }),
    ...(dateOnly && { dateOnly }),
    ...(siteName && { source: siteName }),
    ...(language && { language }),
    ...(category && { category }),
    ...(keywords && { keywords }),
    ...(description && { description }),
    ...(words !== undefined && { words }),
    ...(paywall && { note: PAYWALL }),
    html,
  }
}
