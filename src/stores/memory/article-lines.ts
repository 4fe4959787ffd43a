/** The lines in which the memory store's articles wait. */
import { type ArticleId, type Bucket, bucketOf, type Instant } from '../../model/index.ts'
import type { ArticleMethods } from '../methods.ts'
import { type Articles, type HeldArticle, type HeldLine, shownArticle } from './held-articles.ts'
import { owns } from './ownership.ts'
import { newLease, type State } from './state.ts'

type LineMethods = 'takeDueArticles' | 'handBackArticles' | 'pageLeases' | 'nextPageAt'

export function articleLinesOf(state: State): Pick<ArticleMethods, LineMethods> {
  const { articles } = state
  return {
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
          .filter(({ article: { dueAt = 0 } }) => dueAt <= now)
          .sort(({ article: a }, { article: b }) => b.newsAt - a.newsAt || b.id - a.id)
        line.taken = newest!.article.id
        return { ...shownArticle(newest!), lease: lease.token }
      })
    },

    async handBackArticles(items) {
      for (const { id, lease, dueAt } of items) {
        const line = articles.lines.get(articles.held.get(id)?.article.root ?? '')
        if (line && (lease === undefined || line.lease?.token === lease)) handBack(line, dueAt)
      }
    },

    async pageLeases(owned) {
      return [...articles.lines].flatMap(([root, { lease, taken, bucket }]) => {
        if (!lease || taken === undefined || !owns(state, bucket ?? bucketOf(root), owned)) return []
        return [{ id: taken, lease: lease.token, takenAt: lease.takenAt }]
      })
    },

    async nextPageAt(owned) {
      let next = Number.POSITIVE_INFINITY
      for (const [root, line] of articles.lines)
        if (owns(state, line.bucket ?? bucketOf(root), owned))
          next = Math.min(next, Math.max(lineDueAt(line), line.lease?.until ?? 0))
      return Number.isFinite(next) ? next : undefined
    },
  }
}

export function handBack(line: HeldLine, dueAt: Instant | undefined): void {
  delete line.lease
  if (dueAt !== undefined) line.notBeforeAt = dueAt
}

/** Whoever is to be fetched stands in the line of its root, and nobody else does: `rootBefore` is where it may still stand. */
export function settleLine(articles: Articles, held: HeldArticle, rootBefore: string, bucket?: Bucket): void {
  const { lines } = articles
  const { id, root, dueAt } = held.article
  if (dueAt === undefined || root !== rootBefore) leaveLine(articles, id, rootBefore)
  if (dueAt === undefined) return
  const line: HeldLine = lines.get(root) ?? { notBeforeAt: 0, waiting: new Map() }
  if (bucket !== undefined) line.bucket = bucket
  line.waiting.set(id, held)
  lines.set(root, line)
}

export function leaveLine({ lines }: Articles, id: ArticleId, root: string): void {
  const line = lines.get(root)
  line?.waiting.delete(id)
  if (line?.waiting.size === 0) lines.delete(root)
}

function lineDueAt({ notBeforeAt, waiting }: HeldLine): Instant {
  let first = Number.POSITIVE_INFINITY
  for (const { article } of waiting.values()) first = Math.min(first, article.dueAt!)
  return Math.max(first, notBeforeAt)
}
