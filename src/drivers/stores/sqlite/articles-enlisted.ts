/** Articles that entries point at: which are fetched for them, and which are no longer waited for. */

import { enlisted } from '../../../articles/life/enlisted.ts'
import { GIVEN_UP } from '../../../articles/life/let-go.ts'
import type { ArticleState, EntryId, FeedId, Instant } from '../../../model/index.ts'
import type { ArticleToFetch } from '../../../ports/index.ts'
import type { ArticleMethods } from '../methods.ts'
import { keyHash } from '../sql/rows.ts'
import type { CountTally } from '../sql/tally.ts'
import type { ArticleLines } from './article-lines.ts'
import type { ArticleWriter } from './article-writer.ts'
import type { SqliteSession } from './session.ts'

export interface ArticlesEnlisted {
  /** Within a transaction: the pages of entries, which are to be fetched unless they are there. How many are, for that. */
  enlist(articles: ArticleToFetch[], at: Instant, tally: CountTally): number
  methods: Pick<ArticleMethods, 'enlistArticles' | 'delistArticles'>
}

export function createArticlesEnlisted(
  session: SqliteSession,
  lines: ArticleLines,
  writer: ArticleWriter,
): ArticlesEnlisted {
  const { db } = session
  const newsAt = db.prepare<[EntryId], Instant>('SELECT sort_at FROM entries WHERE id = ?').pluck()
  const entriesIn = db
    .prepare<[FeedId, ArticleState], EntryId>(
      `SELECT e.id FROM entries e JOIN article_entries l ON l.entry_id = e.id JOIN articles a ON a.id = l.article_id
       WHERE e.feed_id = ? AND a.state = ?`,
    )
    .pluck()
  const waitingLines = ['unindexed', 'unplaced'].map((line) =>
    db.prepare<[EntryId]>(`INSERT OR REPLACE INTO ${line} (entry_id) VALUES (?)`),
  )

  /** Whether it is to be fetched for that; `roots` are those whose lines have to be settled. */
  function enlistOne(
    { entryId, ...page }: ArticleToFetch,
    at: Instant,
    roots: Set<string>,
    tally: CountTally,
  ): boolean {
    const news = newsAt.get(entryId)
    if (news === undefined) return false
    const urlHash = keyHash(page.url)
    const known = writer.at(urlHash)
    const linkedTo = writer.articleOf(entryId)
    const linked = linkedTo === undefined ? undefined : writer.get(linkedTo)
    const { added, changed, toFetch, relink, hasMore } = enlisted({ known, linked }, page, news, at)
    const id = added ? writer.add(added, urlHash, tally) : known?.id
    if (known && changed) writer.change(known, changed, tally)
    for (const article of [added, changed]) if (article) roots.add(article.root)
    if (relink && linkedTo !== undefined) writer.unlink(entryId, tally)
    if (relink && id !== undefined) writer.link(entryId, id)
    if (hasMore) for (const line of waitingLines) line.run(entryId)
    return toFetch
  }

  function enlist(articles: ArticleToFetch[], at: Instant, tally: CountTally): number {
    const roots = new Set<string>()
    const due = articles.filter((one) => enlistOne(one, at, roots, tally))
    for (const root of roots) lines.settle(root)
    return due.length
  }

  return {
    enlist,
    methods: {
      enlistArticles: (articles, at) => session.write((tally) => void enlist(articles, at, tally)),

      delistArticles(feedId) {
        return session.write((tally) => {
          for (const entryId of entriesIn.all(feedId, GIVEN_UP)) writer.unlink(entryId, tally)
        })
      },
    },
  }
}
