/**
 * Pages as they came, for archives. Each site has a pattern, the first page that we had of it, against which the others are
 * packed; when they no longer resemble it, because the site was built anew, the next one becomes the pattern. A page is also
 * packed against the text of its article: whoever changes or drops that has to write or drop the page as well.
 *
 * A page is packed before the transaction that writes it. Should its pattern be gone by then, that is written again; else it is
 * locked until the page is there. Whoever drops a pattern locks it first, and then looks whether a page needs it.
 */
import type { ArticleId, Instant, RawPage } from '../../model/index.ts'
import { contentOf } from './article-rows.ts'
import { type Dialect, type TypedColumn, textOf } from './dialect.ts'
import { type Packed, unpackPage } from './packing.ts'
import { type KeptPattern, type PackedPage, pageOf } from './page-packing.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'

export interface PageToWrite {
  id: ArticleId
  page: PackedPage
}

/** Each within a transaction. */
export interface Pages {
  /** In place of those at the places `left`. Answers where they stand now, by article. */
  write(
    tx: SqlTransaction,
    month: number,
    pages: readonly PageToWrite[],
    left: readonly number[],
  ): SqlWork<Map<ArticleId, number>>
  /** Those at these places, with the patterns that nobody needs afterwards. */
  drop(tx: SqlTransaction, places: readonly number[]): SqlWork<void>
}

interface Left {
  pattern_id: number | null
  bytes: number
}

interface PageRow extends Packed {
  at: Instant
  pattern_codec: number | null
  pattern: Buffer | null
  text_codec: number | null
  text: Buffer | null
}

const ID: TypedColumn[] = ['id bigint']
const PAGE: TypedColumn[] = ['article_id bigint', 'at bigint', 'pattern_id bigint', 'codec smallint', 'packed bytea']

export function createPages(dialect: Dialect): Pages {
  const { key, insert } = dialect.contents
  const insertPage = insert('pages', PAGE)
  const dropPage = `DELETE FROM pages USING given g WHERE pages.${key} = g.dropped
    RETURNING pattern_id, octet_length(packed) AS bytes`
  const pattern = 'SELECT m.id FROM given g, page_patterns m WHERE m.id = g.id ORDER BY m.id'
  const keep = `${pattern} ${dialect.locked('KEY SHARE OF m')}`
  const lock = `${pattern} ${dialect.locked('UPDATE OF m')}`
  const dropUnused = `DELETE FROM page_patterns USING given g WHERE page_patterns.id = g.unused
    AND NOT EXISTS (SELECT 1 FROM pages WHERE pattern_id = page_patterns.id) RETURNING octet_length(packed) AS bytes`

  /** By pattern, the id that it has; those that are new, or gone by now, are written. */
  function* patternIds(tx: SqlTransaction, pages: readonly PageToWrite[]): SqlWork<Map<KeptPattern, number>> {
    const wanted = new Map(pages.flatMap(({ page: { pattern, site } }) => (pattern ? [[pattern, site] as const] : [])))
    const known = [...wanted.keys()].flatMap(({ id }) => (id === undefined ? [] : [[id]]))
    const there = new Set((yield* tx.each<{ id: number }>(keep, ID, known)).map(({ id }) => id))
    const ids = new Map<KeptPattern, number>()
    for (const [pattern, site] of wanted) {
      if (pattern.id !== undefined && there.has(pattern.id)) {
        ids.set(pattern, pattern.id)
        continue
      }
      const id = yield* tx.insert<number>('INSERT INTO page_patterns (site, codec, packed) VALUES ($1, $2, $3)', [
        site,
        pattern.codec,
        pattern.packed,
      ])
      tx.tally.pageBytes += pattern.packed.length
      ids.set(pattern, id!)
    }
    return ids
  }

  /** The patterns that they had. */
  function* dropRows(tx: SqlTransaction, places: readonly number[]): SqlWork<number[]> {
    const rows = places.map((place) => [place])
    const left = yield* tx.each<Left>(dropPage, ['dropped bigint'], rows)
    tx.tally.pages -= left.length
    for (const { bytes } of left) tx.tally.pageBytes -= bytes
    return [...new Set(left.flatMap(({ pattern_id }) => pattern_id ?? []))]
  }

  function* dropPatterns(tx: SqlTransaction, patternIds: readonly number[]): SqlWork<void> {
    const rows = patternIds.map((id) => [id])
    if (dialect.forUpdate) yield* tx.each(lock, ID, rows)
    const dropped = yield* tx.each<{ bytes: number }>(dropUnused, ['unused bigint'], rows)
    for (const { bytes } of dropped) tx.tally.pageBytes -= bytes
  }

  return {
    *write(tx, month, pages, left) {
      const patternsLeft = yield* dropRows(tx, left)
      const patterns = yield* patternIds(tx, pages)
      const rows = pages.map(({ id, page: { at, pattern, codec, packed } }) => {
        return [id, at, pattern ? patterns.get(pattern)! : null, codec, packed, month]
      })
      const places = yield* tx.each<{ article_id: ArticleId; place: number }>(
        insertPage,
        [...PAGE, 'month bigint'],
        rows,
      )
      tx.tally.pages += pages.length
      for (const { page } of pages) tx.tally.pageBytes += page.packed.length
      yield* dropPatterns(tx, patternsLeft)
      return new Map(places.map(({ article_id, place }) => [article_id, place]))
    },

    *drop(tx, places) {
      yield* dropPatterns(tx, yield* dropRows(tx, places))
    },
  }
}

/** The newest pattern of a site. */
export function newestPattern(session: SqlSession, site: string): Promise<KeptPattern | undefined> {
  return session.row<KeptPattern>(
    'SELECT id, codec, packed FROM page_patterns WHERE site = $1 ORDER BY id DESC LIMIT 1',
    [site],
  )
}

export async function keptPage({ dialect, row: ask }: SqlSession, id: ArticleId): Promise<RawPage | undefined> {
  const { key, page } = dialect.contents
  const row = await ask<PageRow>(
    `SELECT p.at, p.codec, p.packed, m.codec AS pattern_codec, m.packed AS pattern, t.codec AS text_codec, t.packed AS text
     FROM articles a JOIN pages p ON p.${key} = a.${page} LEFT JOIN page_patterns m ON m.id = p.pattern_id
     LEFT JOIN ${textOf(dialect.contents)} WHERE a.id = $1`,
    [id],
  )
  if (!row) return undefined
  const bytes = unpackPage(row, () => ({
    pattern: unpackPage({ codec: row.pattern_codec!, packed: row.pattern! }),
    text: Buffer.from(contentOf({ codec: row.text_codec, packed: row.text }).html),
  }))
  return pageOf(row.at, bytes)
}
