/**
 * The lines in which articles wait. A line has the date from which on its root may be visited and the date at which the
 * first in it is due; the later of the two is when the line is due. Whoever changes when an article is due settles its line
 * afterwards: it locks the line first, and then looks who waits in it, so that of two who do so at once the later sees what
 * the other has done. Who takes passes over lines that somebody has locked.
 */
import { type ArticleId, type Bucket, bucketOf, type Instant, type LeaseToken } from '../../model/index.ts'
import type { ArticleMethods } from '../methods.ts'
import { ARTICLE_COLUMNS, type ArticleRow, articleOfRow } from './article-rows.ts'
import { type Dialect, insertGiven, setGiven, type TypedColumn, textOf } from './dialect.ts'
import type { NewToken } from './lease-tokens.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'
import { atMost } from './values.ts'

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

export interface ArticleLines {
  /** The leases under which the lines of these roots are given, which nobody changes until the transaction ends. */
  locked(tx: SqlTransaction, roots: Iterable<string>): SqlWork<Map<string, LeaseToken | null>>
  /** The last that a transaction does with lines. */
  change(tx: SqlTransaction, changes: LineChanges): SqlWork<void>
}

const FIRST_DUE = 'SELECT min(a.due_at) FROM articles a WHERE a.root = g.root AND a.due_at IS NOT NULL'

export function createArticleLines(dialect: Dialect): ArticleLines {
  const { greatest, bucketColumn } = dialect
  const locked = `SELECT l.root, l.lease FROM given g, article_lines l WHERE l.root = g.root ORDER BY l.root ${dialect.locked('UPDATE OF l')}`
  const added: TypedColumn[] = ['root text', 'not_before_at bigint', 'due_at bigint', ...bucketColumn]
  const add = `${insertGiven('article_lines', 'root', added)} ${dialect.orLocked('root')}`
  const changed: TypedColumn[] = ['root text', 'is_free smallint', 'not_before_at bigint', ...bucketColumn]
  const own = bucketColumn.length > 0 ? 'bucket = coalesce(g.bucket, article_lines.bucket),' : ''
  const change = [
    `DELETE FROM article_lines USING given g WHERE article_lines.root = g.root AND (${FIRST_DUE}) IS NULL`,
    `UPDATE article_lines SET ${own}
       leased_until = CASE WHEN g.is_free = 1 THEN NULL ELSE leased_until END,
       lease = CASE WHEN g.is_free = 1 THEN NULL ELSE lease END,
       not_before_at = coalesce(g.not_before_at, article_lines.not_before_at),
       due_at = ${greatest}(coalesce(g.not_before_at, article_lines.not_before_at), (${FIRST_DUE}))
     FROM given g WHERE article_lines.root = g.root AND (${FIRST_DUE}) IS NOT NULL`,
  ]

  return {
    *locked(tx, roots) {
      const rows = yield* tx.each<{ root: string; lease: LeaseToken | null }>(
        locked,
        ['root text'],
        [...new Set(roots)].map((root) => [root]),
      )
      return new Map(rows.map(({ root, lease }) => [root, lease]))
    },

    *change(tx, { settled, released }) {
      const roots = [...new Set([...settled.keys(), ...released.keys()])].sort()
      // Those that are there, and those that may have to be: locked, whoever else has come or gone meanwhile.
      yield* tx.runEach(
        add,
        added,
        roots.map((root) => [root, released.get(root) ?? 0, 0, settled.get(root) ?? bucketOf(root)]),
      )
      yield* tx.runEach(
        change,
        changed,
        roots.map((root) => [root, released.has(root) ? 1 : 0, released.get(root) ?? null, settled.get(root) ?? null]),
      )
    },
  }
}

export function articleLineMethods(
  { dialect, ...session }: SqlSession,
  lines: ArticleLines,
  newToken: NewToken,
): Pick<ArticleMethods, LineMethods> {
  const { endLeases, isFree, noted } = dialect.articleLines
  const newest =
    `SELECT ${ARTICLE_COLUMNS} FROM given g CROSS JOIN LATERAL (SELECT b.id FROM articles b ${dialect.indexedBy('articles_newest')}
      WHERE b.root = g.root AND b.due_at IS NOT NULL AND b.due_at <= g.now ORDER BY b.news_at DESC, b.id DESC LIMIT 1) AS first
    JOIN articles a ON a.id = first.id LEFT JOIN ${textOf(dialect.contents)}` as const
  const leased: TypedColumn[] = ['lease text', 'leased_until bigint', ...noted]
  const lease = `UPDATE article_lines SET ${setGiven(leased)} FROM given g WHERE article_lines.root = g.root`

  function* take(tx: SqlTransaction, roots: string[], now: Instant, until: Instant) {
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
    takeDueArticles(now, limit, until, owned) {
      const mine = dialect.owned(owned, 3)
      return session.write(function* (tx) {
        if (endLeases) yield* tx.run(endLeases, [now])
        const due = yield* tx.rows<{ root: string }>(
          `SELECT root FROM article_lines WHERE due_at <= $1 AND ${isFree} AND ${mine.sql}
           ORDER BY due_at, root LIMIT $2 ${dialect.locked('UPDATE SKIP LOCKED')}`,
          [now, atMost(limit), ...mine.values],
        )
        return yield* take(
          tx,
          due.map(({ root }) => root),
          now,
          until,
        )
      })
    },

    handBackArticles(items) {
      return session.write(function* (tx) {
        const rows = yield* tx.each<{ id: ArticleId; root: string }>(
          'SELECT a.id, a.root FROM given g, articles a WHERE a.id = g.id',
          ['id bigint'],
          items.map(({ id }) => [id]),
        )
        const roots = new Map(rows.map(({ id, root }) => [id, root]))
        const leases = yield* lines.locked(tx, roots.values())
        const changes = noLineChanges()
        for (const { id, lease, dueAt } of items) {
          const root = roots.get(id)
          if (root === undefined || (lease !== undefined && leases.get(root) !== lease)) continue
          leases.set(root, null)
          changes.released.set(root, dueAt ?? changes.released.get(root))
        }
        yield* lines.change(tx, changes)
      })
    },

    /** Whoever opens a file is alone: nobody else fetches anything for it. */
    async pageLeases(owned) {
      if (noted.length === 0) return []
      const mine = dialect.owned(owned, 1)
      return session.rows(
        `SELECT leased_id AS id, lease, taken_at AS "takenAt" FROM article_lines
         WHERE lease IS NOT NULL AND leased_id IS NOT NULL AND ${mine.sql} ORDER BY root`,
        mine.values,
      )
    },

    async nextPageAt(owned) {
      const mine = dialect.owned(owned, 1)
      const row = await session.row<{ at: Instant | null }>(
        `SELECT min(at) AS at FROM (
           SELECT min(due_at) AS at FROM article_lines WHERE leased_until IS NULL AND ${mine.sql} UNION ALL
           SELECT min(${dialect.greatest}(leased_until, due_at)) FROM article_lines WHERE leased_until IS NOT NULL AND ${mine.sql}
         ) AS dates`,
        mine.values,
      )
      return row?.at ?? undefined
    },
  }
}
