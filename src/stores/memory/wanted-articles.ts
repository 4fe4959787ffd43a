/** Links entries of the memory store to the articles they point at, and removes articles that no entry points at any more. */
import { articlesToDelete, UNWANTED_STATE } from '../../articles/lifecycle/remove-article.ts'
import { afterWanted } from '../../articles/lifecycle/want-article.ts'
import { type ArticleId, type EntryId, type Instant, sortAt } from '../../model/index.ts'
import type { ArticleToFetch, EntryChanges } from '../../ports/index.ts'
import type { ArticleMethods } from '../methods.ts'
import { leaveQueue, refreshQueue } from './article-queues.ts'
import type { ArticlesState, MemoryArticle } from './article-state.ts'
import { copyOf } from './copy.ts'
import { enqueueEntry, hourlyCountsOf, type MemoryFeed, type State } from './state.ts'

export function wantedArticlesOf(state: State): Pick<ArticleMethods, 'queueArticles' | 'cancelArticles'> {
  const { articles } = state
  return {
    async queueArticles(articles, at) {
      for (const wanted of copyOf(articles)) wantArticle(state, wanted, at)
    },

    async cancelArticles(feedId) {
      for (const [entryId, id] of [...articles.idByEntry]) {
        const isGivenUp = articles.byId.get(id)?.article.state === UNWANTED_STATE
        if (isGivenUp && state.entries.get(entryId)?.feedId === feedId) unlinkArticle(state, entryId)
      }
    },
  }
}

/** Queues the articles that the entries of a poll want. */
export function wantArticles(state: State, stored: MemoryFeed, { articles = [] }: EntryChanges, at: Instant): void {
  for (const { key, ...page } of articles) {
    const entryId = stored.idByKey.get(key)
    if (entryId === undefined || entryId === 'forgotten') continue
    if (wantArticle(state, { entryId, ...page }, at)) hourlyCountsOf(stored, at).pages++
  }
}

/** Removes the link of an entry that is deleted or gets another article, and the article if no other entry points at it. */
export function unlinkArticle({ articles }: State, entryId: EntryId): void {
  const { byId, idByEntry, idByUrl } = articles
  const id = idByEntry.get(entryId)
  if (id === undefined) return
  idByEntry.delete(entryId)
  const isLinked = [...idByEntry.values()].includes(id)
  const aliases = [...byId.values()].flatMap(({ article }) => (article.sameAs === id ? [article.id] : []))
  for (const removedId of articlesToDelete({ id, isLinked, aliases })) {
    const { url, root } = byId.get(removedId)!.article
    byId.delete(removedId)
    idByUrl.delete(url)
    leaveQueue(articles, removedId, root)
  }
}

/** True if the article is to be fetched for this entry. */
function wantArticle(state: State, { entryId, bucket, ...page }: ArticleToFetch, at: Instant): boolean {
  const { articles } = state
  const entry = state.entries.get(entryId)
  if (!entry) return false
  const existing = articleAt(articles, page.url)
  const before = { known: existing?.article, linked: articles.byId.get(articles.idByEntry.get(entryId)!)?.article }
  const { added, changed, toFetch, relink, hasMore } = afterWanted(before, page, sortAt(entry, entry.seenAt), at)
  const id = added ? (++articles.lastId as ArticleId) : existing?.article.id
  if (added && id !== undefined) {
    const stored: MemoryArticle = { article: { ...added, id } }
    articles.byId.set(id, stored)
    articles.idByUrl.set(added.url, id)
    refreshQueue(articles, stored, added.root, bucket)
  }
  if (existing && changed) {
    existing.article = changed
    refreshQueue(articles, existing, changed.root)
  }
  if (relink && id !== undefined) {
    unlinkArticle(state, entryId)
    articles.idByEntry.set(entryId, id)
  }
  if (hasMore) for (const queue of [state.unindexed, state.ungrouped]) enqueueEntry(state, queue, entryId)
  return toFetch
}

/** Finds an article by its requested address, else by the final address of a page that was read. */
function articleAt({ byId, idByUrl }: ArticlesState, url: string): MemoryArticle | undefined {
  const requested = byId.get(idByUrl.get(url)!)
  if (requested) return requested.article.sameAs === undefined ? requested : byId.get(requested.article.sameAs)
  return [...byId.values()].find(({ article }) => article.state === 'read' && article.pageUrl === url)
}
