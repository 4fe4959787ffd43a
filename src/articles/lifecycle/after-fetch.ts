/**
 * State transition of an article after a fetch. A store loads the article, calls this function, and writes the result:
 * stores decide nothing themselves, so all of them agree.
 */
import type { ArticleLife, ArticleResult, Instant } from '../../model/index.ts'

/** The stored state. */
export interface BeforeFetch {
  article: ArticleLife
  /** The article that this one redirects to or duplicates, if it is stored. */
  other?: ArticleLife | undefined
}

/** What happens to the text with its facts and to the stored page, and which work is queued for the article's entries. */
export interface ContentChange {
  text: 'keep' | 'drop' | 'write'
  page: 'keep' | 'drop' | 'write'
  reindex: boolean
  regroup: boolean
}

export interface AfterFetch extends ContentChange {
  article: ArticleLife
  /**
   * The article's new identity: it takes over the entries with their waiting state, and everything that was an alias of this
   * article.
   */
  movedTo?: ArticleLife
}

type Of<Kind extends ArticleResult['kind']> = Extract<ArticleResult, { kind: Kind }>

const UNTOUCHED: ContentChange = { text: 'keep', page: 'keep', reindex: false, regroup: false }

/** Undefined if the result is void and nothing is written: see `recordArticles`. */
export function afterFetch(before: BeforeFetch, result: ArticleResult, at: Instant): AfterFetch | undefined {
  const { article } = before
  if (article.state === 'same' || (article.triedAt !== undefined && article.triedAt >= at)) return undefined
  switch (result.kind) {
    case 'read':
      return afterReading(article, result, at)
    case 'same':
      return afterSame(before, result, at)
    case 'elsewhere':
      return afterRedirect(article, result)
    case 'failed':
      return afterFailure(article, result, at)
  }
}

function afterReading(article: ArticleLife, { pageUrl, noArchive, page }: Of<'read'>, at: Instant): AfterFetch {
  const { noArchive: _, ledTo, ...rest } = withoutDue(article)
  return {
    article: {
      ...rest,
      state: 'read',
      failures: 0,
      triedAt: at,
      fetchedAt: at,
      reads: article.reads + 1,
      pageUrl,
      ...(ledTo && { ledTo: { ...ledTo, hops: 0 } }),
      ...(noArchive && { noArchive }),
    },
    text: 'write',
    page: page ? 'write' : 'drop',
    reindex: true,
    regroup: true,
  }
}

function afterSame({ article, other }: BeforeFetch, { pageUrl }: Of<'same'>, at: Instant): AfterFetch | undefined {
  if (other?.state !== 'read' || other.id === article.id) return undefined
  const { fetchedAt: _fetched, noArchive: _asked, ...rest } = withoutDue(article)
  return {
    article: { ...rest, state: 'same', failures: 0, triedAt: at, pageUrl, sameAs: other.id },
    movedTo: { ...other, newsAt: Math.max(other.newsAt, article.newsAt) },
    text: 'drop',
    page: 'drop',
    reindex: true,
    regroup: true,
  }
}

/** The due date stays; `triedAt` is kept, because the page itself has not been requested yet. */
function afterRedirect(article: ArticleLife, { to, root }: Of<'elsewhere'>): AfterFetch | undefined {
  if (article.ledTo?.url === to) return undefined
  return { ...UNTOUCHED, article: { ...article, root, ledTo: { url: to, hops: (article.ledTo?.hops ?? 0) + 1 } } }
}

/** Results of a text that is dropped are kept: its entries are not grouped again. */
function afterFailure(article: ArticleLife, result: Of<'failed'>, at: Instant): AfterFetch {
  const { failure: trouble, dueAt } = result
  const wasRead = article.state === 'read'
  const isRefused = result.state === 'refused'
  const finalState = wasRead && !isRefused ? 'read' : result.state
  const waitingState = wasRead ? 'read' : 'waiting'
  const wasEverRead = article.fetchedAt !== undefined
  const dropped: ContentChange = { text: 'drop', page: 'drop', reindex: wasEverRead, regroup: false }
  return {
    ...(isRefused ? dropped : UNTOUCHED),
    article: {
      ...withoutDue(article),
      state: dueAt === undefined ? finalState : waitingState,
      failures: article.failures + 1,
      triedAt: at,
      trouble,
      ...(dueAt !== undefined && { dueAt }),
    },
  }
}

function withoutDue({ dueAt: _due, trouble: _trouble, ...rest }: ArticleLife): ArticleLife {
  return rest
}
