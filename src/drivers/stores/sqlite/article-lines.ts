/**
 * The lines in which articles wait. A line has the date from which on its root may be visited and the date at which the
 * first in it is due; the later of the two is when the line is due. Whoever changes when an article is due settles its line
 * afterwards.
 */
import type { ArticleId, Instant, LeaseToken } from '../../../model/index.ts'
import type { ArticleMethods } from '../methods.ts'
import { ARTICLE_COLUMNS, ARTICLES, type ArticleRow, articleOfRow } from '../sql/article-rows.ts'
import type { NewToken } from '../sql/lease-tokens.ts'
import { bounded, type SqliteSession } from './session.ts'

export interface ArticleLines {
  /** Within a transaction: ends the lease of a line, which is not given before `notBeforeAt`. */
  release(root: string, notBeforeAt: Instant | undefined): void
  /** Whether this line is given under that lease; whoever shows none is believed. */
  isUnder(root: string, lease: LeaseToken | undefined): boolean
  /** Within a transaction: somebody has come to this line, or gone. */
  settle(root: string): void
  methods: Pick<ArticleMethods, LineMethods>
}

type LineMethods = 'takeDueArticles' | 'handBackArticles' | 'pageLeases' | 'nextPageAt'

export function createArticleLines(session: SqliteSession, newToken: NewToken): ArticleLines {
  const { db } = session
  const firstDue = db
    .prepare<[string], Instant | null>('SELECT min(due_at) FROM articles WHERE root = ? AND due_at IS NOT NULL')
    .pluck()
  const settleLine = db.prepare(
    `INSERT INTO article_lines (root, not_before_at, due_at) VALUES ($root, 0, $first) ON CONFLICT (root) DO UPDATE
     SET due_at = max(not_before_at, $first)`,
  )
  const dropLine = db.prepare('DELETE FROM article_lines WHERE root = ?')
  const release = db.prepare(
    `UPDATE article_lines SET leased_until = NULL, lease = NULL, not_before_at = coalesce(?, not_before_at) WHERE root = ?`,
  )
  const endLeases = db.prepare('UPDATE article_lines SET leased_until = NULL, lease = NULL WHERE leased_until <= ?')
  const dueLines = db
    .prepare<[Instant, number], string>(
      `SELECT root FROM article_lines WHERE leased_until IS NULL AND due_at <= ? ORDER BY due_at, root LIMIT ?`,
    )
    .pluck()
  const lease = db.prepare('UPDATE article_lines SET leased_until = ?, lease = ? WHERE root = ?')
  const leaseOf = db.prepare<[string], LeaseToken | null>('SELECT lease FROM article_lines WHERE root = ?').pluck()
  const newest = db.prepare<[string, Instant], ArticleRow>(
    `SELECT ${ARTICLE_COLUMNS} FROM ${ARTICLES} WHERE a.id = (SELECT id FROM articles INDEXED BY articles_newest
     WHERE root = ? AND due_at IS NOT NULL AND due_at <= ? ORDER BY news_at DESC, id DESC LIMIT 1)`,
  )
  const rootOf = db.prepare<[ArticleId], string>('SELECT root FROM articles WHERE id = ?').pluck()
  const nextFree = db
    .prepare<[], Instant | null>('SELECT min(due_at) FROM article_lines WHERE leased_until IS NULL')
    .pluck()
  const nextLeased = db
    .prepare<[], Instant | null>(
      'SELECT min(max(leased_until, due_at)) FROM article_lines WHERE leased_until IS NOT NULL',
    )
    .pluck()

  function isUnder(root: string, lease: LeaseToken | undefined): boolean {
    return lease === undefined || leaseOf.get(root) === lease
  }

  function settle(root: string): void {
    const first = firstDue.get(root) ?? null
    if (first === null) dropLine.run(root)
    else settleLine.run({ root, first })
  }

  const self: ArticleLines = {
    settle,
    isUnder,

    release(root, notBeforeAt) {
      release.run(notBeforeAt ?? null, root)
      settle(root)
    },

    methods: {
      takeDueArticles(now, limit, until) {
        return session.write(() => {
          endLeases.run(now)
          return dueLines.all(now, bounded(limit)).flatMap((root) => {
            const token = newToken()
            lease.run(until, token, root)
            const row = newest.get(root, now)
            return row ? [{ ...articleOfRow(row), lease: token }] : []
          })
        })
      },

      handBackArticles(items) {
        return session.write(() => {
          for (const { id, lease, dueAt } of items) {
            const root = rootOf.get(id)
            if (root !== undefined && isUnder(root, lease)) self.release(root, dueAt)
          }
        })
      },

      /** Whoever opens the file is alone: nobody else fetches anything for it. */
      pageLeases: async () => [],

      nextPageAt() {
        return session.read(() => {
          const next = Math.min(
            nextFree.get() ?? Number.POSITIVE_INFINITY,
            nextLeased.get() ?? Number.POSITIVE_INFINITY,
          )
          return Number.isFinite(next) ? next : undefined
        })
      },
    },
  }
  return self
}
