/** The memory store's articles: what comes of their fetches, how they are found, and how they are forgotten. */
import { afterFetch, type ContentChange } from '../../articles/lifecycle/after-fetch.ts'
import { FORGOTTEN } from '../../articles/lifecycle/remove-article.ts'
import type {
  ArticleId,
  ArticleLife,
  ArticleResult,
  Entry,
  EntryId,
  RawPage,
  StoredArticle,
  WholeArticle,
} from '../../model/index.ts'
import type { ArticleCounts, ArticleRecord } from '../../ports/index.ts'
import type { ArticleMethods } from '../methods.ts'
import { articleLinesOf, handBack, settleLine } from './article-lines.ts'
import { articlesEnlistedIn } from './articles-enlisted.ts'
import { copyOf } from './copy.ts'
import { type Articles, type HeldArticle, shownArticle } from './held-articles.ts'
import { enqueue, type State } from './state.ts'

export function articlesOf(state: State): ArticleMethods {
  const { articles } = state
  return {
    ...articlesEnlistedIn(state),
    ...articleLinesOf(state),

    async recordArticles(records) {
      return records.map(({ result, ...rest }) => ({ ...copyOf(rest), result: ownResult(result) })).map(record)
    },

    async articlesById(ids) {
      return ids.map((id) => shown(articles.held.get(id)))
    },

    async articlesOfEntries(ids) {
      return ids.map((id) => shown(articles.held.get(articles.ofEntry.get(id)!)))
    },

    async articlesAt(pageUrls) {
      const wanted = new Set(pageUrls)
      const found = [...articles.held.values()].map(shownArticle)
      return found.filter(({ state, pageUrl = '' }) => state === 'read' && wanted.has(pageUrl))
    },

    async entriesOfArticles(ids) {
      return ids.map((id) => copyOf(entriesOf(state, id)))
    },

    async feedsOfArticles(ids) {
      return ids.map((id) => [...new Set(entriesOf(state, id).map(({ feedId }) => feedId))])
    },

    async articleTexts(ids) {
      return ids.map((id) => copyOf(articles.held.get(id)?.content))
    },

    async rawPage(id) {
      const page = articles.held.get(id)?.page
      return page && ownPage(page)
    },

    async *everyArticle({ feedId, since = Number.NEGATIVE_INFINITY }) {
      for (const held of [...articles.held.values()]) {
        const { article, content } = held
        if (!content || (article.fetchedAt ?? Number.NEGATIVE_INFINITY) < since) continue
        const entries = entriesOf(state, article.id)
        if (feedId !== undefined && !entries.some((entry) => entry.feedId === feedId)) continue
        const whole: WholeArticle = { article: shownArticle(held), ...content, entryIds: entries.map(({ id }) => id) }
        yield whole
      }
    },

    async forgetPages(before, limit) {
      const old = pagesOldestFirst(articles).filter(({ page }) => page.at < before)
      for (const held of old.slice(0, limit)) delete (held as HeldArticle).page
      return Math.min(old.length, limit)
    },

    async shrinkPages(bytes, limit) {
      let dropped = 0
      let left = articleCounts(articles).pageBytes
      for (const held of pagesOldestFirst(articles)) {
        if (left <= bytes || dropped >= limit) break
        left -= held.page.body.length
        delete (held as HeldArticle).page
        dropped++
      }
      return dropped
    },

    async forgetArticles(before, limit) {
      const old = [...articles.held.values()]
        .filter(({ content, article }) => content && article.fetchedAt! < before)
        .sort((a, b) => a.article.fetchedAt! - b.article.fetchedAt!)
        .slice(0, limit)
      for (const held of old) changeContent(state, held, FORGOTTEN, held.article.id)
      return old.length
    },

    async diskUsage() {
      return { feeds: 0, entries: 0, polls: 0, articles: 0, pages: 0, index: 0, rest: 0 }
    },
  }

  function record({ id, at, lease, lineDueAt, result }: ArticleRecord): boolean {
    const held = articles.held.get(id)
    if (!held || (lease !== undefined && articles.lines.get(held.article.root)?.lease?.token !== lease)) return false
    const { root } = held.article
    const other = result.kind === 'same' ? articles.held.get(result.sameAs) : undefined
    const after = afterFetch({ article: held.article, other: other?.article }, result, at)
    if (!after) return false
    held.article = after.article
    if (after.movedTo) moveEntries(articles, id, after.movedTo)
    if (result.kind === 'read' && result.estimate)
      for (const entry of entriesOf(state, id))
        if ((entry.publishedAt ?? entry.updatedAt) === undefined) entry.estimate = result.estimate
    changeContent(state, held, after, after.movedTo?.id ?? id, result)
    const line = articles.lines.get(root)
    if (line) handBack(line, lineDueAt)
    settleLine(articles, held, root, result.kind === 'elsewhere' ? result.bucket : undefined)
    return true
  }
}

