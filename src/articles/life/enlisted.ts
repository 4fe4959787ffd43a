/**
 * What becomes of an article when an entry points at its page. One page is one article: a store looks for who was asked
 * for under that address (and whom that turned out to be), else for a page that was read there, and asks here what to
 * write.
 *
 * How often and how soon a page is read again is counted by entry, not by address: some feeds give their entries another link
 * on each fetch. An entry whose page was read within `again.afterMs` keeps that page.
 */
import type { ArticleLife, Instant, Millis, WebAddress } from '../../model/index.ts'

/** The part of an `ArticleToFetch` that decides. */
export interface Enlisting {
  url: WebAddress
  root: string
  again?: { afterMs: Millis; most: number }
}

/** As the store has it. */
export interface BeforeEnlisting {
  /** The article of that page. */
  known?: ArticleLife | undefined
  /** The article that the entry has. */
  linked?: ArticleLife | undefined
}

export interface AfterEnlisting {
  /** To be written, where the page was not known. */
  added?: NewArticle
  /** To be written, where it was, and does not stay as it is. */
  changed?: ArticleLife
  /** The page is fetched for that. */
  toFetch: boolean
  /** The entry lets go of the article that it has, and gets this. */
  relink: boolean
  /** What the entry is searched and compared by was read before: it waits for both. */
  hasMore: boolean
}

/** The store gives it its id. */
export type NewArticle = Pick<ArticleLife, 'url' | 'root' | 'state' | 'wantedAt' | 'newsAt' | 'failures' | 'reads'> & {
  dueAt: Instant
}

/** `newsAt` is the date of the entry. */
export function enlisted(
  { known, linked }: BeforeEnlisting,
  page: Enlisting,
  newsAt: Instant,
  at: Instant,
): AfterEnlisting {
  if (!known) {
    const added = newArticle(page, linked, newsAt, at)
    return { ...(added && { added }), toFetch: added !== undefined, relink: added !== undefined, hasMore: false }
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

/** Undefined if the entry keeps the page that it has. */
function newArticle(
  { url, root, again }: Enlisting,
  linked: ArticleLife | undefined,
  newsAt: Instant,
  at: Instant,
): NewArticle | undefined {
  const article = { url, root, state: 'waiting', wantedAt: at, newsAt, dueAt: at, failures: 0, reads: 0 } as const
  if (!again || !linked) return article
  const { state, reads, failures, triedAt, dueAt = at } = linked
  if (reads >= again.most) return undefined
  const againAt = triedAt === undefined ? at : triedAt + again.afterMs
  if (state === 'read') return againAt > at ? undefined : { ...article, reads }
  if (state === 'waiting') return { ...article, reads, failures, dueAt: Math.max(at, dueAt) }
  return { ...article, reads: reads + 1, dueAt: Math.max(at, againAt) }
}

/** Undefined if it is not read again, or is waited for already. */
function readAgainAt({ state, dueAt, reads, fetchedAt = 0 }: ArticleLife, { again }: Enlisting, at: Instant) {
  if (!again || state !== 'read' || dueAt !== undefined || reads >= again.most) return undefined
  return Math.max(at, fetchedAt + again.afterMs)
}
