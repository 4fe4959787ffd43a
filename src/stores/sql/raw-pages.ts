/**
 * Raw pages for archives. Each site has a pattern, at first its first page, against which the others are compressed; see page-packing.ts.
 * A page is also compressed against the text of its article, so changing or deleting the text requires writing or deleting the page, too.
 *
 * A page is compressed before the transaction that writes it. If its pattern has been deleted by then, the pattern is written again; else
 * it is locked until the page is written. Deleting a pattern locks it first, then checks whether a page needs it.
 */
import type { ArticleId, Instant, RawPage } from '../../model/index.ts'
import { readContent } from './article-rows.ts'
import { articleTextJoin, type Dialect, type TypedColumn } from './dialect.ts'
import { type Packed, unpackPage } from './packing.ts'
import { type PackedPage, rawPageOf, type StoredPattern } from './page-packing.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'

export interface PageToWrite {
  id: ArticleId
  page: PackedPage
}

/** All methods run within a transaction. */
export interface RawPageWriter {
  /** Deletes the pages at the positions `dropped` and writes new ones. Returns the new positions by article. */
  write(
    tx: SqlTransaction,
    month: number,
    pages: readonly PageToWrite[],
    droppedPages: readonly number[],
  ): SqlWork<Map<ArticleId, number>>
  /** Deletes pages, and patterns that no page needs any more. */
  drop(tx: SqlTransaction, positions: readonly number[]): SqlWork<void>
}

interface DroppedPage {
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

export function createRawPageWriter(dialect: Dialect): RawPageWriter {
  const { key, insert } = dialect.contents
  const insertPage = insert('pages', PAGE)
  const dropPage = `DELETE FROM pages USING given g WHERE pages.${key} = g.dropped
    RETURNING pattern_id, octet_length(packed) AS bytes`
  const pattern = 'SELECT m.id FROM given g, page_patterns m WHERE m.id = g.id ORDER BY m.id'
  const selectShared = `${pattern} ${dialect.lockFor('KEY SHARE OF m')}`
  const selectLocked = `${pattern} ${dialect.lockFor('UPDATE OF m')}`
  const dropUnused = `DELETE FROM page_patterns USING given g WHERE page_patterns.id = g.unused
    AND NOT EXISTS (SELECT 1 FROM pages WHERE pattern_id = page_patterns.id) RETURNING octet_length(packed) AS bytes`

  /** Returns ids by pattern. Writes patterns that are new or have been deleted. */
  function* patternIds(tx: SqlTransaction, pages: readonly PageToWrite[]): SqlWork<Map<StoredPattern, number>> {
    const patternsToWrite = new Map(
      pages.flatMap(({ page: { pattern, site } }) => (pattern ? [[pattern, site] as const] : [])),
    )
    const knownIds = [...patternsToWrite.keys()].flatMap(({ id }) => (id === undefined ? [] : [[id]]))
    const existing = new Set((yield* tx.each<{ id: number }>(selectShared, ID, knownIds)).map(({ id }) => id))
    const ids = new Map<StoredPattern, number>()
    for (const [pattern, site] of patternsToWrite) {
      if (pattern.id !== undefined && existing.has(pattern.id)) {
        ids.set(pattern, pattern.id)
        continue
      }
      const id = yield* tx.insert<number>('INSERT INTO page_patterns (site, codec, packed) VALUES ($1, $2, $3)', [
        site,
        pattern.codec,
        pattern.packed,
      ])
      tx.countChanges.pageBytes += pattern.packed.length
      ids.set(pattern, id!)
    }
    return ids
  }

  /** Returns the patterns of the deleted pages. */
  function* dropRows(tx: SqlTransaction, positions: readonly number[]): SqlWork<number[]> {
    const rows = positions.map((position) => [position])
    const droppedPages = yield* tx.each<DroppedPage>(dropPage, ['dropped bigint'], rows)
    tx.countChanges.pages -= droppedPages.length
    for (const { bytes } of droppedPages) tx.countChanges.pageBytes -= bytes
    return [...new Set(droppedPages.flatMap(({ pattern_id }) => pattern_id ?? []))]
  }

  function* dropPatterns(tx: SqlTransaction, patternIds: readonly number[]): SqlWork<void> {
    const rows = patternIds.map((id) => [id])
    if (dialect.forUpdate) yield* tx.each(selectLocked, ID, rows)
    const dropped = yield* tx.each<{ bytes: number }>(dropUnused, ['unused bigint'], rows)
    for (const { bytes } of dropped) tx.countChanges.pageBytes -= bytes
  }

  return {
    *write(tx, month, pages, droppedPages) {
      const unusedPatterns = yield* dropRows(tx, droppedPages)
      const patterns = yield* patternIds(tx, pages)
      const rows = pages.map(({ id, page: { at, pattern, codec, packed } }) => {
        return [id, at, pattern ? patterns.get(pattern)! : null, codec, packed, month]
      })
      const positions = yield* tx.each<{ article_id: ArticleId; place: number }>(
        insertPage,
        [...PAGE, 'month bigint'],
        rows,
      )
      tx.countChanges.pages += pages.length
      for (const { page } of pages) tx.countChanges.pageBytes += page.packed.length
      yield* dropPatterns(tx, unusedPatterns)
      return new Map(positions.map(({ article_id, place: position }) => [article_id, position]))
    },

    *drop(tx, positions) {
      yield* dropPatterns(tx, yield* dropRows(tx, positions))
    },
  }
}

export function newestPattern(session: SqlSession, site: string): Promise<StoredPattern | undefined> {
  return session.row<StoredPattern>(
    'SELECT id, codec, packed FROM page_patterns WHERE site = $1 ORDER BY id DESC LIMIT 1',
    [site],
  )
}

export async function readRawPage({ dialect, row: queryRow }: SqlSession, id: ArticleId): Promise<RawPage | undefined> {
  const { key, page } = dialect.contents
  const row = await queryRow<PageRow>(
    `SELECT p.at, p.codec, p.packed, m.codec AS pattern_codec, m.packed AS pattern, t.codec AS text_codec, t.packed AS text
     FROM articles a JOIN pages p ON p.${key} = a.${page} LEFT JOIN page_patterns m ON m.id = p.pattern_id
     LEFT JOIN ${articleTextJoin(dialect.contents)} WHERE a.id = $1`,
    [id],
  )
  if (!row) return undefined
  const bytes = unpackPage(row, () => ({
    pattern: unpackPage({ codec: row.pattern_codec!, packed: row.pattern! }),
    text: Buffer.from(readContent({ codec: row.text_codec, packed: row.text }).html),
  }))
  return rawPageOf(row.at, bytes)
}
