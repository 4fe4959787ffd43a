/** Article queues of the memory store. */
import { type ArticleId, type Bucket, bucketOf, type Instant } from '../../model/index.ts'
import type { ArticleMethods } from '../methods.ts'
import { type ArticlesState, type MemoryArticle, type MemoryArticleQueue, storedArticleOf } from './article-state.ts'
import { owns } from './ownership.ts'
import { newLease, type State } from './state.ts'

type QueueMethods = 'leaseDueArticles' | 'releaseArticleLeases' | 'articleLeases' | 'nextArticleAt'

export function articleQueuesOf(state: State): Pick<ArticleMethods, QueueMethods> {
  const { articles } = state
  return {
    async leaseDueArticles(now, limit, until, owned) {
      const due = [...articles.queues]
        .map(([root, queue]) => ({ root, queue, at: queueDueAt(queue) }))
        .filter(({ queue, at }) => at <= now && (queue.lease?.until ?? now) <= now)
        .filter(({ root, queue }) => owns(state, queue.bucket ?? bucketOf(root), owned))
        .sort((a, b) => a.at - b.at || (a.root < b.root ? -1 : 1))
        .slice(0, limit)
      return due.map(({ queue }) => {
        const lease = newLease(state, now, until)
        queue.lease = lease
        const [newest] = [...queue.waiting.values()]
          .filter(({ article: { dueAt = 0 } }) => dueAt <= now)
          .sort(({ article: a }, { article: b }) => b.newsAt - a.newsAt || b.id - a.id)
        queue.leasedId = newest!.article.id
        return { ...storedArticleOf(newest!), lease: lease.token }
      })
    },

    async releaseArticleLeases(items) {
      for (const { id, lease, dueAt } of items) {
        const queue = articles.queues.get(articles.byId.get(id)?.article.root ?? '')
        if (queue && (lease === undefined || queue.lease?.token === lease)) releaseQueue(queue, dueAt)
      }
    },

    async articleLeases(owned) {
      return [...articles.queues].flatMap(([root, { lease, leasedId, bucket }]) => {
        if (!lease || leasedId === undefined || !owns(state, bucket ?? bucketOf(root), owned)) return []
        return [{ kind: 'article' as const, id: leasedId, lease: lease.token, leasedAt: lease.takenAt }]
      })
    },

    async nextArticleAt(owned) {
      let next = Number.POSITIVE_INFINITY
      for (const [root, queue] of articles.queues)
        if (owns(state, queue.bucket ?? bucketOf(root), owned))
          next = Math.min(next, Math.max(queueDueAt(queue), queue.lease?.until ?? 0))
      return Number.isFinite(next) ? next : undefined
    },
  }
}

export function releaseQueue(queue: MemoryArticleQueue, dueAt: Instant | undefined): void {
  delete queue.lease
  if (dueAt !== undefined) queue.notBeforeAt = dueAt
}

/** Keeps an article in the queue of its root exactly while it is due. `rootBefore` is the root whose queue may still hold it. */
export function refreshQueue(
  articles: ArticlesState,
  stored: MemoryArticle,
  rootBefore: string,
  bucket?: Bucket,
): void {
  const { queues } = articles
  const { id, root, dueAt } = stored.article
  if (dueAt === undefined || root !== rootBefore) leaveQueue(articles, id, rootBefore)
  if (dueAt === undefined) return
  const queue: MemoryArticleQueue = queues.get(root) ?? { notBeforeAt: 0, waiting: new Map() }
  if (bucket !== undefined) queue.bucket = bucket
  queue.waiting.set(id, stored)
  queues.set(root, queue)
}

export function leaveQueue({ queues }: ArticlesState, id: ArticleId, root: string): void {
  const queue = queues.get(root)
  queue?.waiting.delete(id)
  if (queue?.waiting.size === 0) queues.delete(root)
}

function queueDueAt({ notBeforeAt, waiting }: MemoryArticleQueue): Instant {
  let first = Number.POSITIVE_INFINITY
  for (const { article } of waiting.values()) first = Math.min(first, article.dueAt!)
  return Math.max(first, notBeforeAt)
}
