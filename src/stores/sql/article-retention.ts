/** Deletes old article texts and raw pages. */
import { EXPIRED_TEXT } from '../../articles/lifecycle/remove-article.ts'
import type { ArticleId } from '../../model/index.ts'
import type { ArticleMethods } from '../methods.ts'
import type { ArticleParts } from './article-parts.ts'
import { entryIdsOfArticles } from './article-records.ts'
import type { Months } from './months.ts'
import { enqueueEntries } from './pending-work.ts'
import type { SqlSession } from './session.ts'
import { atMost } from './values.ts'

const PAGES_PER_QUERY = 100

export function articleRetentionMethods(
  { dialect, ...session }: SqlSession,
  { pages, writer }: ArticleParts,
  months: Months,
): Pick<ArticleMethods, 'forgetPages' | 'trimPages' | 'forgetArticles'> {
  const { key, page } = dialect.contents

  return {
    async forgetPages(before, limit) {
      const wholeMonths = await months.drop('pages', before)
      if (wholeMonths >= limit) return limit
      const single = await session.write(function* (tx) {
        const rows = yield* tx.rows<{ place: number }>(
          `SELECT ${key} AS place FROM pages WHERE at < $1 ORDER BY at, article_id LIMIT $2 ${dialect.lockFor('UPDATE SKIP LOCKED')}`,
          [before, atMost(limit - wholeMonths)],
        )
        yield* pages.drop(
          tx,
          rows.map(({ place: position }) => position),
        )
        return rows.length
      })
      return wholeMonths + single
    },

    trimPages(bytes, limit) {
      return session.write(function* (tx) {
        const counted = yield* tx.row<{ bytes: number }>(
          "SELECT CAST(coalesce(sum(value), 0) AS bigint) AS bytes FROM counters WHERE name = 'pageBytes'",
        )
        let dropped = 0
        for (;;) {
          const excess = counted!.bytes + tx.countChanges.pageBytes - bytes
          if (excess <= 0 || dropped >= limit) return dropped
          const rows = yield* tx.rows<{ place: number; bytes: number }>(
            `SELECT ${key} AS place, octet_length(packed) AS bytes FROM pages ORDER BY at, article_id LIMIT $1
             ${dialect.lockFor('UPDATE SKIP LOCKED')}`,
            [Math.min(limit - dropped, PAGES_PER_QUERY)],
          )
          const positions = positionsToDrop(rows, excess)
          if (positions.length === 0) return dropped
          yield* pages.drop(tx, positions)
          dropped += positions.length
        }
      })
    },

    async forgetArticles(before, limit) {
      const forgotten = await session.write(function* (tx) {
        const rows = yield* tx.rows<{ place: number; article_id: ArticleId; page_place: number | null }>(
          `SELECT t.${key} AS place, t.article_id, a.${page} AS page_place FROM article_texts t
           LEFT JOIN articles a ON a.id = t.article_id WHERE t.fetched_at < $1 ORDER BY t.fetched_at, t.article_id LIMIT $2
           ${dialect.lockFor('UPDATE OF t SKIP LOCKED')}`,
          [before, atMost(limit)],
        )
        yield* writer.dropTexts(
          tx,
          rows.map(({ place: position }) => position),
        )
        yield* pages.drop(
          tx,
          rows.flatMap(({ page_place }) => page_place ?? []),
        )
        const entries = yield* entryIdsOfArticles(
          tx,
          rows.map(({ article_id }) => article_id),
        )
        if (EXPIRED_TEXT.reindex) yield* enqueueEntries(tx, dialect, 'unindexed', entries)
        if (EXPIRED_TEXT.regroup) yield* enqueueEntries(tx, dialect, 'ungrouped', entries)
        return rows.length
      })
      if (forgotten > 0 && forgotten < limit) await months.dropEmpty('article_texts')
      return forgotten
    },
  }
}

/**
 * Picks the first rows that together have `excess` bytes. Deleting them may also delete a pattern, which is known only afterwards, so
 * the caller measures again after each round.
 */
function positionsToDrop(rows: { place: number; bytes: number }[], excess: number): number[] {
  const dropped: number[] = []
  let sum = 0
  for (const { place: position, bytes } of rows) {
    if (sum >= excess) break
    dropped.push(position)
    sum += bytes
  }
  return dropped
}
