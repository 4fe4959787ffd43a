/**
 * Article queues, one per root. A queue is due at the later of two dates: when its root may be visited again, and when its first article
 * is due. A transaction that changes an article's due date refreshes the queue afterwards: it locks the queue before reading its
 * articles, so of two concurrent transactions the later one sees the changes of the other. Leasing skips locked queues.
 */
import { type ArticleId, type Bucket, bucketOf, type Instant, type LeaseToken } from '../../model/index.ts'
import type { ArticleMethods } from '../methods.ts'
import { ARTICLE_COLUMNS, type ArticleRow, articleOfRow } from './article-rows.ts'
import { articleTextJoin, assignmentsSql, type Dialect, insertRowsSql, type TypedColumn } from './dialect.ts'
import type { NewToken } from './lease-tokens.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'
import { atMost } from './values.ts'

type QueueMethods = 'leaseDueArticles' | 'releaseArticleLeases' | 'articleLeases' | 'nextArticleAt'

/** Changes to article queues, by root. */
export interface ArticleQueueChanges {
  /** Queues whose articles changed, with their bucket if it is known. */
  refreshed: Map<string, Bucket | undefined>
  /** Queues whose lease ends, with the date before which the root must not be visited, if any. */
  released: Map<string, Instant | undefined>
}

export function noQueueChanges(): ArticleQueueChanges {
  return { refreshed: new Map(), released: new Map() }
}

export interface ArticleQueues {
  /** Returns the leases of these queues and locks them until the transaction ends. */
  lockLeases(tx: SqlTransaction, roots: Iterable<string>): SqlWork<Map<string, LeaseToken | null>>
  /** Must be the last thing that a transaction does with queues. */
  apply(tx: SqlTransaction, changes: ArticleQueueChanges): SqlWork<void>
}

const FIRST_DUE = 'SELECT min(a.due_at) FROM articles a WHERE a.root = g.root AND a.due_at IS NOT NULL'

export function createArticleQueues(dialect: Dialect): ArticleQueues {
  const { greatest, bucketColumn } = dialect
  const locked = `SELECT l.root, l.lease FROM given g, article_queues l WHERE l.root = g.root ORDER BY l.root ${dialect.lockFor('UPDATE OF l')}`
  const added: TypedColumn[] = ['root text', 'not_before_at bigint', 'due_at bigint', ...bucketColumn]
  const add = `${insertRowsSql('article_queues', 'root', added)} ${dialect.onConflictLock('root')}`
  const changed: TypedColumn[] = ['root text', 'is_free smallint', 'not_before_at bigint', ...bucketColumn]
  const bucketAssignment = bucketColumn.length > 0 ? 'bucket = coalesce(g.bucket, article_queues.bucket),' : ''
  const change = [
    `DELETE FROM article_queues USING given g WHERE article_queues.root = g.root AND (${FIRST_DUE}) IS NULL`,
    `UPDATE article_queues SET ${bucketAssignment}
       leased_until = CASE WHEN g.is_free = 1 THEN NULL ELSE leased_until END,
       lease = CASE WHEN g.is_free = 1 THEN NULL ELSE lease END,
       not_before_at = coalesce(g.not_before_at, article_queues.not_before_at),
       due_at = ${greatest}(coalesce(g.not_before_at, article_queues.not_before_at), (${FIRST_DUE}))
     FROM given g WHERE article_queues.root = g.root AND (${FIRST_DUE}) IS NOT NULL`,
  ]

  return {
    *lockLeases(tx, roots) {
      const rows = yield* tx.each<{ root: string; lease: LeaseToken | null }>(
        locked,
        ['root text'],
        [...new Set(roots)].map((root) => [root]),
      )
      return new Map(rows.map(({ root, lease }) => [root, lease]))
    },

    *apply(tx, { refreshed, released }) {
      const roots = [...new Set([...refreshed.keys(), ...released.keys()])].sort()
      // Creates missing queues and locks all of them, so that concurrent changes cannot interleave.
      yield* tx.runEach(
        add,
        added,
        roots.map((root) => [root, released.get(root) ?? 0, 0, refreshed.get(root) ?? bucketOf(root)]),
      )
      yield* tx.runEach(
        change,
        changed,
        roots.map((root) => [
          root,
          released.has(root) ? 1 : 0,
          released.get(root) ?? null,
          refreshed.get(root) ?? null,
        ]),
      )
    },
  }
}