export function articleText({ articles }: State, entryId: EntryId): string | undefined {
  return articles.held.get(articles.ofEntry.get(entryId)!)?.content?.text
}

/** What of it is searched. */
export function articleWords({ articles }: State, entryId: EntryId): { text?: string; authors?: string[] } {
  const { content, facts } = articles.held.get(articles.ofEntry.get(entryId)!) ?? {}
  const authors = facts?.authors
  return content ? { text: content.text, ...(authors && { authors: [...authors] }) } : {}
}

export function articleCounts({ held }: Articles): ArticleCounts {
  const counts = { waiting: 0, read: 0, refused: 0, failed: 0, pages: 0, textBytes: 0, pageBytes: 0 }
  for (const { article, content, page } of held.values()) {
    if (article.state !== 'same') counts[article.state]++
    if (content) counts.textBytes += content.text.length + content.html.length
    if (page) counts.pages++
    if (page) counts.pageBytes += page.body.length
  }
  return counts
}

function shown(held: HeldArticle | undefined): StoredArticle | undefined {
  return held && shownArticle(held)
}

function entriesOf({ articles, entries }: State, id: ArticleId): Entry[] {
  const ids = [...articles.ofEntry].flatMap(([entryId, articleId]) => (articleId === id ? [entryId] : []))
  return ids.sort((a, b) => a - b).flatMap((entryId) => entries.get(entryId) ?? [])
}

/** Its entries, and those that turned out to be it, are the other's. */
function moveEntries({ held, ofEntry }: Articles, id: ArticleId, to: ArticleLife): void {
  for (const [entryId, articleId] of ofEntry) if (articleId === id) ofEntry.set(entryId, to.id)
  for (const { article } of held.values()) if (article.sameAs === id) article.sameAs = to.id
  held.get(to.id)!.article = to
}

/** `readBy`: whose entries wait then. */
function changeContent(
  state: State,
  held: HeldArticle,
  { text, page, reindex, placeAgain }: ContentChange,
  readBy: ArticleId,
  result?: ArticleResult,
): void {
  if (text !== 'keep') {
    delete held.facts
    delete held.content
  }
  if (page !== 'keep') delete held.page
  if (result?.kind === 'read') {
    if (text === 'write') Object.assign(held, { facts: result.facts, content: result.content })
    if (page === 'write' && result.page) held.page = result.page
  }
  for (const { id } of entriesOf(state, readBy)) {
    if (reindex) enqueue(state, state.unindexed, id)
    if (placeAgain) enqueue(state, state.unplaced, id)
  }
}

function pagesOldestFirst({ held }: Articles): (HeldArticle & { page: RawPage })[] {
  const kept = [...held.values()].filter((one): one is HeldArticle & { page: RawPage } => one.page !== undefined)
  return kept.sort((a, b) => a.page.at - b.page.at || a.article.id - b.article.id)
}

function ownResult(result: ArticleRecord['result']): ArticleRecord['result'] {
  if (result.kind !== 'read' || !result.page) return copyOf(result)
  const { page, ...rest } = result
  return { ...copyOf(rest), page: ownPage(page) }
}

function ownPage({ body, ...rest }: RawPage): RawPage {
  return { ...copyOf(rest), body: body.slice() }
}
