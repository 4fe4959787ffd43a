/**
 * The lines in which articles wait. A line has the date from which on its root may be visited and the date at which the
 * first in it is due; the later of the two is when the line is due. Whoever changes when an article is due settles its line
 * afterwards: it locks the line first, and then looks who waits in it, so that of two who do so at once the later sees what
 * the other has done. Who takes passes over lines that somebody has locked.
 */
import { type ArticleId, type Bucket, bucketOf, type Instant, type LeaseToken } from '../../../model/index.ts'
import type { ArticleMethods } from '../methods.ts'
import { ARTICLE_COLUMNS, type ArticleRow, articleOfRow } from '../sql/article-rows.ts'
import { createLeaseTokens } from '../sql/lease-tokens.ts'
import { atMost } from '../sql/values.ts'
import { manyRows } from './columns.ts'
import { ownedSql } from './rows.ts'
import type { PostgresSession, Transaction } from './session.ts'

type LineMethods = 'takeDueArticles' | 'handBackArticles' | 'pageLeases' | 'nextPageAt'

/** What becomes of the lines of these roots. */
export interface LineChanges {
  /** Somebody has come to the line, or gone; of which bucket it is, where somebody says so. */
  settled: Map<string, Bucket | undefined>
  /** Its lease is over, and it is not given before that date, if there is one. */
  released: Map<string, Instant | undefined>
}

export function noLineChanges(): LineChanges {
  return { settled: new Map(), released: new Map() }
}

/** Articles `a` with the packed text `t`, where there is one. */
export const ARTICLES_WITH_TEXT = 'articles a LEFT JOIN article_texts t ON t.place = a.text_place'

/** The leases under which the lines of these roots are given, which nobody changes until the transaction ends. */
export async function lockedLines(tx: Transaction, roots: Iterable<string>): Promise<Map<string, LeaseToken | null>> {
  const rows = await tx.rows<{ root: string; lease: LeaseToken | null }>(
    'SELECT root, lease FROM article_lines WHERE root = ANY ($1::text[]) ORDER BY root FOR UPDATE',
    [[...new Set(roots)]],
  )
  return new Map(rows.map(({ root, lease }) => [root, lease]))
}

/** The last that a transaction does with lines. */
export async function changeLines(tx: Transaction, { settled, released }: LineChanges): Promise<void> {
  const roots = [...new Set([...settled.keys(), ...released.keys()])].sort()
  if (roots.length === 0) return
  const lines = manyRows(
    'l',
    ['root text', 'bucket smallint', 'told boolean', 'free boolean', 'not_before_at bigint'],
    roots.map((root) => {
      const bucket = settled.get(root)
      return [root, bucket ?? bucketOf(root), bucket !== undefined, released.has(root), released.get(root) ?? null]
    }),
  )
  // Those that are there, and those that may have to be: locked, whoever else has come or gone meanwhile.
  await tx.run(
    `INSERT INTO article_lines (root, bucket, not_before_at, due_at)
     SELECT l.root, l.bucket, coalesce(l.not_before_at, 0), 0 FROM ${lines.sql} ORDER BY l.root
     ON CONFLICT (root) DO UPDATE SET root = excluded.root`,
    lines.values,
  )
  await tx.run(
    `WITH first AS MATERIALIZED (
       SELECT l.*, (SELECT min(a.due_at) FROM articles a WHERE a.root = l.root AND a.due_at IS NOT NULL) AS first_at
       FROM ${lines.sql}
     ), gone AS (
       DELETE FROM article_lines USING first WHERE article_lines.root = first.root AND first.first_at IS NULL
     )
     UPDATE article_lines SET
       bucket = CASE WHEN first.told THEN first.bucket ELSE article_lines.bucket END,
       leased_until = CASE WHEN first.free THEN NULL ELSE leased_until END,
       lease = CASE WHEN first.free THEN NULL ELSE lease END,
       not_before_at = coalesce(first.not_before_at, article_lines.not_before_at),
       due_at = greatest(coalesce(first.not_before_at, article_lines.not_before_at), first.first_at)
     FROM first WHERE article_lines.root = first.root AND first.first_at IS NOT NULL`,
    lines.values,
  )
}