export function articleQueueMethods(
  { dialect, ...session }: SqlSession,
  queues: ArticleQueues,
  newToken: NewToken,
): Pick<ArticleMethods, QueueMethods> {
  const { expireLeases, isFree, leaseDetails } = dialect.articleQueues
  const newest =
    `SELECT ${ARTICLE_COLUMNS} FROM given g CROSS JOIN LATERAL (SELECT b.id FROM articles b ${dialect.indexedBy('articles_newest')}
      WHERE b.root = g.root AND b.due_at IS NOT NULL AND b.due_at <= g.now ORDER BY b.news_at DESC, b.id DESC LIMIT 1) AS first
    JOIN articles a ON a.id = first.id LEFT JOIN ${articleTextJoin(dialect.contents)}` as const
  const leased: TypedColumn[] = ['lease text', 'leased_until bigint', ...leaseDetails]
  const lease = `UPDATE article_queues SET ${assignmentsSql(leased)} FROM given g WHERE article_queues.root = g.root`

  function* leaseArticles(tx: SqlTransaction, roots: string[], now: Instant, until: Instant) {
    const tokens = roots.map(newToken)
    const rows = yield* tx.rowOfEach<ArticleRow>(
      newest,
      ['root text', 'now bigint'],
      roots.map((root) => [root, now]),
    )
    yield* tx.runEach(
      lease,
      ['root text', ...leased],
      roots.map((root, i) => [root, tokens[i], until, now, rows[i]?.id ?? null]),
    )
    return rows.flatMap((row, i) => (row ? [{ ...articleOfRow(row), lease: tokens[i]! }] : []))
  }

  return {
    leaseDueArticles(now, limit, until, owned) {
      const inBuckets = dialect.ownedBuckets(owned, 3)
      return session.write(function* (tx) {
        if (expireLeases) yield* tx.run(expireLeases, [now])
        const due = yield* tx.rows<{ root: string }>(
          `SELECT root FROM article_queues WHERE due_at <= $1 AND ${isFree} AND ${inBuckets.sql}
           ORDER BY due_at, root LIMIT $2 ${dialect.lockFor('UPDATE SKIP LOCKED')}`,
          [now, atMost(limit), ...inBuckets.values],
        )
        return yield* leaseArticles(
          tx,
          due.map(({ root }) => root),
          now,
          until,
        )
      })
    },

    releaseArticleLeases(items) {
      return session.write(function* (tx) {
        const rows = yield* tx.each<{ id: ArticleId; root: string }>(
          'SELECT a.id, a.root FROM given g, articles a WHERE a.id = g.id',
          ['id bigint'],
          items.map(({ id }) => [id]),
        )
        const roots = new Map(rows.map(({ id, root }) => [id, root]))
        const leases = yield* queues.lockLeases(tx, roots.values())
        const changes = noQueueChanges()
        for (const { id, lease, dueAt } of items) {
          const root = roots.get(id)
          if (root === undefined || (lease !== undefined && leases.get(root) !== lease)) continue
          leases.set(root, null)
          changes.released.set(root, dueAt ?? changes.released.get(root))
        }
        yield* queues.apply(tx, changes)
      })
    },

    /** Empty for SQLite: a file has one owner, which fetches everything itself. */
    async articleLeases(owned) {
      if (leaseDetails.length === 0) return []
      const inBuckets = dialect.ownedBuckets(owned, 1)
      return session.rows(
        `SELECT 'article' AS kind, leased_id AS id, lease, leased_at AS "leasedAt" FROM article_queues
         WHERE lease IS NOT NULL AND leased_id IS NOT NULL AND ${inBuckets.sql} ORDER BY root`,
        inBuckets.values,
      )
    },

    async nextArticleAt(owned) {
      const inBuckets = dialect.ownedBuckets(owned, 1)
      const row = await session.row<{ at: Instant | null }>(
        `SELECT min(at) AS at FROM (
           SELECT min(due_at) AS at FROM article_queues WHERE leased_until IS NULL AND ${inBuckets.sql} UNION ALL
           SELECT min(${dialect.greatest}(leased_until, due_at)) FROM article_queues WHERE leased_until IS NOT NULL AND ${inBuckets.sql}
         ) AS dates`,
        inBuckets.values,
      )
      return row?.at ?? undefined
    },
  }
}
