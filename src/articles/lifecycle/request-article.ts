/**
 * State transition of an article that a user asks for: it becomes due, goes to the front of all queues, and is tried again even if it
 * failed for good. Politeness stays: the page is not requested more often than `afterMs`, nor before the time that its server asked for,
 * and it waits for its host and robots.txt as every page does.
 */
import type { ArticleLife, Instant, Millis } from '../../model/index.ts'

/** Queues are served by due date, oldest first, so this date puts a page in front of everything that is due. */
export const FRONT_OF_QUEUE: Instant = 1

/** When the page may be fetched. */
export function requestedDueAt({ triedAt, trouble }: ArticleLife, afterMs: Millis, at: Instant): Instant {
  if (triedAt === undefined) return at
  const retryAfterMs = trouble?.kind === 'http' ? (trouble.retryAfterMs ?? 0) : 0
  return Math.max(at, triedAt + Math.max(afterMs, retryAfterMs))
}

export function afterRequest(article: ArticleLife, afterMs: Millis, at: Instant): ArticleLife {
  const earliestAt = requestedDueAt(article, afterMs, at)
  return {
    ...article,
    state: article.state === 'failed' || article.state === 'refused' ? 'waiting' : article.state,
    newsAt: Math.max(article.newsAt, at), // before all others of its root
    dueAt: Math.min(article.dueAt ?? Number.POSITIVE_INFINITY, earliestAt > at ? earliestAt : FRONT_OF_QUEUE),
  }
}
