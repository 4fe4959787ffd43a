/** Articles of the memory store: results of fetches, lookups and retention. */
import { afterFetch, type ContentChange } from '../../articles/lifecycle/after-fetch.ts'
import { EXPIRED_TEXT } from '../../articles/lifecycle/remove-article.ts'
import {
  type ArticleId,
  type ArticleLife,
  type ArticleResult,
  type Entry,
  type EntryId,
  pageSettingsOf,
  type RawPage,
  type StoredArticle,
  type WholeArticle,
} from '../../model/index.ts'
import type { ArticleCounts, ArticleRecord } from '../../ports/index.ts'
import type { ArticleMethods } from '../methods.ts'
import { articleQueuesOf, refreshQueue, releaseQueue } from './article-queues.ts'
import { type ArticlesState, type MemoryArticle, storedArticleOf } from './article-state.ts'
import { copyOf } from './copy.ts'
import { enqueueEntry, type State } from './state.ts'
import { wantedArticlesOf } from './wanted-articles.ts'

export function articlesOf(state: State): ArticleMethods {
  const { articles } = state
  return {
    ...wantedArticlesOf(state),
    ...articleQueuesOf(state),

    async recordArticles(records) {
      return records.map(({ result, ...rest }) => ({ ...copyOf(rest), result: copyResult(result) })).map(record)
    },

    async articlesById(ids) {
      return ids.map((id) => publicArticle(articles.byId.get(id)))
    },

    async articlesOfEntries(ids) {
      return ids.map((id) => publicArticle(articles.byId.get(articles.idByEntry.get(id)!)))
    },

    async articlesAt(pageUrls) {
      const urls = new Set(pageUrls)
      const found = [...articles.byId.values()].map(storedArticleOf)
      return found.filter(({ state, pageUrl = '' }) => state === 'read' && urls.has(pageUrl))
    },

    async entriesOfArticles(ids) {
      return ids.map((id) => copyOf(entriesOf(state, id)))
    },

    async feedsOfArticles(ids) {
      return ids.map((id) => {
        const feedIds = new Set(entriesOf(state, id).map(({ feedId }) => feedId))
        return [...feedIds].flatMap((feedId) => {
          const feed = state.feeds.get(feedId)?.feed
          return feed ? [copyOf({ url: feed.url, ...pageSettingsOf(feed.fetching) })] : []
        })
      })
    },

    async articleTexts(ids) {
      return ids.map((id) => copyOf(articles.byId.get(id)?.content))
    },

    async rawPage(id) {
      const page = articles.byId.get(id)?.page
      return page && copyPage(page)
    },

    async *everyArticle({ feedId, since = Number.NEGATIVE_INFINITY }) {
      for (const stored of [...articles.byId.values()]) {
        const { article, content } = stored
        if (!content || (article.fetchedAt ?? Number.NEGATIVE_INFINITY) < since) continue
        const entries = entriesOf(state, article.id)
        if (feedId !== undefined && !entries.some((entry) => entry.feedId === feedId)) continue
        const whole: WholeArticle = {
          article: storedArticleOf(stored),
          ...content,
          entryIds: entries.map(({ id }) => id),
        }
        yield whole
      }
    },

    async forgetPages(before, limit) {
      const old = pagesOldestFirst(articles).filter(({ page }) => page.at < before)
      for (const stored of old.slice(0, limit)) delete (stored as MemoryArticle).page
      return Math.min(old.length, limit)
    },

    async trimPages(bytes, limit) {
      let dropped = 0
      let remaining = articleCounts(articles).pageBytes
      for (const stored of pagesOldestFirst(articles)) {
        if (remaining <= bytes || dropped >= limit) break
        remaining -= stored.page.body.length
        delete (stored as MemoryArticle).page
        dropped++
      }
      return dropped
    },

    async forgetArticles(before, limit) {
      const old = [...articles.byId.values()]
        .filter(({ content, article }) => content && article.fetchedAt! < before)
        .sort((a, b) => a.article.fetchedAt! - b.article.fetchedAt!)
        .slice(0, limit)
      for (const stored of old) changeContent(state, stored, EXPIRED_TEXT, stored.article.id)
      return old.length
    },

    async diskUsage() {
      return { feeds: 0, entries: 0, polls: 0, articles: 0, pages: 0, index: 0, rest: 0 }
    },
  }

  function record({ id, at, lease, queueDueAt, result }: ArticleRecord): boolean {
    const stored = articles.byId.get(id)
    if (!stored || (lease !== undefined && articles.queues.get(stored.article.root)?.lease?.token !== lease))
      return false
    const { root } = stored.article
    const target = result.kind === 'same' ? articles.byId.get(result.sameAs) : undefined
    const after = afterFetch({ article: stored.article, other: target?.article }, result, at)
    if (!after) return false
    stored.article = after.article
    if (after.movedTo) moveEntries(articles, id, after.movedTo)
    if (result.kind === 'read' && result.estimate)
      for (const entry of entriesOf(state, id))
        if ((entry.publishedAt ?? entry.updatedAt) === undefined) entry.estimate = result.estimate
    if (result.kind === 'read' && result.title)
      for (const entry of entriesOf(state, id)) if (entry.title === '') entry.title = result.title
    changeContent(state, stored, after, after.movedTo?.id ?? id, result)
    const queue = articles.queues.get(root)
    if (queue) releaseQueue(queue, queueDueAt)
    refreshQueue(articles, stored, root, result.kind === 'elsewhere' ? result.bucket : undefined)
    return true
  }
}

