/**
 * State transition of an article when an entry links to its page. One page is one article: a store looks for an article
 * requested under that URL (and its final identity), or else for a page that was read there, and asks here what to write.
 *
 * How often and how soon a page is read again is counted by entry, not by URL, since some feeds give their entries another
 * link on each fetch. An entry whose page was read within `again.afterMs` keeps that page.
 */
import type { ArticleLife, Instant, Millis, WebAddress } from '../../model/index.ts'
import { afterRequest, FRONT_OF_QUEUE } from './request-article.ts'

/** The fields of an `ArticleToFetch` that matter here. */
export interface WantedArticle {
  url: WebAddress
  root: string
  again?: { afterMs: Millis; most: number }
  requested?: { afterMs: Millis }
}

/** The stored state. */
export interface BeforeWant {
  /** The article of that page. */
  known?: ArticleLife | undefined
  /** The entry's current article. */
  linked?: ArticleLife | undefined
}

export interface AfterWant {
  /** The article to insert, if the page is new. */
  added?: NewArticle
  /** The article to update, if the page is known and its article changes. */
  changed?: ArticleLife
  /** The page will be fetched for this entry. */
  toFetch: boolean
  /** The entry's article is replaced by this one. */
  relink: boolean
  /** The article's text is already stored: the entry has to be indexed and grouped with it. */
  hasMore: boolean
}

/** The store assigns the id. */
export type NewArticle = Pick<ArticleLife, 'url' | 'root' | 'state' | 'wantedAt' | 'newsAt' | 'failures' | 'reads'> & {
  dueAt: Instant
}

/** `newsAt` is the date of the entry. */
export function afterWanted(
  { known, linked }: BeforeWant,
  page: WantedArticle,
  newsAt: Instant,
  at: Instant,
): AfterWant {
  if (!known) {
    const added = newArticle(page, linked, newsAt, at)
    return { ...(added && { added }), toFetch: added !== undefined, relink: added !== undefined, hasMore: false }
  }
  if (page.requested) {
    const changed = afterRequest(known, page.requested.afterMs, at)
    const relink = linked?.id !== known.id
    return { changed, toFetch: true, relink, hasMore: relink && known.state === 'read' }
  }
  const dueAgainAt = readAgainAt(known, page, at)
  const toFetch = dueAgainAt !== undefined
  const relink = linked?.id !== known.id
  const changed = {
    ...known,
    newsAt: Math.max(known.newsAt, newsAt),
    ...(toFetch && { dueAt: dueAgainAt }),
  }
  return {
    ...((toFetch || changed.newsAt > known.newsAt) && { changed }),
    toFetch,
    relink,
    hasMore: relink && known.state === 'read',
  }
}

/** Undefined if the entry keeps its current page. */
function newArticle(
  { url, root, again, requested }: WantedArticle,
  linked: ArticleLife | undefined,
  newsAt: Instant,
  at: Instant,
): NewArticle | undefined {
  const article = { url, root, state: 'waiting', wantedAt: at, newsAt, dueAt: at, failures: 0, reads: 0 } as const
  if (requested) return { ...article, newsAt: Math.max(newsAt, at), dueAt: FRONT_OF_QUEUE }
  if (!again || !linked) return article
  const { state, reads, failures, triedAt, dueAt = at } = linked
  if (reads >= again.most) return undefined
  const againAt = triedAt === undefined ? at : triedAt + again.afterMs
  if (state === 'read') return againAt > at ? undefined : { ...article, reads }
  if (state === 'waiting') return { ...article, reads, failures, dueAt: Math.max(at, dueAt) }
  return { ...article, reads: reads + 1, dueAt: Math.max(at, againAt) }
}

/** Undefined if it is not read again, or is already waiting. */
function readAgainAt({ state, dueAt, reads, fetchedAt = 0 }: ArticleLife, { again }: WantedArticle, at: Instant) {
  if (!again || state !== 'read' || dueAt !== undefined || reads >= again.most) return undefined
  return Math.max(at, fetchedAt + again.afterMs)
}
