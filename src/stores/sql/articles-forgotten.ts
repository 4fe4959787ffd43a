/** How articles are forgotten, and their pages. */
import { FORGOTTEN } from '../../articles/lifecycle/remove-article.ts'
import type { ArticleId } from '../../model/index.ts'
import type { ArticleMethods } from '../methods.ts'
import type { ArticleParts } from './article-parts.ts'
import { entriesPointingAt } from './article-records.ts'
import type { Months } from './months.ts'
import type { SqlSession } from './session.ts'
import { atMost } from './values.ts'
import { toLine } from './waiting-lines.ts'

const SHRUNK_AT_ONCE = 100

export function forgetArticleMethods(
  { dialect, ...session }: SqlSession,
  { pages, writer }: ArticleParts,
  months: Months,
): Pick<ArticleMethods, 'forgetPages' | 'shrinkPages' | 'forgetArticles'> {
  const { key, page } = dialect.contents

  return {
    async forgetPages(before, limit) {
      const whole = await months.drop('pages', before)
      if (whole >= limit) return limit
      const rest = await session.write(function* (tx) {
        const rows = yield* tx.rows<{ place: number }>(
          `SELECT ${key} AS place FROM pages WHERE at < $1 ORDER BY at, article_id LIMIT $2 ${dialect.locked('UPDATE SKIP LOCKED')}`,
          [before, atMost(limit - whole)],
        )
        yield* pages.drop(
          tx,
          rows.map(({ place }) => place),
        )
        return rows.length
      })
      return whole + rest
    },

    shrinkPages(bytes, limit) {
      return session.write(function* (tx) {
        const counted = yield* tx.row<{ bytes: number }>(
          "SELECT CAST(coalesce(sum(value), 0) AS bigint) AS bytes FROM counters WHERE name = 'pageBytes'",
        )
        let dropped = 0
        for (;;) {
          const excess = counted!.bytes + tx.tally.pageBytes - bytes
          if (excess <= 0 || dropped >= limit) return dropped
          const rows = yield* tx.rows<{ place: number; bytes: number }>(
            `SELECT ${key} AS place, octet_length(packed) AS bytes FROM pages ORDER BY at, article_id LIMIT $1
             ${dialect.locked('UPDATE SKIP LOCKED')}`,
            [Math.min(limit - dropped, SHRUNK_AT_ONCE)],
          )
          const going = whileExceeding(rows, excess)
          if (going.length === 0) return dropped
          yield* pages.drop(tx, going)
          dropped += going.length
        }
      })
    },

    async forgetArticles(before, limit) {
      const forgotten = await session.write(function* (tx) {
        const rows = yield* tx.rows<{ place: number; article_id: ArticleId; page_place: number | null }>(
          `SELECT t.${key} AS place, t.article_id, a.${page} AS page_place FROM article_texts t
           LEFT JOIN articles a ON a.id = t.article_id WHERE t.fetched_at < $1 ORDER BY t.fetched_at, t.article_id LIMIT $2
           ${dialect.locked('UPDATE OF t SKIP LOCKED')}`,
          [before, atMost(limit)],
        )
        yield* writer.dropTexts(
          tx,
          rows.map(({ place }) => place),
        )
        yield* pages.drop(
          tx,
          rows.flatMap(({ page_place }) => page_place ?? []),
        )
        const entries = yield* entriesPointingAt(
          tx,
          rows.map(({ article_id }) => article_id),
        )
        if (FORGOTTEN.reindex) yield* toLine(tx, dialect, 'unindexed', entries)
        if (FORGOTTEN.placeAgain) yield* toLine(tx, dialect, 'unplaced', entries)
        return rows.length
      })
      if (forgotten > 0 && forgotten < limit) await months.dropEmpty('article_texts')
      return forgotten
    },
  }
}

/** The first of these, until together they have so many bytes. A pattern may go with them, and that is seen only then: so one by one at last. */
function whileExceeding(rows: { place: number; bytes: number }[], excess: number): number[] {
  const going: number[] = []
  let sum = 0
  for (const { place, bytes } of rows) {
    if (sum >= excess) break
    going.push(place)
    sum += bytes
  }
  return going
}