export function articleLineMethods(session: PostgresSession): Pick<ArticleMethods, LineMethods> {
  const newToken = createLeaseTokens()
  return {
    takeDueArticles(now, limit, until, owned) {
      return session.write(async (tx) => {
        const mine = ownedSql(owned, 3)
        const lines = await tx.rows<{ root: string }>(
          `SELECT root FROM article_lines WHERE due_at <= $1 AND (leased_until IS NULL OR leased_until <= $1)
           AND ${mine.sql('bucket')} ORDER BY due_at, root LIMIT $2 FOR UPDATE SKIP LOCKED`,
          [now, atMost(limit), ...mine.values],
        )
        if (lines.length === 0) return []
        const given = manyRows(
          'l',
          ['root text', 'lease text'],
          lines.map(({ root }) => [root, newToken()]),
          3,
        )
        const rows = await tx.rows<ArticleRow & { given: LeaseToken }>(
          `WITH leased AS (
             UPDATE article_lines SET leased_until = $2, lease = l.lease, taken_at = $1, leased_id = (
               SELECT a.id FROM articles a WHERE a.root = l.root AND a.due_at IS NOT NULL AND a.due_at <= $1
               ORDER BY a.news_at DESC, a.id DESC LIMIT 1
             ) FROM ${given.sql} WHERE article_lines.root = l.root RETURNING l.root, l.lease, l.n, leased_id
           )
           SELECT ${ARTICLE_COLUMNS}, leased.lease AS given FROM leased JOIN articles a ON a.id = leased.leased_id
           LEFT JOIN article_texts t ON t.place = a.text_place ORDER BY leased.n`,
          [now, until, ...given.values],
        )
        return rows.map(({ given: lease, ...row }) => ({ ...articleOfRow(row), lease }))
      })
    },

    handBackArticles(items) {
      return session.write(async (tx) => {
        const rows = await tx.rows<{ id: ArticleId; root: string }>(
          'SELECT id, root FROM articles WHERE id = ANY ($1::bigint[])',
          [items.map(({ id }) => id)],
        )
        const roots = new Map(rows.map(({ id, root }) => [id, root]))
        const leases = await lockedLines(tx, roots.values())
        const changes = noLineChanges()
        for (const { id, lease, dueAt } of items) {
          const root = roots.get(id)
          if (root === undefined || (lease !== undefined && leases.get(root) !== lease)) continue
          leases.set(root, null)
          changes.released.set(root, dueAt ?? changes.released.get(root))
        }
        await changeLines(tx, changes)
      })
    },

    async pageLeases(owned) {
      const mine = ownedSql(owned, 1)
      const rows = await session.rows<{ leased_id: ArticleId; lease: LeaseToken; taken_at: number }>(
        `SELECT leased_id, lease, taken_at FROM article_lines
         WHERE lease IS NOT NULL AND leased_id IS NOT NULL AND ${mine.sql('bucket')} ORDER BY root`,
        mine.values,
      )
      return rows.map(({ leased_id: id, lease, taken_at: takenAt }) => ({ id, lease, takenAt }))
    },

    async nextPageAt(owned) {
      const mine = ownedSql(owned, 1)
      const [row] = await session.rows<{ at: number | null }>(
        `SELECT least(
           (SELECT due_at FROM article_lines WHERE leased_until IS NULL AND ${mine.sql('bucket')} ORDER BY due_at LIMIT 1),
           (SELECT min(greatest(leased_until, due_at)) FROM article_lines WHERE leased_until IS NOT NULL AND ${mine.sql('bucket')})
         ) AS at`,
        mine.values,
      )
      return row?.at ?? undefined
    },
  }
}