export function articleText({ articles }: State, entryId: EntryId): string | undefined {
  return articles.byId.get(articles.idByEntry.get(entryId)!)?.content?.text
}

/** The parts of an entry's article that the search index covers. */
export function articleSearchText({ articles }: State, entryId: EntryId): { text?: string; authors?: string[] } {
  const { content, facts } = articles.byId.get(articles.idByEntry.get(entryId)!) ?? {}
  const authors = facts?.authors
  return content ? { text: content.text, ...(authors && { authors: [...authors] }) } : {}
}

export function articleCounts({ byId }: ArticlesState): ArticleCounts {
  const counts = { waiting: 0, read: 0, refused: 0, failed: 0, pages: 0, textBytes: 0, pageBytes: 0 }
  for (const { article, content, page } of byId.values()) {
    if (article.state !== 'same') counts[article.state]++
    if (content) counts.textBytes += content.text.length + content.html.length
    if (page) counts.pages++
    if (page) counts.pageBytes += page.body.length
  }
  return counts
}

function publicArticle(stored: MemoryArticle | undefined): StoredArticle | undefined {
  return stored && storedArticleOf(stored)
}

function entriesOf({ articles, entries }: State, id: ArticleId): Entry[] {
  const ids = [...articles.idByEntry].flatMap(([entryId, articleId]) => (articleId === id ? [entryId] : []))
  return ids.sort((a, b) => a - b).flatMap((entryId) => entries.get(entryId) ?? [])
}

/** Moves the entries and aliases of an article to another article. */
function moveEntries({ byId, idByEntry }: ArticlesState, id: ArticleId, to: ArticleLife): void {
  for (const [entryId, articleId] of idByEntry) if (articleId === id) idByEntry.set(entryId, to.id)
  for (const { article } of byId.values()) if (article.sameAs === id) article.sameAs = to.id
  byId.get(to.id)!.article = to
}

/** `readBy`: the article whose entries are queued for indexing and grouping. */
function changeContent(
  state: State,
  stored: MemoryArticle,
  { text, page, reindex, regroup }: ContentChange,
  readBy: ArticleId,
  result?: ArticleResult,
): void {
  if (text !== 'keep') {
    delete stored.facts
    delete stored.content
  }
  if (page !== 'keep') delete stored.page
  if (result?.kind === 'read') {
    if (text === 'write') Object.assign(stored, { facts: result.facts, content: result.content })
    if (page === 'write' && result.page) stored.page = result.page
  }
  for (const { id } of entriesOf(state, readBy)) {
    if (reindex) enqueueEntry(state, state.unindexed, id)
    if (regroup) enqueueEntry(state, state.ungrouped, id)
  }
}

function pagesOldestFirst({ byId }: ArticlesState): (MemoryArticle & { page: RawPage })[] {
  const withPage = [...byId.values()].filter((one): one is MemoryArticle & { page: RawPage } => one.page !== undefined)
  return withPage.sort((a, b) => a.page.at - b.page.at || a.article.id - b.article.id)
}

function copyResult(result: ArticleRecord['result']): ArticleRecord['result'] {
  if (result.kind !== 'read' || !result.page) return copyOf(result)
  const { page, ...rest } = result
  return { ...copyOf(rest), page: copyPage(page) }
}

function copyPage({ body, ...rest }: RawPage): RawPage {
  return { ...copyOf(rest), body: body.slice() }
}
