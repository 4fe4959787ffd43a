/** The memory store's articles, the lines in which they wait, and what is kept of their pages. */
import {
  type ArticleId,
  type Bucket,
  bucketOf,
  type Entry,
  type EntryId,
  type Instant,
  type RawPage,
  type StoredArticle,
  type WholeArticle,
} from '../../../model/index.ts'
import type { ArticleCounts, ArticleRecord, ArticleToFetch, News } from '../../../ports/index.ts'
import type { ArticleMethods } from '../methods.ts'
import { copyOf } from './copy.ts'
import type { Articles, HeldArticle, Line } from './held-articles.ts'
import { owns } from './ownership.ts'
import { brought, enqueue, type HeldFeed, newLease, type State } from './state.ts'

export function articlesOf(state: State): ArticleMethods {
  const { articles } = state
  return {
    async wantArticles(wants, at) {
      for (const one of copyOf(wants)) want(state, one, at)
    },

    async unwantArticles(feedId) {
      for (const [entryId, id] of [...articles.ofEntry]) {
        const isWaiting = articles.held.get(id)?.article.state === 'waiting'
        if (isWaiting && state.entries.get(entryId)?.feedId === feedId) unlink(state, entryId)
      }
    },

    async takeDueArticles(now, limit, until, owned) {
      const due = [...articles.lines]
        .map(([root, line]) => ({ root, line, at: lineDueAt(line) }))
        .filter(({ line, at }) => at <= now && (line.lease?.until ?? now) <= now)
        .filter(({ root, line }) => owns(state, line.bucket ?? bucketOf(root), owned))
        .sort((a, b) => a.at - b.at || (a.root < b.root ? -1 : 1))
        .slice(0, limit)
      return due.map(({ line }) => {
        const lease = newLease(state, now, until)
        line.lease = lease
        const [newest] = [...line.waiting.values()]
          .map(({ article }) => article)
          .filter(({ dueAt = 0 }) => dueAt <= now)
          .sort((a, b) => b.newsAt - a.newsAt || b.id - a.id)
        return { ...copyOf(newest!), lease: lease.token }
      })
    },

    async handBackArticles(items) {
      for (const { id, lease, dueAt } of items) {
        const line = articles.lines.get(articles.held.get(id)?.article.root ?? '')
        if (line && (lease === undefined || line.lease?.token === lease)) handBack(line, dueAt)
      }
    },

    async nextArticleDueAt(owned) {
      let next = Number.POSITIVE_INFINITY
      for (const [root, line] of articles.lines)
        if (owns(state, line.bucket ?? bucketOf(root), owned))
          next = Math.min(next, Math.max(lineDueAt(line), line.lease?.until ?? 0))
      return Number.isFinite(next) ? next : undefined
    },

    async recordArticles(records) {
      return records.map(({ result, ...rest }) => ({ ...copyOf(rest), result: ownResult(result) })).map(record)
    },

    async articlesById(ids) {
      return ids.map((id) => copyOf(articles.held.get(id)?.article))
    },

    async articlesOfEntries(ids) {
      return ids.map((id) => copyOf(articles.held.get(articles.ofEntry.get(id)!)?.article))
    },

    async articlesAt(pageUrls) {
      const wanted = new Set(pageUrls)
      const found = [...articles.held.values()].map(({ article }) => article)
      return copyOf(found.filter(({ state, pageUrl = '' }) => state === 'read' && wanted.has(pageUrl)))
    },

    async entriesOfArticles(ids) {
      return ids.map((id) => copyOf(entriesOf(state, id)))
    },

    async articleTexts(ids) {
      return ids.map((id) => copyOf(articles.held.get(id)?.content))
    },

    async rawPage(id) {
      const page = articles.held.get(id)?.page
      return page && ownPage(page)
    },

    async *everyArticle({ feedId, since = Number.NEGATIVE_INFINITY }) {
      for (const { article, content } of [...articles.held.values()]) {
        if (!content || (article.fetchedAt ?? Number.NEGATIVE_INFINITY) < since) continue
        const entries = entriesOf(state, article.id)
        if (feedId !== undefined && !entries.some((entry) => entry.feedId === feedId)) continue
        const whole: WholeArticle = { article, ...content, entryIds: entries.map(({ id }) => id) }
        yield copyOf(whole)
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
      for (const held of old) forgetContent(state, held)
      return old.length
    },

    async diskUsage() {
      return { feeds: 0, entries: 0, polls: 0, articles: 0, pages: 0, index: 0, rest: 0 }
    },
  }

  function record({ id, at, lease, lineDueAt: notBeforeAt, result }: ArticleRecord): boolean {
    const held = articles.held.get(id)
    if (lease !== undefined && articles.lines.get(held?.article.root ?? '')?.lease?.token !== lease) return false
    if (!held || held.article.state === 'same' || (held.article.triedAt ?? Number.NEGATIVE_INFINITY) >= at) return false
    const other = result.kind === 'same' ? articles.held.get(result.sameAs) : undefined
    if (result.kind === 'elsewhere' && held.article.ledTo?.url === result.to) return false
    if (result.kind === 'same' && (other?.article.state !== 'read' || other === held)) return false

    const { article } = held
    const { dueAt: _due, trouble: _trouble, ...before } = article
    switch (result.kind) {
      case 'read': {
        const { pageUrl, facts, content, noArchive, page } = result
        const { noArchive: _, ledTo, ...kept } = before
        const read = { state: 'read', failures: 0, triedAt: at, fetchedAt: at, reads: article.reads + 1 } as const
        const led = ledTo ? { ledTo: { ...ledTo, hops: 0 } } : {}
        held.article = { ...kept, ...read, ...led, pageUrl, facts, ...(noArchive && { noArchive }) }
        held.content = content
        delete held.page
        if (page) held.page = page
        reindex(state, id)
        placeAgain(state, id)
        break
      }
      case 'same': {
        const { facts: _facts, fetchedAt: _fetched, noArchive: _, ...kept } = before
        held.article = {
          ...kept,
          state: 'same',
          failures: 0,
          triedAt: at,
          pageUrl: result.pageUrl,
          sameAs: result.sameAs,
        }
        delete held.content
        delete held.page
        for (const [entryId, articleId] of articles.ofEntry)
          if (articleId === id) articles.ofEntry.set(entryId, result.sameAs)
        for (const { article: alias } of articles.held.values()) if (alias.sameAs === id) alias.sameAs = result.sameAs
        other!.article.newsAt = Math.max(other!.article.newsAt, article.newsAt)
        reindex(state, result.sameAs)
        placeAgain(state, result.sameAs)
        break
      }
      case 'elsewhere': {
        const { to, root } = result
        held.article = { ...article, root, ledTo: { url: to, hops: (article.ledTo?.hops ?? 0) + 1 } }
        if (root !== article.root) articles.lines.get(article.root)?.waiting.delete(id)
        break
      }
      case 'failed': {
        const { failure: trouble, dueAt } = result
        if (result.state === 'refused' && held.content) forgetContent(state, held)
        const after = result.state === 'failed' && article.state === 'read' ? 'read' : result.state
        held.article = {
          ...without(before, result.state === 'refused' ? ['facts'] : []),
          state: dueAt === undefined ? after : article.state === 'read' ? 'read' : 'waiting',
          failures: article.failures + 1,
          triedAt: at,
          trouble,
          ...(dueAt !== undefined && { dueAt }),
        }
      }
    }
    const line = articles.lines.get(article.root)
    if (line) handBack(line, notBeforeAt)
    if (line?.waiting.size === 0) articles.lines.delete(article.root)
    settle(articles, held, result.kind === 'elsewhere' ? result.bucket : undefined)
    return true
  }
}

/** What news want fetched. */
export function wantPages(state: State, held: HeldFeed, { pages = [] }: News, at: Instant): void {
  for (const { key, ...page } of pages) {
    const entryId = held.keys.get(key)
    if (entryId === undefined || entryId === 'forgotten') continue
    if (want(state, { entryId, ...page }, at)) brought(held, at).pages++
  }
}

/** The entry is gone, or has another article: one that nobody points at any more goes with it. */
export function unlink(state: State, entryId: EntryId): void {
  const { articles } = state
  const id = articles.ofEntry.get(entryId)
  if (id === undefined) return
  articles.ofEntry.delete(entryId)
  if ([...articles.ofEntry.values()].includes(id)) return
  for (const held of [...articles.held.values()]) {
    const { article } = held
    if (article.id !== id && article.sameAs !== id) continue
    articles.held.delete(article.id)
    articles.idByUrl.delete(article.url)
    delete article.dueAt
    settle(articles, held)
  }
}

export function textOf({ articles }: State, entryId: EntryId): string | undefined {
  return articles.held.get(articles.ofEntry.get(entryId)!)?.content?.text
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

/** True if it is to be fetched for that. */
function want(state: State, { entryId, url, root, bucket, again }: ArticleToFetch, at: Instant): boolean {
  const { articles } = state
  const entry = state.entries.get(entryId)
  if (!entry) return false
  const newsAt = Math.min(entry.publishedAt ?? entry.seenAt, entry.seenAt)
  const known = articleAt(articles, url)
  const id = known?.article.id ?? (++articles.last as ArticleId)
  if (!known) {
    const article: StoredArticle = {
      id,
      url,
      root,
      state: 'waiting',
      wantedAt: at,
      newsAt,
      dueAt: at,
      failures: 0,
      reads: 0,
    }
    articles.held.set(id, { article })
    articles.idByUrl.set(url, id)
  }
  const held = articles.held.get(id)!
  const { article } = held
  article.newsAt = Math.max(article.newsAt, newsAt)
  const isAgain = again && article.state === 'read' && article.dueAt === undefined && article.reads < again.most
  if (isAgain) article.dueAt = Math.max(at, article.fetchedAt! + again.afterMs)
  settle(articles, held, known ? undefined : bucket)
  if (articles.ofEntry.get(entryId) !== id) {
    unlink(state, entryId)
    articles.ofEntry.set(entryId, id)
    if (article.state === 'read') for (const line of [state.unindexed, state.unplaced]) enqueue(state, line, entryId)
  }
  return !known || isAgain === true
}

/** By the address that was asked for, else by where a page that was read is. */
function articleAt({ held, idByUrl }: Articles, url: string): HeldArticle | undefined {
  const asked = held.get(idByUrl.get(url)!)
  if (asked) return asked.article.sameAs === undefined ? asked : held.get(asked.article.sameAs)
  return [...held.values()].find(({ article }) => article.state === 'read' && article.pageUrl === url)
}

function lineDueAt({ notBeforeAt, waiting }: Line): Instant {
  let first = Number.POSITIVE_INFINITY
  for (const { article } of waiting.values()) first = Math.min(first, article.dueAt!)
  return Math.max(first, notBeforeAt)
}

/** Whoever is to be fetched stands in the line of its root, and nobody else does. */
function settle({ lines }: Articles, held: HeldArticle, bucket?: Bucket): void {
  const { id, root, dueAt } = held.article
  const line: Line = lines.get(root) ?? { notBeforeAt: 0, waiting: new Map() }
  if (bucket !== undefined) line.bucket = bucket
  if (dueAt === undefined) line.waiting.delete(id)
  else line.waiting.set(id, held)
  if (line.waiting.size > 0) lines.set(root, line)
  else lines.delete(root)
}

function handBack(line: Line, dueAt: Instant | undefined): void {
  delete line.lease
  if (dueAt !== undefined) line.notBeforeAt = dueAt
}

function entriesOf({ articles, entries }: State, id: ArticleId): Entry[] {
  const ids = [...articles.ofEntry].flatMap(([entryId, articleId]) => (articleId === id ? [entryId] : []))
  return ids.sort((a, b) => a - b).flatMap((entryId) => entries.get(entryId) ?? [])
}

function reindex(state: State, id: ArticleId): void {
  for (const entry of entriesOf(state, id)) enqueue(state, state.unindexed, entry.id)
}

/** Its text is compared with others' from now on. When it is forgotten, what was found by it stays. */
function placeAgain(state: State, id: ArticleId): void {
  for (const entry of entriesOf(state, id)) enqueue(state, state.unplaced, entry.id)
}

function forgetContent(state: State, held: HeldArticle): void {
  delete held.content
  delete held.page
  delete held.article.facts
  reindex(state, held.article.id)
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

function without<T extends object>(whole: T, names: (keyof T)[]): T {
  const copy = { ...whole }
  for (const name of names) delete copy[name]
  return copy
}
