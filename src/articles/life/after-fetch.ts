/**
 * What a fetch makes of an article. A store loads the article, asks here, and writes what is answered: it decides nothing
 * itself, and so all stores agree.
 */
import type { ArticleLife, ArticleResult, Instant } from '../../model/index.ts'

/** As the store has it. */
export interface BeforeFetch {
  article: ArticleLife
  /** The one that it is said to be the same as, if that is there. */
  other?: ArticleLife | undefined
}

/** What becomes of the text with its facts, and of the page; and for what the entries of the article wait then. */
export interface ContentChange {
  text: 'keep' | 'drop' | 'write'
  page: 'keep' | 'drop' | 'write'
  reindex: boolean
  placeAgain: boolean
}

export interface AfterFetch extends ContentChange {
  article: ArticleLife
  /** As it is from now on. The entries are this one's, they wait with all that it had, and whoever was the same as the article is the same as this. */
  movedTo?: ArticleLife
}

type Of<Kind extends ArticleResult['kind']> = Extract<ArticleResult, { kind: Kind }>

const UNTOUCHED: ContentChange = { text: 'keep', page: 'keep', reindex: false, placeAgain: false }

/** Undefined if the result is void, and nothing is written: see `recordArticles`. */
export function afterFetch(before: BeforeFetch, result: ArticleResult, at: Instant): AfterFetch | undefined {
  const { article } = before
  if (article.state === 'same' || (article.triedAt !== undefined && article.triedAt >= at)) return undefined
  switch (result.kind) {
    case 'read':
      return afterReading(article, result, at)
    case 'same':
      return afterRecognising(before, result, at)
    case 'elsewhere':
      return afterRedirect(article, result)
    case 'failed':
      return afterFailure(article, result, at)
  }
}

function afterReading(article: ArticleLife, { pageUrl, noArchive, page }: Of<'read'>, at: Instant): AfterFetch {
  const { noArchive: _, ledTo, ...kept } = withoutDue(article)
  return {
    article: {
      ...kept,
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
    placeAgain: true,
  }
}

function afterRecognising(
  { article, other }: BeforeFetch,
  { pageUrl }: Of<'same'>,
  at: Instant,
): AfterFetch | undefined {
  if (other?.state !== 'read' || other.id === article.id) return undefined
  const { fetchedAt: _fetched, noArchive: _asked, ...kept } = withoutDue(article)
  return {
    article: { ...kept, state: 'same', failures: 0, triedAt: at, pageUrl, sameAs: other.id },
    movedTo: { ...other, newsAt: Math.max(other.newsAt, article.newsAt) },
    text: 'drop',
    page: 'drop',
    reindex: true,
    placeAgain: true,
  }
}

/** It is due there as it was here; `triedAt` stays, for the page itself is still to be asked for. */
function afterRedirect(article: ArticleLife, { to, root }: Of<'elsewhere'>): AfterFetch | undefined {
  if (article.ledTo?.url === to) return undefined
  return { ...UNTOUCHED, article: { ...article, root, ledTo: { url: to, hops: (article.ledTo?.hops ?? 0) + 1 } } }
}

/** What was found by a text that is dropped stays: its entries are not placed again. */
function afterFailure(article: ArticleLife, result: Of<'failed'>, at: Instant): AfterFetch {
  const { failure: trouble, dueAt } = result
  const wasRead = article.state === 'read'
  const isRefused = result.state === 'refused'
  const inTheEnd = wasRead && !isRefused ? 'read' : result.state
  const meanwhile = wasRead ? 'read' : 'waiting'
  const wasEverRead = article.fetchedAt !== undefined
  const dropped: ContentChange = { text: 'drop', page: 'drop', reindex: wasEverRead, placeAgain: false }
  return {
    ...(isRefused ? dropped : UNTOUCHED),
    article: {
      ...withoutDue(article),
      state: dueAt === undefined ? inTheEnd : meanwhile,
      failures: article.failures + 1,
      triedAt: at,
      trouble,
      ...(dueAt !== undefined && { dueAt }),
    },
  }
}

function withoutDue({ dueAt: _due, trouble: _trouble, ...kept }: ArticleLife): ArticleLife {
  return kept
}
