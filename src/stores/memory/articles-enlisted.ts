/** Which articles the memory store's entries point at, and what becomes of those that nobody points at any more. */

import { GIVEN_UP, goneWith } from '../../articles/lifecycle/remove-article.ts'
import { enlisted } from '../../articles/lifecycle/want-article.ts'
import { type ArticleId, type EntryId, type Instant, sortAt } from '../../model/index.ts'
import type { ArticleToFetch, News } from '../../ports/index.ts'
import type { ArticleMethods } from '../methods.ts'
import { leaveLine, settleLine } from './article-lines.ts'
import { copyOf } from './copy.ts'
import type { Articles, HeldArticle } from './held-articles.ts'
import { brought, enqueue, type HeldFeed, type State } from './state.ts'

export function articlesEnlistedIn(state: State): Pick<ArticleMethods, 'enlistArticles' | 'delistArticles'> {
  const { articles } = state
  return {
    async enlistArticles(articles, at) {
      for (const one of copyOf(articles)) enlist(state, one, at)
    },

    async delistArticles(feedId) {
      for (const [entryId, id] of [...articles.ofEntry]) {
        const isGivenUp = articles.held.get(id)?.article.state === GIVEN_UP
        if (isGivenUp && state.entries.get(entryId)?.feedId === feedId) unlink(state, entryId)
      }
    },
  }
}

/** What a poll has fetched. */
export function wantPages(state: State, held: HeldFeed, { pages = [] }: News, at: Instant): void {
  for (const { key, ...page } of pages) {
    const entryId = held.keys.get(key)
    if (entryId === undefined || entryId === 'forgotten') continue
    if (enlist(state, { entryId, ...page }, at)) brought(held, at).pages++
  }
}

/** The entry is gone, or gets another article. */
export function unlink({ articles }: State, entryId: EntryId): void {
  const { held, ofEntry, idByUrl } = articles
  const id = ofEntry.get(entryId)
  if (id === undefined) return
  ofEntry.delete(entryId)
  const isPointedAt = [...ofEntry.values()].includes(id)
  const aliases = [...held.values()].flatMap(({ article }) => (article.sameAs === id ? [article.id] : []))
  for (const gone of goneWith({ id, isPointedAt, aliases })) {
    const { url, root } = held.get(gone)!.article
    held.delete(gone)
    idByUrl.delete(url)
    leaveLine(articles, gone, root)
  }
}

/** True if it is to be fetched for that. */
function enlist(state: State, { entryId, bucket, ...page }: ArticleToFetch, at: Instant): boolean {
  const { articles } = state
  const entry = state.entries.get(entryId)
  if (!entry) return false
  const known = articleAt(articles, page.url)
  const before = { known: known?.article, linked: articles.held.get(articles.ofEntry.get(entryId)!)?.article }
  const { added, changed, toFetch, relink, hasMore } = enlisted(before, page, sortAt(entry, entry.seenAt), at)
  const id = added ? (++articles.last as ArticleId) : known?.article.id
  if (added && id !== undefined) {
    const held: HeldArticle = { article: { ...added, id } }
    articles.held.set(id, held)
    articles.idByUrl.set(added.url, id)
    settleLine(articles, held, added.root, bucket)
  }
  if (known && changed) {
    known.article = changed
    settleLine(articles, known, changed.root)
  }
  if (relink && id !== undefined) {
    unlink(state, entryId)
    articles.ofEntry.set(entryId, id)
  }
  if (hasMore) for (const line of [state.unindexed, state.unplaced]) enqueue(state, line, entryId)
  return toFetch
}

/** By the address that was asked for, else by where a page that was read is. */
function articleAt({ held, idByUrl }: Articles, url: string): HeldArticle | undefined {
  const asked = held.get(idByUrl.get(url)!)
  if (asked) return asked.article.sameAs === undefined ? asked : held.get(asked.article.sameAs)
  return [...held.values()].find(({ article }) => article.state === 'read' && article.pageUrl === url)
}
