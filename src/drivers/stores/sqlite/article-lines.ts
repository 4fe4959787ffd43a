/**
 * Articles that are wanted, and the lines in which they wait. A line has the date from which on its root may be visited and
 * the date at which the first in it is due; the later of the two is when the line is due. Whoever changes when an article is
 * due settles its line afterwards.
 */
import type { ArticleId, EntryId, Instant, LeaseToken } from '../../../model/index.ts'
import type { ArticleToFetch } from '../../../ports/index.ts'
import type { ArticleMethods } from '../methods.ts'
import { ARTICLE_COLUMNS, ARTICLES, type ArticleRow, articleOf } from './article-rows.ts'
import type { NewToken } from './lease-tokens.ts'
import { keyHash } from './rows.ts'
import { bounded, type Session } from './session.ts'

export interface ArticleLines {
  /** Within a transaction: the pages of entries, which are to be fetched unless they are there. How many are, for that. */
  want(wants: ArticleToFetch[], at: Instant): number
  /** Within a transaction: ends the lease of a line, which is not given before `notBeforeAt`. */
  release(root: string, notBeforeAt: Instant | undefined): void
  /** Whether this line is given under that lease; whoever shows none is believed. */
  isUnder(root: string, lease: LeaseToken | undefined): boolean
  /** Within a transaction: somebody has come to this line, or gone. */
  settle(root: string): void
  methods: Pick<ArticleMethods, LineMethods>
}

type LineMethods = 'wantArticles' | 'unwantArticles' | 'takeDueArticles' | 'handBackArticles' | 'nextArticleDueAt'

interface Target {
  id: ArticleId
  state: string
  root: string
  reads: number
  news_at: Instant
  due_at: Instant | null
  fetched_at: Instant | null
}

interface Wanted {
  root: string
  isDue: boolean
}

const TARGET = 'SELECT id, state, root, reads, news_at, due_at, fetched_at FROM articles'

export function createArticleLines(session: Session, newToken: NewToken): ArticleLines {
  const { db } = session
  const newsAt = db.prepare<[EntryId], Instant>('SELECT sort_at FROM entries WHERE id = ?').pluck()
  const asked = db.prepare<[bigint], Target>(
    `${TARGET} WHERE id = (SELECT coalesce(same_as, id) FROM articles WHERE url_hash = ?)`,
  )
  const at = db.prepare<[bigint], Target>(`${TARGET} WHERE page_hash = ? AND state = 'read' ORDER BY id LIMIT 1`)
  const insert = db.prepare(
    `INSERT INTO articles (url_hash, state, wanted_at, news_at, due_at, root, url) VALUES (?, 'waiting', ?, ?, ?, ?, ?)`,
  )
  const renew = db.prepare('UPDATE articles SET news_at = ?, due_at = ? WHERE id = ?')
  const linked = db.prepare<[EntryId], ArticleId>('SELECT article_id FROM article_entries WHERE entry_id = ?').pluck()
  const unlink = db.prepare('DELETE FROM article_entries WHERE entry_id = ?')
  const unlinkWaiting = db.prepare(
    `DELETE FROM article_entries WHERE entry_id IN (SELECT e.id FROM entries e JOIN article_entries l ON l.entry_id = e.id
     JOIN articles a ON a.id = l.article_id WHERE e.feed_id = ? AND a.state = 'waiting')`,
  )
  const link = db.prepare('INSERT INTO article_entries (entry_id, article_id) VALUES (?, ?)')
  const waitingLines = ['unindexed', 'unplaced'].map((line) =>
    db.prepare<[EntryId]>(`INSERT OR REPLACE INTO ${line} (entry_id) VALUES (?)`),
  )

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

  /** Answers with the root whose line has to be settled, and whether the page is to be fetched for that. */
  function wantOne({ entryId, url, root, again }: ArticleToFetch, wantedAt: Instant): Wanted | undefined {
    const news = newsAt.get(entryId)
    if (news === undefined) return undefined
    const hash = keyHash(url)
    const known = asked.get(hash) ?? at.get(hash)
    const id = known?.id ?? (Number(insert.run(hash, wantedAt, news, wantedAt, root, url).lastInsertRowid) as ArticleId)
    const isAgain = again !== undefined && known?.state === 'read' && known.due_at === null && known.reads < again.most
    if (known) {
      const dueAt = isAgain ? Math.max(wantedAt, known.fetched_at! + again.afterMs) : known.due_at
      if (isAgain || news > known.news_at) renew.run(Math.max(news, known.news_at), dueAt, id)
    }
    if (linked.get(entryId) !== id) {
      unlink.run(entryId)
      link.run(entryId, id)
      if (known?.state === 'read') for (const line of waitingLines) line.run(entryId)
    }
    return { root: known?.root ?? root, isDue: !known || isAgain }
  }

  const self: ArticleLines = {
    want(wants, at) {
      const wanted = wants.flatMap((want) => wantOne(want, at) ?? [])
      for (const root of new Set(wanted.map(({ root }) => root))) settle(root)
      return wanted.filter(({ isDue }) => isDue).length
    },

    settle,
    isUnder,

    release(root, notBeforeAt) {
      release.run(notBeforeAt ?? null, root)
      settle(root)
    },

    methods: {
      wantArticles: (wants, at) => session.write(() => void self.want(wants, at)),

      unwantArticles(feedId) {
        return session.write(() => {
          unlinkWaiting.run(feedId)
        })
      },

      takeDueArticles(now, limit, until) {
        return session.write(() => {
          endLeases.run(now)
          return dueLines.all(now, bounded(limit)).flatMap((root) => {
            const token = newToken()
            lease.run(until, token, root)
            const row = newest.get(root, now)
            return row ? [{ ...articleOf(row), lease: token }] : []
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

      nextArticleDueAt() {
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
